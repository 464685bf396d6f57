/**
 * When a share of one program counts as changed: it is judged against the program's own past, so that
 * a program of which a part was never understood is calm, and one that was understood and is not any
 * more is not.
 */
import { binomialSurvivalLog10 } from '../../lib/tail-probability.ts';
import { wilsonUpper } from '../../lib/wilson-interval.ts';
import type { CountedShare } from '../../model/venue-change.ts';

/** Slots that are counted together; a share is judged whenever so many have passed. */
export const BUCKET_SLOTS = 10;
/** What is recent: 150 slots, a minute of the chain at 0.4 s. */
export const RECENT_BUCKETS = 15;
/** The past is two spans of this length, of which the older is whole: half a day each. */
export const PAST_SPAN_BUCKETS = 10_800;

/** A share of fewer is no share. */
const RECENT_TOTAL_MIN = 12;
const PAST_TOTAL_MIN = 200;
/** One odd transaction, however many instructions it has, is in one slot. */
const HIT_SLOTS_MIN = 3;
/** In shares: less would not be worth waking somebody. */
const RISE_MIN = 0.01;
/** Half of it, so that an alarm does not end and begin again around one value. */
const RISE_OVER = 0.005;
/** Standard errors by which the past's true share may lie above the one that was counted. */
const PAST_Z = 3;
/**
 * As much or more than was counted has to be this unlikely if nothing had changed. Some hundred
 * shares are judged 21,600 times a day: by chance alone one alarm would come in more than a month.
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

/** Whether an alarm ends. A program that is hardly called any more shows nothing: it goes on. */
export function isAsBefore(recent: CountedShare, past: CountedShare): boolean {
  if (recent.total < RECENT_TOTAL_MIN) return false;
  const pastUpper = wilsonUpper(past.hits, past.total, PAST_Z);
  return shareOf(recent) <= Math.max(pastUpper, shareOf(past) + RISE_OVER);
}

/** 0 of nothing. */
export function shareOf({ hits, total }: CountedShare): number {
  return total === 0 ? 0 : hits / total;
}
