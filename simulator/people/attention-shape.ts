import { exp } from '../random/portable-math.ts';
import type { Excitement, FadingArrivals } from './hawkes.ts';

/** How many people are attracted to a token of some quality, and when. */
export interface AttentionShape {
  /** Spontaneous arrivals while the token is new. */
  readonly burst: FadingArrivals;
  /** Later spontaneous arrivals. */
  readonly tail: FadingArrivals;
  readonly excitement: Excitement;
}

/**
 * Numbers and times grow exponentially with quality, because real launches spread over powers of
 * ten: most get a handful of buyers in a minute or two, few get thousands over hours. The branching
 * ratio stays well below one, since buyers outside the crowd excite further arrivals too.
 */
const BURST = { count: 4, countGrowth: 5.4, fadeMs: 40_000, fadeGrowth: 2.6 } as const;
/** From this quality on, a share of the burst's number arrives later, over hours. */
const TAIL = { fromQuality: 0.5, share: 1.5, fadeMs: 3_600_000 } as const;
const RATIO = { least: 0.25, growth: 0.35 } as const;
const ECHO_MS = 25_000;

/** `quality` from 0 to 1. */
export function shapeOf(quality: number): AttentionShape {
  const count = BURST.count * exp(BURST.countGrowth * quality);
  const fadeMs = BURST.fadeMs * exp(BURST.fadeGrowth * quality);
  const tailShare = TAIL.share * Math.max(0, quality - TAIL.fromQuality);
  return {
    burst: { count, fadeMs },
    tail: { count: count * tailShare, fadeMs: TAIL.fadeMs },
    excitement: { ratio: RATIO.least + RATIO.growth * quality, echoMs: ECHO_MS },
  };
}
