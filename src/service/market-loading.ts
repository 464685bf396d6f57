import { setImmediate as nextTurn } from 'node:timers/promises';
import type { MarketTable } from '../market/market-table.ts';
import type { MarketPortion } from '../model/market-rows.ts';
import { windowStartMs } from '../model/market-window.ts';
import { asAddress, asSlot, type Slot } from '../model/units.ts';
import type { ChangedRecords } from '../store/reads/changed-records.ts';
import type { KeyPage, MarketHistory } from '../store/reads/market-history.ts';

/** What a table of the market is filled from. */
export interface MarketRowsSource {
  readonly changed: Pick<ChangedRecords, 'tokens' | 'pools'>;
  readonly market: Pick<MarketHistory, 'portion' | 'indicators' | 'findings'>;
}

export interface LoadingRange {
  readonly epoch: number;
  /** Rows of this slot and later ones are left out. */
  readonly beforeSlot: Slot;
  /** The time of the newest slot. */
  readonly nowMs: number;
}

const PAGE = 500;
/** Rows that are added per turn of the event loop: about two milliseconds. */
const ROWS_PER_TURN = 500;
/** Rows that a portion should have. Its range is adapted to that within these limits. */
const PORTION_ROWS = 10_000;
const PORTION_MS_MIN = 30_000;
const PORTION_MS_MAX = 3_600_000;

/**
 * Fills a table from stored rows, in portions between which other work can be done. Stops early when
 * `isCurrent` is false.
 */
export async function loadMarket(
  table: MarketTable,
  source: MarketRowsSource,
  range: LoadingRange,
  isCurrent: () => boolean,
): Promise<void> {
  await loadRecords(table, source, range, isCurrent);
  const endMs = range.nowMs + 1;
  let lengthMs = PORTION_MS_MIN;
  for (let fromMs = windowStartMs('24h', range.nowMs); fromMs < endMs && isCurrent(); ) {
    const toMs = Math.min(endMs, fromMs + lengthMs);
    const portion = await source.market.portion({ fromMs, toMs, beforeSlot: range.beforeSlot });
    for (const part of partsOf(portion)) {
      if (!isCurrent()) return;
      table.addPortion(part);
      await nextTurn();
    }
    fromMs = toMs;
    lengthMs = nextLength(lengthMs, portion.candles.length + portion.trades.length);
  }
}

async function loadRecords(
  table: MarketTable,
  { changed, market }: MarketRowsSource,
  { epoch, beforeSlot }: LoadingRange,
  isCurrent: () => boolean,
): Promise<void> {
  const records = { epoch, afterSlot: null, throughSlot: asSlot(Math.max(0, beforeSlot - 1)) };
  const query = ({ after, limit }: KeyPage) => ({
    ...records,
    afterAddress: after === '' ? ('' as const) : asAddress(after),
    limit,
  });
  const load = async <Row>(
    read: (page: KeyPage) => Promise<readonly Row[]>,
    { keyOf, put }: { keyOf: (row: Row) => string; put: (rows: readonly Row[]) => void },
  ) => {
    let after = '';
    for (let isLast = false; !isLast && isCurrent(); ) {
      const rows = await read({ after, limit: PAGE });
      if (!isCurrent()) return;
      put(rows);
      const last = rows.at(-1);
      isLast = rows.length < PAGE || last === undefined;
      if (last !== undefined) after = keyOf(last);
      await nextTurn();
    }
  };
  await load((page) => changed.pools(query(page)), {
    keyOf: ({ pool }) => pool,
    put: (rows) => table.putStoredPools(rows),
  });
  await load((page) => changed.tokens(query(page)), {
    keyOf: ({ mint }) => mint,
    put: (rows) => table.putStoredTokens(rows),
  });
  await load((page) => market.indicators(page), {
    keyOf: ({ pool }) => pool,
    put: (rows) => table.putStoredIndicators(rows),
  });
  await load((page) => market.findings(page), {
    keyOf: ({ id }) => id,
    put: (rows) => table.putStoredFindings(rows),
  });
}

/** Parts in order of time: a candle precedes the trades from its begin on. */
function* partsOf({ candles, trades }: MarketPortion): Generator<MarketPortion> {
  let trade = 0;
  for (let candle = 0; candle < candles.length; candle += ROWS_PER_TURN) {
    const part = candles.slice(candle, candle + ROWS_PER_TURN);
    const untilMs = candles[candle + ROWS_PER_TURN]?.openTimeMs ?? Number.POSITIVE_INFINITY;
    const first = trade;
    while ((trades[trade]?.timeMs ?? Number.POSITIVE_INFINITY) < untilMs) trade++;
    yield { candles: part, trades: trades.slice(first, trade) };
  }
  if (trade < trades.length) yield { candles: [], trades: trades.slice(trade) };
}

function nextLength(lengthMs: number, rows: number): number {
  const wantedMs = rows === 0 ? lengthMs * 4 : (lengthMs * PORTION_ROWS) / rows;
  const boundedMs = Math.min(PORTION_MS_MAX, Math.max(PORTION_MS_MIN, wantedMs));
  return Math.floor(boundedMs / PORTION_MS_MIN) * PORTION_MS_MIN;
}
