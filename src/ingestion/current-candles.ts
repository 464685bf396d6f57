import { bucketStart, mergeCandles } from '../aggregates/candle-merge.ts';
import { candlesOfSwaps } from '../aggregates/swap-candles.ts';
import { BASE_CANDLE_MS, type Candle, type PricedSwap } from '../model/derived.ts';
import type { Address } from '../model/units.ts';
import type { CandleRangeQuery, StoredCandles } from '../store/reads/candles.ts';
import { swapKey, type UnwrittenRows } from './unwritten-rows.ts';

/**
 * Candles up to the newest slot: those in SQL, with what is folded and not written put over them.
 * Answers what SQL alone would answer if everything folded were written.
 */
export class CurrentCandles {
  private readonly stored: Pick<StoredCandles, 'read' | 'swaps' | 'lastBefore'>;
  private readonly unwritten: UnwrittenRows;

  constructor(
    stored: Pick<StoredCandles, 'read' | 'swaps' | 'lastBefore'>,
    unwritten: UnwrittenRows,
  ) {
    this.stored = stored;
    this.unwritten = unwritten;
  }

  /** Oldest first, buckets without trades left out. Throws RangeError for an interval that does not fit. */
  async read(query: CandleRangeQuery): Promise<readonly Candle[]> {
    const { intervalMs } = query;
    if (intervalMs % BASE_CANDLE_MS === 0) return await this.merged(query);
    if (BASE_CANDLE_MS % intervalMs !== 0) return await this.stored.read(query);
    return await this.fine(query);
  }

  /** The last candle that opened before `beforeMs`. */
  async lastBefore(scope: Address, beforeMs: number): Promise<Candle | null> {
    const changed = [...this.unwritten.candles(scope).values()]
      .filter(({ openTimeMs }) => openTimeMs < beforeMs)
      .reduce<Candle | null>(laterCandle, null);
    const stored = await this.stored.lastBefore(scope, beforeMs);
    return stored === null || changed === null ? (changed ?? stored) : laterCandle(stored, changed);
  }

  private async merged(query: CandleRangeQuery): Promise<readonly Candle[]> {
    const { scope, fromMs, toMs, intervalMs } = query;
    const changed = inRange(this.unwritten.candles(scope).values(), query);
    if (changed.length === 0) return await this.stored.read(query);
    // Before the first change SQL merges; from there on each candle is looked at.
    const cutMs = Math.min(...changed.map(({ openTimeMs }) => openTimeMs));
    const [before, after] = await Promise.all([
      cutMs > fromMs ? this.stored.read({ ...query, toMs: cutMs }) : [],
      this.stored.read({ scope, fromMs: cutMs, toMs, intervalMs: BASE_CANDLE_MS }),
    ]);
    const newest = new Map(after.map((candle) => [candle.openTimeMs, candle]));
    for (const candle of changed) {
      const stored = newest.get(candle.openTimeMs);
      newest.set(candle.openTimeMs, stored === undefined ? candle : newerCandle(stored, candle));
    }
    const current = [...newest.values()].sort((one, other) => one.openTimeMs - other.openTimeMs);
    return mergeCandles([...before, ...current], intervalMs);
  }

  /** Finer than the stored ones: from swaps, with supply and finality of the candle around them. */
  private async fine(query: CandleRangeQuery): Promise<readonly Candle[]> {
    const changed = [...this.unwritten.swaps(query.scope).values()].filter(
      ({ timeMs }) => timeMs >= query.fromMs && timeMs < query.toMs,
    );
    const around = this.merged({
      ...query,
      fromMs: bucketStart(query.fromMs, BASE_CANDLE_MS),
      intervalMs: BASE_CANDLE_MS,
    });
    const candles = changed.length === 0 ? this.stored.read(query) : this.ofSwaps(query, changed);
    const byOpen = new Map((await around).map((candle) => [candle.openTimeMs, candle]));
    return (await candles).map((candle) => {
      const base = byOpen.get(bucketStart(candle.openTimeMs, BASE_CANDLE_MS));
      if (base === undefined) return candle;
      return { ...candle, supplyRaw: base.supplyRaw, isFinal: base.isFinal };
    });
  }

  private async ofSwaps(
    query: CandleRangeQuery,
    changed: readonly PricedSwap[],
  ): Promise<readonly Candle[]> {
    const { scope, toMs, intervalMs } = query;
    const firstMs = Math.min(...changed.map(({ timeMs }) => timeMs));
    const cutMs = Math.max(bucketStart(firstMs, intervalMs), query.fromMs);
    const [before, stored] = await Promise.all([
      cutMs > query.fromMs ? this.stored.read({ ...query, toMs: cutMs }) : [],
      this.stored.swaps(scope, cutMs, toMs),
    ]);
    const newest = new Map(stored.map((priced) => [swapKey(priced), priced]));
    for (const priced of changed) newest.set(swapKey(priced), priced);
    const swaps = [...newest.values()]
      .filter(({ exclusion }) => exclusion !== 'quarantined')
      .sort(inOrder);
    const options = { scope, intervalMs, supplyRaw: null, settledUntilMs: 0 };
    return [...before, ...candlesOfSwaps(swaps, options)];
  }
}

function inRange(candles: Iterable<Candle>, { fromMs, toMs }: CandleRangeQuery): Candle[] {
  return [...candles].filter(({ openTimeMs }) => openTimeMs >= fromMs && openTimeMs < toMs);
}

/** Of two states of one candle that of the later slot: SQL may have been written since. */
function newerCandle(stored: Candle, changed: Candle): Candle {
  return stored.slot > changed.slot ? stored : changed;
}

function laterCandle(one: Candle | null, other: Candle): Candle {
  if (one === null || other.openTimeMs > one.openTimeMs) return other;
  return other.openTimeMs < one.openTimeMs ? one : newerCandle(one, other);
}

function inOrder(one: PricedSwap, other: PricedSwap): number {
  return (
    one.timeMs - other.timeMs ||
    one.slot - other.slot ||
    one.txIndex - other.txIndex ||
    one.swap.outerIx - other.swap.outerIx ||
    one.swap.innerIx - other.swap.innerIx
  );
}
