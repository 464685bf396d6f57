/**
 * The cost of wallet profiles: trades per second through the book of wallets and bytes per profile.
 *
 *   node --expose-gc bench/wallet-profiles.ts [wallets]
 *
 * First one trade of each wallet, then as many trades of unevenly drawn wallets, each slot in a
 * revertible record. Seconds are processor time, not clock time.
 */
import { WalletBook } from '../src/fold/wallets/wallet-book.ts';
import type { WalletTrade } from '../src/fold/wallets/wallet-row-changes.ts';
import { AddressIds } from '../src/lib/address-ids.ts';
import { encodeBase58 } from '../src/lib/base58.ts';
import { UndoLog } from '../src/lib/undo-log.ts';
import { type Address, asAddress, asSlot } from '../src/model/units.ts';

const WALLETS = Number(process.argv[2] ?? 1_000_000);
const TRADES_PER_SLOT = 400;
const UNDO_SLOTS = 32;

const random = (() => {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
})();

function addressOf(number: number): Address {
  const bytes = new Uint8Array(32).fill(7);
  const view = new DataView(bytes.buffer);
  for (let word = 0; word < 8; word++)
    view.setUint32(word * 4, Math.imul(number + word, 2654435761));
  return asAddress(encodeBase58(bytes));
}

const ids = new AddressIds<Address>();
for (let wallet = 0; wallet < WALLETS; wallet++) ids.idOf(addressOf(wallet));
const mints = Array.from({ length: 5_000 }, (_, at) => addressOf(-1 - at));
const sizes = [100_000_000n, 250_000_000n, 137_000_000n, 500_000_000n, 77_000_000n, 1_230_000_000n];
const program = addressOf(-10_000);
const undo = new UndoLog(UNDO_SLOTS);
const book = new WalletBook({ ids, knownPrograms: new Set([program]) }, undo);

function draw<Item>(items: readonly Item[]): Item {
  return items[Math.floor(random() * items.length)] as Item;
}

function tradeAt(slot: number): WalletTrade {
  return {
    slot: asSlot(slot),
    timeMs: 1_750_000_000_000 + Math.floor(slot * 0.4) * 1_000,
    mint: draw(mints),
    side: random() < 0.5 ? 'buy' : 'sell',
    lamports: draw(sizes),
    isRoundTrip: false,
    isFirstBuyOfMint: random() < 0.3,
    isSnipe: false,
    terminal: random() < 0.3,
    programIds: [program],
  };
}

let slot = 0;

function run(name: string, walletAt: (at: number) => number): void {
  const slots: { wallet: number; trade: WalletTrade }[][] = [];
  const count = Math.floor(WALLETS / TRADES_PER_SLOT);
  let seconds = 0;
  for (let done = 0; done < count; done++, slot++) {
    const trades = Array.from({ length: TRADES_PER_SLOT }, (_, at) => ({
      wallet: walletAt(done * TRADES_PER_SLOT + at),
      trade: tradeAt(slot),
    }));
    slots.push(trades);
    if (slots.length < 50 && done < count - 1) continue;
    const start = process.cpuUsage();
    for (const each of slots) foldSlot(each);
    const { user, system } = process.cpuUsage(start);
    seconds += (user + system) / 1e6;
    slots.length = 0;
  }
  const rate = (count * TRADES_PER_SLOT) / seconds;
  console.log(`${name}: ${Math.round(rate / 1_000)} k trades/s`);
}

function foldSlot(trades: readonly { wallet: number; trade: WalletTrade }[]): void {
  if (undo.size === UNDO_SLOTS) undo.forget(1);
  undo.open();
  for (const { wallet, trade } of trades) book.applyTrade(wallet, trade);
  book.takeFlips();
  undo.close();
}

run('first trades', (at) => at);
for (const pass of [1, 2, 3]) {
  run(`more trades ${pass}`, () => Math.floor(random() ** 3 * WALLETS));
}
const bytes = book.allocatedBytes / book.size;
console.log(`${bytes.toFixed(1)} bytes a profile, index included (${book.size} profiles)`);
