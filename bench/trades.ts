import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CurrentTrades } from '../src/ingestion/current-trades.ts';
import { CurrentTradeLabels } from '../src/ingestion/trade-labels.ts';
import { UnwrittenRows } from '../src/ingestion/unwritten-rows.ts';
import type { PricedSwap, SlotChanges } from '../src/model/derived.ts';
import type { TradeQuery } from '../src/model/trade.ts';
import { type Address, asSlot, asUsdNano } from '../src/model/units.ts';
import { openStore, type Store } from '../src/store/store.ts';
import { buildBundle, buildChanges, buildSwap } from '../tests/support/build-records.ts';
import { address, signature } from '../tests/support/build-transaction.ts';
import { itemAt } from './item-at.ts';
import { fixed, integer, printTable } from './table.ts';

const TOKENS = 20_000;
/** Every third token has a second pool. */
const POOLS_PER_TOKEN = 2;
const WALLETS = 100_000;
const SWAPS_PER_SLOT = 500;
const BATCH_SLOTS = 20;
const SLOT_MS = 400;
const START_MS = 1_700_000_000_000;
const SIGNATURES = 2_000;
const READS = 300;
const WARM_READS = 20;

/**
 * Writes swaps whose tokens, pools and wallets are as unequal as on the chain (the share of the
 * n-th is about 1/n), then reads pages of trades.
 */
export async function benchTrades(swaps: number): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'mintscope-bench-'));
  const store = await openStore({ dataDir });
  const start = performance.now();
  const { market, slots } = await writeTrades(store, swaps);
  const seconds = (performance.now() - start) / 1_000;
  printTable(`embedded store, ${integer(swaps)} swaps of ${integer(TOKENS)} tokens`, [
    ['measure', 'value'],
    ['swaps/s written (by pool, token and wallet), fsynced', integer(swaps / seconds)],
  ]);
  const rows: string[][] = [];
  for (const [name, query] of market.queries(START_MS + (slots * SLOT_MS) / 2)) {
    rows.push(await readPages(store, name, query));
  }
  printTable('a page of 100 trades, with their labels', [
    ['trades', 'mean found', 'p50 ms', 'p99 ms'],
    ...rows,
  ]);
  await store.close();
  rmSync(dataDir, { recursive: true, force: true });
}

/** Writes the trades of a market into a new store. */
export async function writeTrades(store: Store, swaps: number) {
  const market = new Market();
  const slots = Math.ceil(swaps / SWAPS_PER_SLOT);
  for (let slot = 1; slot <= slots; slot += BATCH_SLOTS) {
    const changes = Array.from({ length: Math.min(BATCH_SLOTS, slots - slot + 1) }, (_, index) =>
      market.slot(slot + index),
    );
    await store.writer.writeBatch({ slots: [], changes, epoch: 1 });
  }
  store.cursor.write({ epoch: 1, slot: asSlot(slots), isDirty: false });
  return { market, slots };
}

type QueryOf = (read: number) => TradeQuery;

const ANY = {
  mint: null,
  pool: null,
  wallet: null,
  fromMs: null,
  toMs: null,
  side: null,
  valueUsdMin: null,
  class: 'all',
  view: 'all',
  before: null,
  limit: 100,
} as const satisfies TradeQuery;

class Market {
  private readonly tokens = names('token', TOKENS);
  private readonly pools = names('pool', TOKENS * POOLS_PER_TOKEN);
  private readonly wallets = names('wallet', WALLETS);
  private readonly signatures = Array.from({ length: SIGNATURES }, (_, index) =>
    signature(`bench signature ${index}`),
  );
  /** A linear congruential generator, so that every run writes the same rows. */
  private state = 1;

  slot(slot: number): SlotChanges {
    const swaps = Array.from({ length: SWAPS_PER_SLOT }, (_, txIndex) => this.swap(slot, txIndex));
    const [first] = swaps;
    const bundles =
      first?.swap.trader == null
        ? []
        : [buildBundle(first.swap.baseMint, '', { slot: asSlot(slot), owner: first.swap.trader })];
    return buildChanges(slot, { timeMs: START_MS + slot * SLOT_MS, swaps, bundles });
  }

  /** Keys are drawn by trade weight, as requests are. */
  queries(middleMs: number): [string, QueryOf][] {
    const token = () => itemAt(this.tokens, this.zipf(TOKENS));
    const pool = () => itemAt(this.pools, this.zipf(TOKENS) * POOLS_PER_TOKEN);
    const wallet = () => itemAt(this.wallets, this.zipf(WALLETS));
    return [
      ['of a token', () => ({ ...ANY, mint: token() })],
      ['of the most traded token', () => ({ ...ANY, mint: itemAt(this.tokens, 0) })],
      ['of a pool', () => ({ ...ANY, pool: pool() })],
      ['of a wallet', () => ({ ...ANY, wallet: wallet() })],
      ['of a token, before the middle', () => ({ ...ANY, mint: token(), toMs: middleMs })],
      [
        'of a token, organic sales',
        () => ({ ...ANY, mint: token(), side: 'sell', class: 'organic' }),
      ],
      ['of a token, from 900 dollars', () => ({ ...ANY, mint: token(), valueUsdMin: LARGE })],
      ['of a token, as users see them', () => ({ ...ANY, mint: token(), view: 'user' })],
      ['of a wallet, as users see them', () => ({ ...ANY, wallet: wallet(), view: 'user' })],
    ];
  }

  private swap(slot: number, txIndex: number): PricedSwap {
    const token = this.zipf(TOKENS);
    const second = token % 3 === 0 && this.next() < 0.2 ? 1 : 0;
    const side = this.next() < 0.5 ? 'buy' : 'sell';
    const isOrganic = this.next() < 0.4;
    return {
      ...buildSwap(itemAt(this.pools, token * POOLS_PER_TOKEN + second), '', {
        slot: asSlot(slot),
        txIndex,
        timeMs: START_MS + slot * SLOT_MS,
        isOrganic,
        valueUsd: asUsdNano(BigInt(Math.floor(this.next() * 1_000)) * 10n ** 9n),
        walletClass: isOrganic ? 'organic' : 'bot',
        swap: {
          side,
          baseMint: itemAt(this.tokens, token),
          trader: itemAt(this.wallets, this.zipf(WALLETS)),
        },
      }),
      signature: itemAt(this.signatures, (slot * 7 + txIndex) % SIGNATURES),
    };
  }

  private next(): number {
    this.state = (this.state * 48_271) % 2_147_483_647;
    return this.state / 2_147_483_647;
  }

  /** An index below `count`; that of n has a weight of about 1/(n + 1). */
  private zipf(count: number): number {
    return Math.floor(count ** this.next()) - 1;
  }
}

const LARGE = asUsdNano(900n * 10n ** 9n);

function names(kind: string, count: number): Address[] {
  return Array.from({ length: count }, (_, index) => address(`bench ${kind} ${index}`));
}

async function readPages(store: Store, name: string, queryOf: QueryOf): Promise<string[]> {
  const unwritten = new UnwrittenRows(() => []);
  const labels = new CurrentTradeLabels(store.tradeLabels, unwritten, () => null);
  const trades = new CurrentTrades({ stored: store.trades, unwritten, labels, finalSlot: -1 });
  const samples: number[] = [];
  let found = 0;
  for (let read = -WARM_READS; read < READS; read++) {
    const start = performance.now();
    const page = await trades.page(queryOf(read));
    if (read < 0) continue;
    samples.push(performance.now() - start);
    found += page.trades.length;
  }
  samples.sort((one, other) => one - other);
  const at = (share: number) => fixed(samples[Math.floor(samples.length * share)] ?? Number.NaN, 1);
  return [name, fixed(found / READS, 0), at(0.5), at(0.99)];
}
