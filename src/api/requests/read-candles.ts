import type { FastifyReply } from 'fastify';
import type { Candle } from '../../model/derived.ts';
import type { Address } from '../../model/units.ts';
import type { ApiDeps } from '../deps.ts';
import {
  type CandleRange,
  type RangeRequest,
  resolveCandleRange,
} from '../parameters/candle-range.ts';
import { fillCandles, withFlatPrices } from '../present/fill-candles.ts';
import { setFreshness } from '../present/freshness.ts';

/** Candles of a token or of a pool, as a client requests them. */
export interface CandleRequest {
  /** A mint, or one of its pools. */
  readonly scope: Address;
  /** Whether the scope is known to be a pool. */
  readonly isPool?: boolean;
  readonly range: Omit<RangeRequest, 'nowMs'>;
  readonly view: 'all' | 'organic';
  /** Whether intervals without trades have flat candles at the last close. */
  readonly isFilled: boolean;
  /** Whether to read the last candle before the range. Always read for filled ones. */
  readonly isPreviousRead?: boolean;
}

export interface CandlesRead {
  /** Oldest first; all have prices. */
  readonly candles: readonly Candle[];
  /** The last candle with a price before the range; null if there is none or it was not read. */
  readonly before: Candle | null;
  readonly range: CandleRange;
}

/** Throws 422 for a range that no candles are read for. */
export function assertCandleRange(deps: ApiDeps, range: CandleRequest['range']): void {
  resolveCandleRange({ ...range, nowMs: nowOf(deps) });
}

/**
 * Reads candles and sets the freshness headers of the response. A range without an end is up to the
 * newest slot. Throws 422 for an invalid range.
 */
export async function readCandles(
  deps: ApiDeps,
  reply: FastifyReply,
  { scope, isPool = false, range: requested, view, isFilled, ...others }: CandleRequest,
): Promise<CandlesRead> {
  const { intervalMs } = requested;
  const withBefore = isFilled || others.isPreviousRead === true;
  const rows = { scope, isPool, intervalMs, view, withBefore };
  let range = resolveCandleRange({ ...requested, nowMs: nowOf(deps) });
  let read = await deps.candles.read({ ...rows, ...range });
  // A range up to now is that of the slot that was read, even if a candle began meanwhile.
  const ofRead = resolveCandleRange({ ...requested, nowMs: read.timeMs ?? deps.nowMs() });
  if (ofRead.toMs !== range.toMs) {
    range = ofRead;
    read = await deps.candles.read({ ...rows, ...range });
  }
  setFreshness(reply, deps, { ...range, isStored: true }, read);
  const { before } = read.data;
  const candles = withFlatPrices(read.data.candles, before);
  if (!isFilled) return { candles, before, range };
  // The future is not filled.
  const knownToMs = Math.min(range.toMs, (read.timeMs ?? deps.nowMs()) + 1);
  const filled = fillCandles(
    candles,
    before,
    { fromMs: range.fromMs, toMs: knownToMs },
    intervalMs,
  );
  return { candles: filled, before, range };
}

/** The time of the newest slot. */
function nowOf({ chain, nowMs }: ApiDeps): number {
  return chain.freshness({ isStored: true }).timeMs ?? nowMs();
}
