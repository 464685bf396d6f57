import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../model/errors.ts';
import { asSlot, type Slot } from '../../model/units.ts';
import type { Access } from './admission.ts';
import type { ReachedSlots } from './reached-slots.ts';

/** Request header: the answer must be as of this slot or a later one. */
export const MIN_SLOT_HEADER = 'x-min-slot';

const INVALID = `${MIN_SLOT_HEADER} must be a slot.`;

/** The slot that a text names; null for any other text. */
export function parseMinSlot(text: string): Slot | null {
  if (!/^\d{1,16}$/.test(text)) return null;
  const slot = Number(text);
  return Number.isSafeInteger(slot) ? asSlot(slot) : null;
}

/**
 * Calls `done` once answers are as of the slot that the request wants, which is usually now. Answers
 * with 503 and the reached slot in `x-slot` if that takes too long. Throws ApiError 400 for a header
 * that is no slot.
 */
export function awaitMinSlot(
  reached: ReachedSlots,
  access: Access,
  request: FastifyRequest,
  reply: FastifyReply,
  done: (error?: Error) => void,
): void {
  const text = request.headers[MIN_SLOT_HEADER];
  // What a process says of itself is as of no slot.
  if (text === undefined || access === 'public' || access === 'operator') {
    done();
    return;
  }
  const slot = parseMinSlot(String(text));
  if (slot === null) throw new ApiError(400, INVALID);
  if (reached.has(slot)) {
    done();
    return;
  }
  void reached.until(slot).then((isReached) => {
    if (isReached) {
      done();
      return;
    }
    reply.header('x-slot', String(reached.slot ?? 0));
    done(new ApiError(503, `Slot ${slot} was not reached in time.`));
  });
}
