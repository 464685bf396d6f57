import { expect, vi } from 'vitest';
import {
  MARKET_WINDOWS,
  type MarketWindow,
  type WindowFigures,
} from '../../src/model/market-window.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import type { Address, UsdNano } from '../../src/model/units.ts';
import { formatDollars, type HttpTrade, type Row, readRows, readTrades } from './http-trades.ts';
import type { MarketReader } from './market-readers/market-reader.ts';
import { naiveCandles, naiveSums, type WireCandle } from './naive-candles.ts';
import { type ListedTrade, naiveWindows } from './naive-windows.ts';

const SECOND_MS = 1_000;
/** Finer than the stored candles, the stored ones, and merges of them. */
export const INTERVALS = {
  '1s': SECOND_MS,
  '30s': 30 * SECOND_MS,
  '5m': 300 * SECOND_MS,
  '1d': 86_400 * SECOND_MS,
} as const;
/** At most so many candles are read at a time. */
const CANDLES_MAX = 10_000;
const DAY_MS = 86_400_000;
const EXPORT_DAYS_MAX = 366;

const iso = (timeMs: number) => new Date(timeMs).toISOString();

/** A token with its pools that have trades. */
interface Traded {
  readonly mint: string;
  readonly trades: readonly HttpTrade[];
  readonly pools: ReadonlyMap<string, readonly HttpTrade[]>;
}

/** Spans that contain all times, which do not decrease, and that an export may have. */
function spansOf(times: Iterable<number>): string[] {
  const spans: string[] = [];
  let toMs = 0;
  for (const timeMs of times) {
    if (timeMs < toMs) continue;
    toMs = timeMs + EXPORT_DAYS_MAX * DAY_MS;
    spans.push(`from=${iso(timeMs)}&to=${iso(toMs)}`);
  }
  return spans;
}

/** The times of the slots that trade each token, which do not decrease. */
function timesByMint(slots: readonly SlotFacts[]): ReadonlyMap<string, readonly number[]> {
  const times = new Map<string, number[]>();
  let nowMs = 0;
  for (const { blockTimeMs, transactions } of slots) {
    nowMs = Math.max(nowMs, blockTimeMs ?? 0);
    const events = transactions.flatMap((transaction) => transaction.events);
    for (const mint of new Set(
      events.flatMap((one) => (one.kind === 'swap' ? one.baseMint : [])),
    )) {
      const ofMint = times.get(mint);
      if (ofMint === undefined) times.set(mint, [nowMs]);
      else ofMint.push(nowMs);
    }
  }
  return times;
}

/** Reads the trades of all tokens that the slots trade, in spans that an export may have. */
async function readAll(
  reader: MarketReader,
  slots: readonly SlotFacts[],
): Promise<readonly Traded[]> {
  const traded: Traded[] = [];
  for (const [mint, times] of timesByMint(slots)) {
    const trades = await readTrades(reader, mint, spansOf(times));
    const pools = Map.groupBy(trades, ({ pool }) => pool);
    if (trades.length > 0) traded.push({ mint, trades, pools });
  }
  return traded;
}

/** Reads the candles around all trades, in as few ranges as possible. */
async function* candleRanges(trades: readonly HttpTrade[], intervalMs: number) {
  const starts = new Set(trades.map(({ timeMs }) => timeMs - (timeMs % intervalMs)));
  let fromMs = Number.NEGATIVE_INFINITY;
  for (const start of starts) {
    if (start < fromMs + CANDLES_MAX * intervalMs) continue;
    fromMs = start;
    yield [fromMs, fromMs + CANDLES_MAX * intervalMs] as const;
  }
}

interface Scope {
  readonly mint: string;
  /** Null for all pools of the token. */
  readonly pool: string | null;
  readonly trades: readonly HttpTrade[];
  /** False for a token whose trades do not say which of them give it a price. */
  readonly hasPrices: boolean;
}

/** Of a token with several pools, what does not depend on its price. */
function shownOf({ hasPrices }: Scope, candle: WireCandle): Partial<WireCandle> {
  return hasPrices ? candle : { timestamp: candle.timestamp, volume: candle.volume };
}

async function expectCandles(
  reader: MarketReader,
  scope: Scope,
  intervals: readonly string[],
): Promise<number> {
  let compared = 0;
  const path = `token_address=${scope.mint}${scope.pool === null ? '' : `&pair_address=${scope.pool}`}`;
  for (const view of ['all', 'organic'] as const) {
    const own = scope.trades.filter(({ isOrganic }) => view === 'all' || isOrganic);
    for (const interval of intervals) {
      const intervalMs = INTERVALS[interval as keyof typeof INTERVALS];
      const expected = naiveCandles(own, intervalMs);
      for await (const [fromMs, toMs] of candleRanges(own, intervalMs)) {
        const range = `&start=${iso(fromMs)}&end=${iso(toMs)}&interval=${interval}&view=${view}`;
        const body = await reader.json<{ timeframes: Record<string, readonly WireCandle[]> }>(
          `/v1/market/ohlc?${path}${range}`,
        );
        const served = body.timeframes[interval] ?? [];
        const inRange = expected.filter(({ timestamp }) => {
          const timeMs = Date.parse(timestamp);
          return timeMs >= fromMs && timeMs < toMs;
        });
        const shown = (candle: WireCandle) => shownOf(scope, candle);
        // Before the first price of a token there is no candle, which its trades do not say.
        const known = scope.hasPrices ? inRange : inRange.slice(inRange.length - served.length);
        expect(served.map(shown), `${path}${range}`).toEqual(known.map(shown));
        compared += served.length;
      }
    }
  }
  return compared;
}

/** The exported candles of 30 seconds have the raw sums of the trades in them. */
async function expectSums(reader: MarketReader, scope: Scope): Promise<number> {
  const openMs = (timeMs: number) => timeMs - (timeMs % INTERVALS['30s']);
  const filter = scope.pool === null ? `token_address=${scope.mint}` : `pair_address=${scope.pool}`;
  const rows: Row[] = [];
  for (const span of spansOf(scope.trades.map(({ timeMs }) => openMs(timeMs)))) {
    rows.push(...(await readRows(reader, `/v1/export/candles.csv?${span}&${filter}`)));
  }
  const counted = scope.trades.filter(({ exclusion }) => exclusion !== 'quarantined');
  const buckets = [...Map.groupBy(counted, ({ timeMs }) => openMs(timeMs))];
  const expected = buckets.map(([timeMs, own]) => {
    const { price_setting_token_volume_raw, price_setting_volume_usd_nano, ...sums } = naiveSums(
      own,
      scope.pool !== null,
    );
    const prices = { price_setting_token_volume_raw, price_setting_volume_usd_nano };
    return { timestamp: iso(timeMs), ...sums, ...(scope.hasPrices ? prices : {}) };
  });
  const names = Object.keys(expected[0] ?? {});
  const shown = rows.map((row) => Object.fromEntries(names.map((name) => [name, row[name]])));
  expect(shown, filter).toEqual(expected);
  return rows.length;
}

type WireWindows = Readonly<Record<MarketWindow, Readonly<Record<string, unknown>>>>;

/** The windows of a pool, once the service has read the trades before its start. */
async function readWindows(reader: MarketReader, pool: string): Promise<WireWindows> {
  const read = async () => {
    const { windows } = await reader.json<{ windows: WireWindows | null }>(`/v1/pools/${pool}`);
    if (windows === null) throw new Error('the windows are still being read');
    return windows;
  };
  return await vi.waitFor(read, { timeout: 150_000 });
}

/** The windows of a pool are those of the listed trades. */
function expectWindows(windows: WireWindows, scope: string, scopeTrades: Scope, nowMs: number) {
  const listed = scopeTrades.trades
    .filter(({ exclusion }) => exclusion !== 'quarantined')
    .map(
      (trade): ListedTrade => ({
        ...{ timeMs: trade.timeMs, side: trade.side, baseRaw: trade.baseRaw },
        ...{ pool: trade.pool as Address, mint: trade.mint as Address },
        ...{ trader: trade.trader as Address | null, isOrganic: trade.isOrganic },
        valueUsd: trade.valueUsd as UsdNano | null,
        price: trade.exclusion === null ? trade.priceUsd : null,
      }),
    );
  const expected = naiveWindows(listed, scope as Address, nowMs);
  for (const window of MARKET_WINDOWS) {
    const { from: _, price_change: change, ...served } = windows[window];
    expect(served, `${scope} ${window}`).toEqual(wireWindow(expected[window]));
    if (!scopeTrades.hasPrices) continue;
    const { priceChange } = expected[window];
    expect(change, `${scope} ${window}`).toBe(priceChange === null ? null : priceChange.toFixed(4));
  }
}

function wireWindow(figures: WindowFigures) {
  const { trades, buys, sells, buyers, sellers, volumeUsd, organicVolumeUsd } = figures;
  return {
    ...{ trades, buys, sells, buyers, sellers },
    volume_usd: formatDollars(volumeUsd),
    organic_volume_usd: formatDollars(organicVolumeUsd),
  };
}

/** Whether the token has one pool, also of those without trades: only that gives it a price. */
async function isOfOnePool(reader: MarketReader, mint: string): Promise<boolean> {
  const { total } = await reader.json<{ total: number }>(`/v1/pools?token_address=${mint}`);
  return total === 1;
}

/**
 * Compares candles, exported sums and windows of all traded tokens with the trades that the API lists.
 * Returns how many were compared. `slots` are all that the service has applied.
 */
export async function expectSumsOfTrades(
  reader: MarketReader,
  slots: readonly SlotFacts[],
  intervals: readonly string[],
) {
  const all = await readAll(reader, slots);
  const nowMs = slots.reduce((now, { blockTimeMs }) => Math.max(now, blockTimeMs ?? 0), 0);
  const compared = { trades: 0, candles: 0, sums: 0, windows: 0 };
  for (const { mint, trades, pools } of all) {
    compared.trades += trades.length;
    const hasPrices = await isOfOnePool(reader, mint);
    const token = { mint, pool: null, trades, hasPrices };
    const scopes = [...pools].map(([pool, own]) => ({ mint, pool, trades: own, hasPrices: true }));
    for (const scope of [token, ...scopes]) {
      compared.candles += await expectCandles(reader, scope, intervals);
      compared.sums += await expectSums(reader, scope);
    }
    for (const scope of scopes) {
      expectWindows(await readWindows(reader, scope.pool), scope.pool, scope, nowMs);
      compared.windows++;
    }
  }
  return compared;
}
