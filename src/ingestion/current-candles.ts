import { bucketStart, mergeCandles } from '../fold/market/candle-merge.ts';
import { candlesOfSwaps } from '../fold/market/swap-candles.ts';
import { BASE_CANDLE_MS, type Candle, type PricedSwap } from '../model/derived.ts';
import type { Address } from '../model/units.ts';
import {
  aroundStoredCandles,
  type CandleRangeQuery,
  type CandleView,
  type StoredCandles,
  withSupply,
} from '../store/reads/candles.ts';
import { swapKey, type UnwrittenRows } from './unwritten-rows.ts';

/** Number of stored swaps searched for one that is not also in memory. */
const ORGANIC_SWAPS_MAX = 1_000;

type StoredReads = Pick<
  StoredCandles,
  'read' | 'fromSwaps' | 'swaps' | 'lastBefore' | 'organicSwapsBefore'
>;

/**
 * Candles up to the newest slot: stored ones merged with unwritten changes. Returns what the
 * database would return if everything folded were written.
 */
export class CurrentCandles {
  private readonly stored: StoredReads;
  private readonly unwritten: UnwrittenRows;

  constructor(stored: StoredReads, unwritten: UnwrittenRows) {
    this.stored = stored;
    this.unwritten = unwritten;
  }

  /**
   * The candles of a range and, if it is wanted or the first of them has no price, the last one with
   * a price before them.
   */
  async rows(
    query: CandleRangeQuery & { readonly withBefore: boolean },
  ): Promise<{ readonly candles: readonly Candle[]; readonly before: Candle | null }> {
    const { scope, fromMs, view, withBefore } = query;
    const last = () => this.lastBefore(scope, fromMs, view);
    const [candles, wanted] = await Promise.all([this.read(query), withBefore ? last() : null]);
    const [first] = candles;
    const isNeeded = !withBefore && first !== undefined && first.usd === null;
    return { candles, before: isNeeded ? await last() : wanted };
  }

  /** Oldest first, without empty buckets. Throws RangeError for an unsupported interval. */
  async read(query: CandleRangeQuery): Promise<readonly Candle[]> {
    const { intervalMs, view = 'all' } = query;
    const isStored = intervalMs % BASE_CANDLE_MS === 0;
    if (isStored && view === 'all') return await this.merged(query);
    if (!isStored && BASE_CANDLE_MS % intervalMs !== 0) return await this.stored.read(query);
    return await this.fromSwaps(query);
  }

  /**
   * The last candle with a price that opened before `beforeMs`; in the organic view, the candle of
   * the last trade before it that set a price.
   */
  async lastBefore(
    scope: Address,
    beforeMs: number,
    view: CandleView = 'all',
  ): Promise<Candle | null> {
    const last = await this.lastCandle(scope, beforeMs);
    if (view === 'all') return last;
    const priced = await this.lastOrganicSwap(scope, beforeMs);
    if (priced === null) return null;
    const options = { scope, intervalMs: BASE_CANDLE_MS, settledUntilMs: 0 };
    const supplyRaw = last?.supplyRaw ?? null;
    return candlesOfSwaps([priced], { ...options, supplyRaw })[0] ?? null;
  }

  private async lastOrganicSwap(scope: Address, beforeMs: number): Promise<PricedSwap | null> {
    const unwritten = this.unwritten.swaps(scope);
    const recent = [...unwritten.values()]
      .filter((priced) => priced.timeMs < beforeMs && setsOrganicPrice(priced, scope))
      .sort(inOrder)
      .at(-1);
    // Swaps in memory take precedence: the database may have an earlier label of them.
    const limit = Math.min(unwritten.size + 1, ORGANIC_SWAPS_MAX);
    const candidates = await this.stored.organicSwapsBefore(scope, beforeMs, limit);
    const stored = candidates.find((priced) => !unwritten.has(swapKey(priced))) ?? null;
    if (stored === null || recent === undefined) return recent ?? stored;
    return inOrder(stored, recent) > 0 ? stored : recent;
  }

  private async lastCandle(scope: Address, beforeMs: number): Promise<Candle | null> {
    const unwritten = this.unwritten.candles(scope);
    const changed = [...unwritten.values()]
      .filter(({ openTimeMs, usd }) => openTimeMs < beforeMs && usd !== null)
      .reduce<Candle | null>(laterCandle, null);
    const stored = await this.lastStored(scope, beforeMs, unwritten);
    return stored === null || changed === null ? (changed ?? stored) : laterCandle(stored, changed);
  }

  /** The last stored candle with a price that has not lost it since. */
  private async lastStored(
    scope: Address,
    beforeMs: number,
    unwritten: ReadonlyMap<number, Candle>,
  ): Promise<Candle | null> {
    const stored = await this.stored.lastBefore(scope, beforeMs);
    if (stored === null || unwritten.get(stored.openTimeMs)?.usd !== null) return stored;
    return await this.lastStored(scope, stored.openTimeMs, unwritten);
  }

  private async merged(query: CandleRangeQuery): Promise<readonly Candle[]> {
    const { scope, fromMs, toMs, intervalMs } = query;
    const changed = inRange(this.unwritten.candles(scope).values(), query);
    if (changed.length === 0) return await this.stored.read(query);
    // Before the first change the database merges candles; later ones are merged individually.
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

  /** Candles from swaps, with supply and finality of the enclosing stored candle. */
  private async fromSwaps(query: CandleRangeQuery): Promise<readonly Candle[]> {
    const changed = [...this.unwritten.swaps(query.scope).values()].filter(
      ({ timeMs }) => timeMs >= query.fromMs && timeMs < query.toMs,
    );
    const stored = aroundStoredCandles(query);
    const [candles, around] = await Promise.all([
      changed.length === 0 ? this.stored.fromSwaps(query) : this.ofSwaps(query, changed),
      this.merged(stored),
    ]);
    return withSupply(candles, around, stored.intervalMs);
  }

  private async ofSwaps(
    query: CandleRangeQuery,
    changed: readonly PricedSwap[],
  ): Promise<readonly Candle[]> {
    const { scope, toMs, intervalMs, view } = query;
    const firstMs = Math.min(...changed.map(({ timeMs }) => timeMs));
    const cutMs = Math.max(bucketStart(firstMs, intervalMs), query.fromMs);
    const [before, stored] = await Promise.all([
      cutMs > query.fromMs ? this.stored.fromSwaps({ ...query, toMs: cutMs }) : [],
      this.stored.swaps(scope, cutMs, toMs),
    ]);
    const newest = new Map(stored.map((priced) => [swapKey(priced), priced]));
    for (const priced of changed) newest.set(swapKey(priced), priced);
    const swaps = [...newest.values()]
      .filter(({ exclusion, isOrganic }) => {
        return exclusion !== 'quarantined' && (view !== 'organic' || isOrganic);
      })
      .sort(inOrder);
    const options = { scope, intervalMs, supplyRaw: null, settledUntilMs: 0 };
    return [...before, ...candlesOfSwaps(swaps, options)];
  }
}

function inRange(candles: Iterable<Candle>, { fromMs, toMs }: CandleRangeQuery): Candle[] {
  return [...candles].filter(({ openTimeMs }) => openTimeMs >= fromMs && openTimeMs < toMs);
}

/** The state of the later slot: the database may have been written in the meantime. */
function newerCandle(stored: Candle, changed: Candle): Candle {
  return stored.slot > changed.slot ? stored : changed;
}

function laterCandle(one: Candle | null, other: Candle): Candle {
  if (one === null || other.openTimeMs > one.openTimeMs) return other;
  return other.openTimeMs < one.openTimeMs ? one : newerCandle(one, other);
}

function setsOrganicPrice(priced: PricedSwap, scope: Address): boolean {
  const { exclusion, priceUsd, isOrganic, setsTokenPrice, swap } = priced;
  const isPrice = exclusion === null && priceUsd !== null;
  return isOrganic && isPrice && (swap.pool === scope || setsTokenPrice);
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
