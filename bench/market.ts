import { MarketTable } from '../src/market/market-table.ts';
import { BASE_CANDLE_MS } from '../src/model/derived.ts';
import { NO_TOKEN_FILTER, type TokenListQuery } from '../src/model/market-listing.ts';
import type { WindowTrade } from '../src/model/market-rows.ts';
import type { PoolRecord } from '../src/model/pool-record.ts';
import type { TokenRecord } from '../src/model/token-record.ts';
import { type Address, asRawAmount, asUsdNano } from '../src/model/units.ts';
import { listTokens } from '../src/service/market-lists.ts';
import {
  buildCandle,
  buildChanges,
  buildMinute,
  buildPool,
  buildSwap,
  buildToken,
  prices,
} from '../tests/support/build-records.ts';
import { address } from '../tests/support/build-transaction.ts';
import { fixed, integer, printTable } from './table.ts';

const START_MS = 1_699_999_980_000;
/** Trades per traded token, each in a bucket of its own, by as many wallets of all. */
const TRADES = 30;
const WALLETS = 20_000;
/** One token in this many was traded within the last day. */
const TRADED_EVERY = 5;
const READS = 300;
const SLOTS = 200;
const SLOT_SWAPS = 400;
const SLOT_MS = 400;

const wide = { limit: 100, orderDir: 'desc' } as const;
const range = (figure: 'marketcap_usd' | 'liquidity_usd' | 'volume_24h_usd', min: number) => ({
  figure,
  min,
  max: null,
});
const THREE_RANGES = [
  range('marketcap_usd', 1),
  range('liquidity_usd', 20e9),
  range('volume_24h_usd', 1),
];

const QUERIES: readonly (readonly [string, TokenListQuery])[] = [
  ['three ranges, by volume', { orderBy: 'volume_24h_usd', ranges: THREE_RANGES }],
  ['three ranges, newest', { orderBy: 'newest', ranges: THREE_RANGES }],
  ['three ranges, trending', { orderBy: 'trending', ranges: THREE_RANGES }],
  ['all, by volume', { orderBy: 'volume_24h_usd', ranges: [] }],
  ['all, page 1,000', { orderBy: 'newest', ranges: [], offset: 99_900 }],
  ['search', { orderBy: 'volume_24h_usd', ranges: [], search: 'name 77' }],
].map(([name, query]) => [name, { ...NO_TOKEN_FILTER, ...wide, ...(query as object) }] as never);

/** Lists tokens by ranges from the table in memory, and prints what it takes. */
export function benchMarket(tokens: number): void {
  const records = new Map<Address, TokenRecord>();
  const pools = new Map<Address, PoolRecord>();
  const engine = {
    timeMs: START_MS + TRADES * BASE_CANDLE_MS,
    token: (mint: Address) => records.get(mint) ?? null,
    pool: (pool: Address) => pools.get(pool) ?? null,
    lpMintOf: () => null,
  };
  for (let number = 0; number < tokens; number++) addRecords(records, pools, number);
  globalThis.gc?.();
  const before = process.memoryUsage();
  const table = new MarketTable(engine, () => null);
  table.putStoredPools([...pools.values()]);
  table.putStoredTokens([...records.values()]);
  table.putStoredIndicators(
    [...records.values()].map(({ mint, primaryPool }) => {
      return buildMinute(primaryPool ?? mint, START_MS, { baseMint: mint }).record;
    }),
  );
  const fillMs = fill(table, tokens);
  globalThis.gc?.();
  const after = process.memoryUsage();
  const slotMs = followMs(table, tokens, engine.timeMs);
  const { counts } = table;
  const rows = QUERIES.map(([name, query]) => [name, ...timesOf(table, engine, query)]);
  const used = after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers;
  printTable(`100 of ${integer(tokens)} tokens from memory`, [
    ['list', 'p50 ms', 'p99 ms'],
    ...rows,
  ]);
  printTable('The table', [
    ['figure', 'value'],
    ['pools and mints traded in 24 h', integer(counts.scopes)],
    ['buckets of 30 s', integer(counts.buckets)],
    ['traders by pool and mint', integer(counts.traders)],
    ['memory counted, MB', fixed(sumOf(Object.values(table.allocatedBytes)) / 1e6, 0)],
    ['memory of all, MB', fixed(used / 1e6, 0)],
    ['filling, µs per trade', fixed(fillMs * 1_000, 1)],
    [`slot of ${SLOT_SWAPS} swaps, ms`, fixed(slotMs, 2)],
  ]);
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

function addRecords(
  records: Map<Address, TokenRecord>,
  pools: Map<Address, PoolRecord>,
  number: number,
): void {
  const mint = address(`token ${number}`);
  const pool = address(`pool ${number}`);
  const supplyRaw = asRawAmount(10n ** 15n);
  const priceUsd = prices(BigInt(number) * 10n ** 12n).open;
  const texts = { name: `name ${number}`, symbol: `N${number}` };
  const createdAtMs = START_MS - number * 1_000;
  const token = { ...texts, supplyRaw, priceUsd, primaryPool: pool, createdAtMs };
  records.set(mint, buildToken(mint, token));
  const liquidityUsd = asUsdNano(BigInt(number % 100) * 10n ** 9n);
  pools.set(pool, buildPool(pool, mint, { priceUsd, liquidityUsd, venue: 'pump' }));
}

/** Milliseconds per trade. */
function fill(table: MarketTable, tokens: number): number {
  let count = 0;
  const start = performance.now();
  for (let bucket = 0; bucket < TRADES; bucket++) {
    const timeMs = START_MS + bucket * BASE_CANDLE_MS;
    const trades: WindowTrade[] = [];
    for (let number = 0; number < tokens; number += TRADED_EVERY) {
      trades.push({
        timeMs,
        pool: address(`pool ${number}`),
        baseMint: address(`token ${number}`),
        trader: address(`wallet ${(number * 7 + bucket * 13) % WALLETS}`),
        side: bucket % 2 === 0 ? 'buy' : 'sell',
        valueUsd: asUsdNano(BigInt(number + 1) * 10n ** 6n),
        isOrganic: number % 2 === 0,
      });
    }
    const candles = trades.flatMap(({ pool, baseMint, valueUsd }) =>
      [pool, baseMint].map((scope) =>
        buildCandle(scope, timeMs, { volumeUsd: valueUsd ?? asUsdNano(0n) }),
      ),
    );
    table.addPortion({ candles, trades });
    count += trades.length;
  }
  return (performance.now() - start) / count;
}

/** Milliseconds per slot. */
function followMs(table: MarketTable, tokens: number, fromMs: number): number {
  let spent = 0;
  for (let number = 0; number < SLOTS; number++) {
    const timeMs = fromMs + number * SLOT_MS;
    const slot = Math.floor(fromMs / 1_000) + number;
    const openMs = Math.floor(timeMs / BASE_CANDLE_MS) * BASE_CANDLE_MS;
    const swaps = Array.from({ length: SLOT_SWAPS }, (_, at) => {
      const token = (number * 31 + at * 17) % tokens;
      const swap = {
        baseMint: address(`token ${token}`),
        trader: address(`wallet ${(number + at * 3) % WALLETS}`),
      };
      const of = address(`pool ${token}`);
      return buildSwap(of, 'swap', { slot: slot as never, timeMs, swap });
    });
    const candles = swaps.flatMap(({ swap }) =>
      [swap.pool, swap.baseMint].map((scope) => buildCandle(scope, openMs)),
    );
    const changes = buildChanges(slot, { timeMs, swaps, candles });
    const start = performance.now();
    table.apply(changes);
    spent += performance.now() - start;
    if (number > 32) table.finalise((slot - 32) as never);
  }
  return spent / SLOTS;
}

function timesOf(
  table: MarketTable,
  engine: Parameters<typeof listTokens>[1],
  query: TokenListQuery,
): string[] {
  const samples: number[] = [];
  for (let read = 0; read < READS; read++) {
    const start = performance.now();
    listTokens(table, engine, query);
    samples.push(performance.now() - start);
  }
  samples.sort((one, other) => one - other);
  const at = (share: number) => fixed(samples[Math.floor(READS * share)] ?? Number.NaN, 2);
  return [at(0.5), at(0.99)];
}
