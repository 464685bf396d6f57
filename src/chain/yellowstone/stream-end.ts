import type { StreamStatus } from './update-stream.ts';

/**
 * How to react to the end of a subscription.
 * - `replay-refused`: the slot to replay from is gone or replay is not offered; subscribe without.
 * - `denied`: the server refuses this client or this request.
 * - `retry`: everything else.
 */
export type StreamEnd = 'replay-refused' | 'denied' | 'retry';

/** Codes whose meaning does not depend on the message. */
const BY_CODE: Readonly<Record<number, StreamEnd>> = {
  /** INVALID_ARGUMENT */
  3: 'denied',
  /** PERMISSION_DENIED */
  7: 'denied',
  /** OUT_OF_RANGE: "broadcast from 7 is not available, last available: 12" */
  11: 'replay-refused',
  /** UNIMPLEMENTED */
  12: 'denied',
  /** DATA_LOSS: used by LaserStream for this case. */
  15: 'replay-refused',
  /** UNAUTHENTICATED */
  16: 'denied',
};

/** Message fragments of servers that have no code of their own for it. */
const REPLAY_REFUSALS = [
  // Yellowstone before version 10 with INTERNAL, and where it is switched off.
  'is not available, last available',
  'from_slot is not supported',
  // Richat, with INVALID_ARGUMENT.
  'first available slot',
  'failed to get replay position',
];

export function streamEndOf({ code, message }: StreamStatus, hasReplay: boolean): StreamEnd {
  const end = BY_CODE[code] ?? 'retry';
  const isRefused =
    end === 'replay-refused' || REPLAY_REFUSALS.some((words) => message.includes(words));
  if (isRefused) return hasReplay ? 'replay-refused' : 'retry';
  return end;
}

/** Of these, a token is the usual reason: PERMISSION_DENIED, UNAUTHENTICATED. */
const TOKEN_CODES: ReadonlySet<number> = new Set([7, 16]);

/** Why a subscription ended and what to do about it, as a clause without a full stop. */
export function describeEnd({ code, message }: StreamStatus): string {
  const wayOut = TOKEN_CODES.has(code) ? ': check MINTSCOPE_YELLOWSTONE_TOKEN' : '';
  return `${message} (code ${code})${wayOut}`;
}
