import type { FastifyReply } from 'fastify';
import { ageMs } from '../../lib/steady-time.ts';
import { ApiError } from '../../model/errors.ts';
import type { AnswerRange } from '../../model/slot-range.ts';
import type { Slot } from '../../model/units.ts';
import type { Freshness } from '../chain-status.ts';
import type { ApiDeps } from '../deps.ts';
import { EXAMPLE } from '../schemas/examples.ts';

/**
 * Sets the freshness headers of a response (CONTRACT §1). Before the first slot only `x-complete`
 * is sent. `range` is the history the response covers, by default all of it; if `toSlot` is given,
 * the response shows that earlier state.
 */
export function setFreshness(
  reply: FastifyReply,
  deps: Pick<ApiDeps, 'chain' | 'nowMs' | 'steadyNowMs'>,
  range: AnswerRange = {},
): Freshness {
  const freshness = deps.chain.freshness(range);
  const { slot, timeMs, isComplete } = freshness;
  if (slot !== null) reply.header('x-slot', String(range.toSlot ?? slot));
  if (timeMs !== null) {
    const now = { wallMs: deps.nowMs(), steadyMs: deps.steadyNowMs() };
    // At least the time since the slot arrived, as in lagOf.
    const heldMs = Math.round(deps.chain.sinceSlotMs() ?? 0);
    reply.header('x-data-age-ms', String(Math.max(ageMs(timeMs, now), heldMs)));
  }
  reply.header('x-complete', isComplete ? 'true' : 'false');
  return freshness;
}

/**
 * Refuses an `as_of_slot` before the newest slot, for routes that only know the current state. A
 * later slot returns the current state.
 */
export function assertRetained(asOfSlot: number | undefined, newest: Slot | null): void {
  if (asOfSlot === undefined || newest === null || asOfSlot >= newest) return;
  throw new ApiError(422, notRetained(newest));
}

/** Message of a 422 response for a slot before the retained history. */
export function notRetained(slot: number): string {
  return `history before slot ${slot} is not retained`;
}

export const NOT_RETAINED_EXAMPLE = notRetained(EXAMPLE.slot);
