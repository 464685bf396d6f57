import { readIndicators } from '../src/fold/indicators/indicators.ts';
import { PoolWalletBook } from '../src/fold/indicators/pool-wallet-book.ts';
import type { PositionView } from '../src/fold/indicators/position-view.ts';
import { SmartFlowBook } from '../src/fold/indicators/smart-flow.ts';
import { SmartHolderBook } from '../src/fold/indicators/smart-holders.ts';
import { AddressIds } from '../src/lib/address-ids.ts';
import { UndoLog } from '../src/lib/undo-log.ts';
import { type Address, asPriceE18, asRawAmount, asSlot, asUsdNano } from '../src/model/units.ts';
import { address } from '../tests/support/build-transaction.ts';
import { itemAt } from './item-at.ts';
import { timeInRounds } from './rounds.ts';
import { fixed, integer, printTable } from './table.ts';

const DOLLAR = 1_000_000_000n;
const TRADES_A_ROUND = 20_000;
const TRADES_A_SLOT = 500;
const UNDO_SLOTS = 64;
const ROUNDS = 15;
const READS = 200;
const LARGE_POOL_WALLETS = 100_000;
const MANY_POOLS = 100_000;
const WALLETS_A_POOL = 20;

/** Pool indicators: the rate of trades, the time to read a large pool, the memory of rows. */
export function benchIndicators(): void {
  benchTrades();
  benchReading();
  benchPoolMemory();
}

/** Trades, each with the resulting position, on pools of all sizes. */
function benchTrades(): void {
  const markets = [
    { name: '1,000 pools of 20 wallets', pools: 1_000, wallets: 20, canUndo: false },
    { name: '10 pools of 20,000 wallets, in trees', pools: 10, wallets: 20_000, canUndo: false },
    { name: '1,000 pools of 20 wallets, can be undone', pools: 1_000, wallets: 20, canUndo: true },
    {
      name: '10 pools of 20,000 wallets, can be undone',
      pools: 10,
      wallets: 20_000,
      canUndo: true,
    },
  ].map(({ name, ...size }) => ({ name, market: new Market(size) }));
  const timings = timeInRounds(
    markets.map(({ name, market }) => ({ name, run: () => market.trade(TRADES_A_ROUND) })),
    ROUNDS,
  );
  printTable('PoolWalletBook: applyTrade and positionChanged', [
    ['market', 'trades/s, median', 'µs a trade, best'],
    ...timings.map(({ name, unitsPerSecond, bestMs }) => [
      name,
      integer(unitsPerSecond),
      fixed((bestMs * 1_000) / TRADES_A_ROUND, 2),
    ]),
  ]);
}

/** All figures of one pool, at prices between its wallets' costs. */
function benchReading(): void {
  const tasks = [512, LARGE_POOL_WALLETS].map((wallets) => {
    const market = new Market({ pools: 1, wallets, canUndo: false });
    market.trade(100_000);
    return { name: `${integer(wallets)} wallets`, run: () => market.read(READS) };
  });
  printTable('All indicators of a pool', [
    ['pool', 'µs a reading, median'],
    ...timeInRounds(tasks, ROUNDS).map(({ name, medianMs }) => [
      name,
      fixed((medianMs * 1_000) / READS, 1),
    ]),
  ]);
}

/** Bytes of a pool and of a trader in it; addresses are shared with other books and not counted. */
function benchPoolMemory(): void {
  const { gc } = globalThis;
  if (gc === undefined) {
    console.log('SKIPPED the memory of indicators: run with --expose-gc');
    return;
  }
  const used = () => {
    gc();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const ids = new AddressIds<Address>();
  const pools = Array.from({ length: MANY_POOLS }, (_, index) => address(`p${index}`));
  const wallets = Array.from({ length: MANY_POOLS * 10 }, (_, index) => address(`w${index}`));
  for (const address of [...pools, ...wallets]) ids.idOf(address);
  const before = used();
  const book = new PoolWalletBook(ids);
  for (const [place, pool] of pools.entries())
    book.applyTrade({ pool, baseDecimals: 6 }, itemAt(wallets, place), tradeOf(1));
  book.takeTradedPools();
  const withPools = used();
  for (const [place, pool] of pools.entries()) {
    for (let index = 1; index < WALLETS_A_POOL; index++) {
      const wallet = itemAt(wallets, (place * 7 + index * 50_021) % wallets.length);
      book.applyTrade({ pool, baseDecimals: 6 }, wallet, tradeOf(1));
    }
  }
  book.takeTradedPools();
  const withRows = used();
  printTable(
    `Memory of ${integer(MANY_POOLS)} pools and ${integer(book.traderCount)} traders in them`,
    [
      ['what', 'bytes each', 'MiB'],
      [
        'a pool with one trader',
        integer((withPools - before) / MANY_POOLS),
        mib(withPools - before),
      ],
      [
        'another trader in a pool',
        integer((withRows - withPools) / (book.traderCount - MANY_POOLS)),
        mib(withRows - withPools),
      ],
    ],
  );
}

/** Pools whose wallets trade in random order. */
class Market {
  private readonly undo: UndoLog;
  private readonly canUndo: boolean;
  private readonly book: PoolWalletBook;
  private readonly flows = new SmartFlowBook(new AddressIds());
  private readonly holders = new SmartHolderBook(new AddressIds());
  private readonly pools: Address[];
  private readonly wallets: Address[];
  private slot = 0;
  private state = 1;

  constructor({ pools, wallets, canUndo }: { pools: number; wallets: number; canUndo: boolean }) {
    this.undo = new UndoLog(canUndo ? UNDO_SLOTS + 1 : 0);
    this.canUndo = canUndo;
    this.book = new PoolWalletBook(new AddressIds(this.undo), this.undo);
    this.pools = Array.from({ length: pools }, (_, index) => address(`p${index}`));
    this.wallets = Array.from({ length: wallets }, (_, index) => address(`w${index}`));
    for (const pool of this.pools) {
      for (const wallet of this.wallets) this.tradeOnce(pool, wallet);
      // The first reading builds the tree of a large pool.
      this.book.profits(pool, asPriceE18(1n));
    }
  }

  trade(count: number): number {
    for (let index = 0; index < count; index++) {
      if (index % TRADES_A_SLOT === 0) this.nextSlot();
      this.tradeOnce(
        itemAt(this.pools, this.draw(this.pools.length)),
        itemAt(this.wallets, this.draw(this.wallets.length)),
      );
    }
    return count;
  }

  read(count: number): number {
    const [pool = address('none')] = this.pools;
    const volume = {
      buyVolumeUsd: asUsdNano(DOLLAR),
      sellVolumeUsd: asUsdNano(DOLLAR),
      quoteVolumeRaw: asRawAmount(1n),
      pricedQuoteVolumeRaw: asRawAmount(1n),
    };
    let wallets = 0;
    for (let index = 0; index < count; index++) {
      const priceUsd = asPriceE18(BigInt(1 + this.draw(1_000_000)) * 10n ** 12n);
      const books = { poolWallets: this.book, smartFlows: this.flows, smartHolders: this.holders };
      const isSmartHolder = () => true;
      const moment = {
        slot: asSlot(1),
        nowMs: 10 ** 9,
        mintOriginMs: 0,
        rawHolders: 1,
        isSmartHolder,
      };
      const record = readIndicators(books, { ...volume, pool, baseMint: pool, priceUsd }, moment);
      wallets += record.organicProfitableWallets ?? 0;
    }
    return wallets > 0 ? count : 0;
  }

  private nextSlot(): void {
    this.slot++;
    if (!this.canUndo) return;
    this.undo.close();
    if (this.undo.size > UNDO_SLOTS) this.undo.forget(1);
    this.undo.open();
  }

  private tradeOnce(pool: Address, wallet: Address): void {
    this.book.applyTrade({ pool, baseDecimals: 6 }, wallet, tradeOf(this.slot, this.draw(1_000)));
    this.book.positionChanged(pool, wallet, this.drawPosition());
  }

  private drawPosition(): PositionView {
    const costUsd = asUsdNano(BigInt(1 + this.draw(1_000_000)) * 10n ** 6n);
    return {
      hasKnownBuy: true,
      isOpen: true,
      heldRaw: asRawAmount(BigInt(1 + this.draw(1_000_000)) * 10n ** 4n),
      costUsd,
      realisedUsd: asUsdNano(BigInt(this.draw(100_000)) * 10n ** 6n),
      grossCostUsd: costUsd,
      acquiredS: this.draw(100_000),
      closedHold: this.draw(1_000_000),
      closedRaw: this.draw(1_000),
    };
  }

  private draw(below: number): number {
    this.state = (Math.imul(this.state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.state / 2 ** 32) * below);
  }
}

function tradeOf(slot: number, txIndex = 0) {
  return {
    slot: asSlot(slot),
    txIndex,
    timeMs: slot * 400,
    volumeUsd: asUsdNano(5n * DOLLAR),
    isHop: false,
    isVolumeAtomic: false,
    isBot: false,
  };
}

function mib(bytes: number): string {
  return fixed(bytes / 2 ** 20, 0);
}
