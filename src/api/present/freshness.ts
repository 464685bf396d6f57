import type { FastifyReply } from 'fastify';
import { ageMs } from '../../lib/steady-time.ts';
import type { AsOf } from '../../model/as-of.ts';
import { ApiError } from '../../model/errors.ts';
import type { AnswerRange } from '../../model/slot-range.ts';
import type { Slot } from '../../model/units.ts';
import type { Freshness } from '../chain-status.ts';
import type { ApiDeps } from '../deps.ts';
import { EXAMPLE } from '../schemas/examples.ts';

/**
 * Sets the freshness headers of a response (CONTRACT §1). Before the first slot only `x-complete`
 * is sent. `range` is the history the response covers, by default all of it; if `toSlot` is given,
 * the response shows that earlier state. `asOf` is the data of the response, unless it was in memory
 * when this is called.
 */
export function setFreshness(
  reply: FastifyReply,
  deps: Pick<ApiDeps, 'chain' | 'nowMs' | 'steadyNowMs'>,
  range: AnswerRange = {},
  asOf: Pick<AsOf<unknown>, 'slot' | 'timeMs'> | null = null,
): Freshness {
  const newest = deps.chain.freshness(range);
  const freshness = asOf === null ? newest : { ...newest, slot: asOf.slot, timeMs: asOf.timeMs };
  const { slot, timeMs, isComplete } = freshness;
  if (slot !== null) reply.header('x-slot', String(range.toSlot ?? slot));
  if (timeMs !== null) {
    reply.header('x-data-age-ms', String(dataAgeMs(deps, timeMs)));
  }
  reply.header('x-complete', isComplete ? 'true' : 'false');
  return freshness;
}

/** The age of data as of a slot with this block time: at least the time since the slot arrived. */
export function dataAgeMs(
  { chain, nowMs, steadyNowMs }: Pick<ApiDeps, 'chain' | 'nowMs' | 'steadyNowMs'>,
  timeMs: number,
): number {
  const now = { wallMs: nowMs(), steadyMs: steadyNowMs() };
  return Math.max(ageMs(timeMs, now), Math.round(chain.sinceSlotMs() ?? 0));
}

/**
 * Start of the history that an answer about several things covers: the earliest of the slots that
 * theirs begin at; null if one is unknown.
 */
export function earliestSlot(slots: readonly (Slot | null)[]): Slot | null {
  let earliest: Slot | null = slots[0] ?? null;
  for (const slot of slots) {
    if (slot === null || earliest === null) return null;
    if (slot < earliest) earliest = slot;
  }
  return earliest;
}

/** As setFreshness, for a list that may be incomplete while the service starts. */
export function setListFreshness(
  reply: FastifyReply,
  deps: Pick<ApiDeps, 'chain' | 'nowMs' | 'steadyNowMs'>,
  read: AsOf<{ readonly isComplete: boolean }>,
): void {
  setFreshness(reply, deps, {}, read);
  if (!read.data.isComplete) reply.header('x-complete', 'false');
}

/** The slots for which an endpoint has answers, both ends included. */
export interface RetainedSlots {
  readonly oldest: number;
  readonly newest: number;
}

/** Refuses with 422 an `as_of_slot` for which there is no answer. */
export function assertRetained(asOfSlot: number, { oldest, newest }: RetainedSlots): void {
  if (asOfSlot >= oldest && asOfSlot <= newest) return;
  throw notRetained({ oldest, newest });
}

/** The 422 for an `as_of_slot` for which there is no answer. */
export function notRetained(slots: RetainedSlots): ApiError {
  return new ApiError(422, notRetainedMessage(slots));
}

/**
 * The requested slot, null for the newest: for reads of stored rows, which have answers from the
 * first slot of the log on. Throws 422 outside of it.
 */
export async function storedSlot(
  { chain }: Pick<ApiDeps, 'chain'>,
  asOfSlot: Slot | undefined,
): Promise<Slot | null> {
  const newest = chain.freshness({ isStored: true }).slot;
  if (asOfSlot === undefined || newest === null) return null;
  if (asOfSlot === newest) return asOfSlot;
  const { firstSlot, lastSlot } = await chain.coverage();
  // The other thread may be ahead, and another answer may already have named its slot.
  assertRetained(asOfSlot, {
    oldest: firstSlot ?? newest,
    newest: Math.max(newest, lastSlot ?? newest),
  });
  return asOfSlot;
}

function notRetainedMessage({ oldest, newest }: RetainedSlots): string {
  return `as_of_slot must be from ${oldest}, the oldest retained slot, to ${newest}, the newest.`;
}

/** Example of a 422 response of an endpoint with `as_of_slot`. */
export const NOT_RETAINED_EXAMPLE = notRetainedMessage({
  oldest: EXAMPLE.slot - 512,
  newest: EXAMPLE.slot,
});
