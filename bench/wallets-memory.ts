import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine } from '../src/engine/engine.ts';
import { PoolWalletBook } from '../src/fold/indicators/pool-wallet-book.ts';
import { PoolBook } from '../src/fold/market/pools.ts';
import { PositionBook } from '../src/fold/positions/position-book.ts';
import { WALLET_LAYOUT } from '../src/fold/wallets/features/wallet-row.ts';
import { WalletBook } from '../src/fold/wallets/wallet-book.ts';
import { AddressIds } from '../src/lib/address-ids.ts';
import { WRAPPED_SOL } from '../src/model/program.ts';
import type { SlotFacts, TransactionFacts } from '../src/model/slot-facts.ts';
import { type Address, asLamports, asPriceE18, asSlot, asUsdNano } from '../src/model/units.ts';
import { SpillFolder } from '../src/store/snapshots/spill-folder.ts';
import { numberedAddress } from './numbered-addresses.ts';
import { numberedPurchase } from './numbered-purchase.ts';
import { fixed, integer, printTable } from './table.ts';

/**
 * Memory of two million wallets, where the profiles that exceed the limit are spilled to a file:
 * one profile, 1.5 positions and 1.5 rows of pools per wallet, twenty wallets per pool.
 *
 *   node --expose-gc --max-old-space-size=8192 bench/wallets-memory.ts [books|engine] [wallets] [profiles]
 *
 * `books` fills the books of wallets one after the other and reports what each adds; `engine` folds
 * swaps with their token accounts, so that every other book is included.
 */

const WALLETS = Number(process.argv[3] ?? 2_000_000);
const PROFILES = Number(process.argv[4] ?? 1_000_000);
const WALLETS_A_POOL = 20;
const POOLS = Math.ceil(WALLETS / WALLETS_A_POOL);
const TRADES = WALLETS * 1.5;
const TRADES_A_SLOT = 500;
const START_MS = Date.UTC(2026, 0, 1);
const BUDGET_BYTES = 2 * 2 ** 30;
/** As in the engine: evicts a hundredth more than necessary. */
const SPILLED_TO = 0.99;
const LAMPORTS = [100_000_000n, 250_000_000n, 137_000_000n, 500_000_000n, 77_000_000n];

/**
 * Trade `number`: the first of each wallet, then a second of every other wallet, in another pool.
 */
function tradeAt(number: number) {
  const isFirst = number < WALLETS;
  const wallet = isFirst ? number : (number - WALLETS) * 2;
  const near = Math.floor(wallet / WALLETS_A_POOL);
  const token = isFirst ? near : (near * 7 + wallet) % POOLS;
  const slot = Math.floor(number / TRADES_A_SLOT);
  return { wallet, token, slot: asSlot(1_000 + slot), timeMs: START_MS + slot * 400 };
}

function usedBytes(): number {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

const mib = (bytes: number) => integer(bytes / 2 ** 20);
const rows: string[][] = [];

/** Runs a part of the work and records the added memory. */
function note(what: string, count: number, fill: () => void): void {
  const before = usedBytes();
  const startCpu = process.cpuUsage();
  fill();
  const { user, system } = process.cpuUsage(startCpu);
  const added = usedBytes() - before;
  rows.push([
    what,
    integer(count),
    mib(added),
    fixed(added / count, 0),
    fixed((user + system) / 1e6, 1),
  ]);
}

function fillBooks(spills: SpillFolder): readonly object[] {
  const ids = new AddressIds<Address>();
  const pools = new PoolBook();
  const spill = spills.create(WALLET_LAYOUT.rowBytes);
  const wallets = new WalletBook({ ids, knownPrograms: new Set(), spill });
  const positions = new PositionBook(ids);
  const poolWallets = new PoolWalletBook(ids);
  note('numbers of wallets, mints and pools', WALLETS + 2 * POOLS, () => {
    for (let wallet = 0; wallet < WALLETS; wallet++) ids.idOf(numberedAddress(1, wallet));
    for (let token = 0; token < POOLS; token++) {
      ids.idOf(numberedAddress(2, token));
      ids.idOf(numberedAddress(3, token));
    }
  });
  const owner = (wallet: number) => ids.addressOf(wallet);
  const mint = (token: number) => ids.addressOf(WALLETS + 2 * token);
  const pool = (token: number) => ids.addressOf(WALLETS + 2 * token + 1);
  note('profiles, in memory or spilled', WALLETS, () => fillProfiles(wallets, mint));
  note('positions', TRADES, () => fillPositions(positions, mint, owner));
  note('rows of pools and pools of them', TRADES, () => {
    for (let number = 0; number < TRADES; number++) {
      const { wallet, token, slot, timeMs } = tradeAt(number);
      const volumeUsd = asUsdNano(15_000_000_000n);
      const flags = { isHop: false, isVolumeAtomic: false, isBot: false };
      const trade = { slot, txIndex: number % TRADES_A_SLOT, timeMs, volumeUsd, ...flags };
      poolWallets.applyTrade({ pool: pool(token), baseDecimals: 6 }, owner(wallet), trade);
      if (number % TRADES_A_SLOT === 0) poolWallets.takeTradedPools();
    }
    poolWallets.takeTradedPools();
  });
  note('states of pools, without wallets', POOLS, () => {
    const at = { slot: asSlot(1), timeMs: START_MS, isTimeKnown: true } as const;
    for (let token = 0; token < POOLS; token++) {
      const identity = { pool: pool(token), venue: 'raydium_cpmm', baseMint: mint(token) } as const;
      const pair = { quoteMint: WRAPPED_SOL, baseDecimals: 6, quoteDecimals: 9 };
      pools.open({ ...identity, ...pair }, at);
    }
    pools.takeChanges();
  });
  return [ids, pools, wallets, positions, poolWallets];
}

function fillProfiles(wallets: WalletBook, mint: (token: number) => Address): void {
  let evictions = 0;
  let longestMs = 0;
  for (let number = 0; number < TRADES; number++) {
    const { wallet, token, slot, timeMs } = tradeAt(number);
    const lamports = LAMPORTS[number % LAMPORTS.length] ?? null;
    const flags = { isRoundTrip: false, isFirstBuyOfMint: true, isSnipe: false, terminal: false };
    wallets.applyTrade(wallet, {
      ...{ slot, timeMs, mint: mint(token), side: 'buy', lamports, programIds: [] },
      ...flags,
    });
    if (number % TRADES_A_SLOT !== 0) continue;
    wallets.takeFlips();
    if (wallets.residentCount <= PROFILES) continue;
    const startMs = performance.now();
    evictions += wallets.evict(Math.floor(PROFILES * SPILLED_TO));
    longestMs = Math.max(longestMs, performance.now() - startMs);
  }
  wallets.takeFlips();
  const { residentCount, spilledCount } = wallets;
  console.log(
    `${integer(residentCount)} profiles in memory, ${integer(spilledCount)} spilled; ` +
      `${integer(evictions)} were spilled, the slowest time in ${integer(longestMs)} ms`,
  );
}

function fillPositions(
  positions: PositionBook,
  mint: (token: number) => Address,
  owner: (wallet: number) => Address,
): void {
  for (let number = 0; number < TRADES; number++) {
    const { wallet, token, timeMs } = tradeAt(number);
    positions.buy({
      ...{ mint: mint(token), wallet: owner(wallet), amountRaw: 1_000_000n, timeMs },
      ...{ valueUsd: asUsdNano(15_000_000_000n), netCostLamports: asLamports(5_000n) },
      ...{ isLaunchSlot: false, isCreator: false },
    });
    if (number % TRADES_A_SLOT === 0) positions.takeChanged();
  }
  positions.takeChanged();
}

function foldEngine(spills: SpillFolder): readonly object[] {
  const engine = new Engine({
    fallbackSolUsd: asPriceE18(150n * 10n ** 18n),
    bounds: { profiles: PROFILES },
    createSpill: (rowBytes) => spills.create(rowBytes),
  });
  const slots = Math.ceil(TRADES / TRADES_A_SLOT);
  let longestMs = 0;
  note('the engine, all books, by swap', TRADES, () => {
    for (let slot = 0; slot < slots; slot++) {
      const facts = slotOf(slot);
      const startMs = performance.now();
      engine.apply(facts);
      longestMs = Math.max(longestMs, performance.now() - startMs);
    }
  });
  console.log(`${JSON.stringify(engine.stateSize)}; slowest slot ${integer(longestMs)} ms`);
  return [engine];
}

function slotOf(index: number): SlotFacts {
  const transactions = Array.from({ length: TRADES_A_SLOT }, (_, txIndex) =>
    purchase(index * TRADES_A_SLOT + txIndex, txIndex),
  );
  const { slot, timeMs } = tradeAt(index * TRADES_A_SLOT);
  return {
    ...{ slot, parentSlot: asSlot(slot - 1), blockhash: null, previousBlockhash: null },
    ...{ blockTimeMs: timeMs, isWhole: true, decoderVersion: 1, voteCount: 0, transactions },
    ...{ outcomes: {}, poolMovingCount: TRADES_A_SLOT, explainedCount: TRADES_A_SLOT },
    problems: [],
  };
}

function purchase(number: number, txIndex: number): TransactionFacts {
  return numberedPurchase({ number, txIndex, ...tradeAt(number), quoteRaw: 100_000_000n });
}

const folder = mkdtempSync(join(tmpdir(), 'wallets-memory-'));
const spills = new SpillFolder(folder);
const held = process.argv[2] === 'engine' ? foldEngine(spills) : fillBooks(spills);
usedBytes();
const { rss, heapUsed, arrayBuffers } = process.memoryUsage();
printTable(
  `${integer(WALLETS)} wallets, ${integer(POOLS)} pools, room for ${integer(PROFILES)} profiles`,
  [['what', 'count', 'MiB', 'bytes each', 's of processor'], ...rows],
);
console.log(
  `\nRSS ${mib(rss)} MiB, heap ${mib(heapUsed)} MiB, buffers ${mib(arrayBuffers)} MiB: heap and ` +
    `buffers are ${fixed((100 * (heapUsed + arrayBuffers)) / BUDGET_BYTES, 0)} % of 2 GiB ` +
    `(${held.length} parts held)`,
);
spills.close();
rmSync(folder, { recursive: true });
