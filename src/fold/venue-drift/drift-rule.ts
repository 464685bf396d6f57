/**
 * Decides when a share of one program has changed. The share is compared with the program's own
 * past: a program that was never fully decoded raises no alarm; a program that was decoded and no
 * longer is does.
 */
import { binomialSurvivalLog10 } from '../../lib/tail-probability.ts';
import { wilsonUpper } from '../../lib/wilson-interval.ts';
import type { CountedShare } from '../../model/venue-change.ts';

/** Slots per bucket. A share is evaluated each time a bucket ends. */
export const BUCKET_SLOTS = 10;
/** The recent window: 150 slots, one minute at 0.4 s per slot. */
export const RECENT_BUCKETS = 15;
/** The past consists of two spans of half a day each; the older one is always complete. */
export const PAST_SPAN_BUCKETS = 10_800;

/** With a smaller total a share is not evaluated. */
const RECENT_TOTAL_MIN = 12;
const PAST_TOTAL_MIN = 200;
/** A single unusual transaction affects one slot only, regardless of its number of instructions. */
const HIT_SLOTS_MIN = 3;
/** As a share. A smaller rise does not justify an alarm. */
const RISE_MIN = 0.01;
/** Half of `RISE_MIN`: hysteresis, so an alarm does not toggle around one value. */
const RISE_OVER = 0.005;
/** Standard errors by which the true past share may exceed the measured one. */
const PAST_Z = 3;
/**
 * An alarm begins only if a count this high or higher is at most this likely when nothing has
 * changed. About a hundred shares are evaluated 21,600 times a day, so chance alone raises less
 * than one alarm a month.
 */
const CHANCE_LOG10_MAX = -8;

export interface RecentShare extends CountedShare {
  /** Slots with at least one hit. */
  readonly hitSlots: number;
}

/** Whether an alarm begins. */
export function isSuddenlyHigher(recent: RecentShare, past: CountedShare): boolean {
  const isEnough = recent.total >= RECENT_TOTAL_MIN && past.total >= PAST_TOTAL_MIN;
  if (!isEnough || recent.hitSlots < HIT_SLOTS_MIN) return false;
  if (shareOf(recent) - shareOf(past) < RISE_MIN) return false;
  const pastUpper = wilsonUpper(past.hits, past.total, PAST_Z);
  return binomialSurvivalLog10(recent.hits, recent.total, pastUpper) <= CHANCE_LOG10_MAX;
}

/** Whether an alarm ends. With too few recent calls there is no evidence, and it continues. */
export function isAsBefore(recent: CountedShare, past: CountedShare): boolean {
  if (recent.total < RECENT_TOTAL_MIN) return false;
  const pastUpper = wilsonUpper(past.hits, past.total, PAST_Z);
  return shareOf(recent) <= Math.max(pastUpper, shareOf(past) + RISE_OVER);
}

/** The ratio of hits to the total; 0 for an empty total. */
export function shareOf({ hits, total }: CountedShare): number {
  return total === 0 ? 0 : hits / total;
}
