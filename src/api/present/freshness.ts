import type { FastifyReply } from 'fastify';
import { ageMs } from '../../lib/steady-time.ts';
import { ApiError } from '../../model/errors.ts';
import type { AnswerRange } from '../../model/slot-range.ts';
import type { Slot } from '../../model/units.ts';
import type { Freshness } from '../chain-status.ts';
import type { ApiDeps } from '../deps.ts';
import { EXAMPLE } from '../schemas/examples.ts';

/**
 * Says what an answer is true as of (CONTRACT §1). Before the first slot nothing is known, so only
 * `x-complete` is sent. `range` is the history that the answer speaks of, all of it when left out;
 * where its last slot is given, an earlier state is answered.
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
    // At least as old as it has been here, as lagOf says.
    const heldMs = Math.round(deps.chain.sinceSlotMs() ?? 0);
    reply.header('x-data-age-ms', String(Math.max(ageMs(timeMs, now), heldMs)));
  }
  reply.header('x-complete', isComplete ? 'true' : 'false');
  return freshness;
}

/**
 * Refuses an `as_of_slot` before the newest slot on routes that only know the current state. A later
 * one asks for what is known now.
 */
export function assertRetained(asOfSlot: number | undefined, newest: Slot | null): void {
  if (asOfSlot === undefined || newest === null || asOfSlot >= newest) return;
  throw new ApiError(422, notRetained(newest));
}

/** The sentence of a 422 for a slot before what is retained. */
export function notRetained(slot: number): string {
  return `history before slot ${slot} is not retained`;
}

export const NOT_RETAINED_EXAMPLE = notRetained(EXAMPLE.slot);
