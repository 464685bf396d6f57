import type { OffchainEffect, OffchainPosition } from '../../model/offchain-stream.ts';
import { OffchainFence } from './offchain-fence.ts';

/** Receives what the stream means for the store, in order. */
export interface OffchainReceiver {
  store(seq: number, effect: OffchainEffect): void;
  /** This replica no longer gathers. */
  rest(): void;
}

/** One store that follows the stream: a new one begins with each thread that has the store. */
export interface Session {
  readonly receiver: OffchainReceiver;
  readonly fence: OffchainFence;
  readonly base: string;
  readonly schema: number;
  readonly ending: AbortController;
  /** The last message that was read, that was passed on, and that was stored. */
  receivedSeq: number;
  sentSeq: number;
  storedSeq: number;
  unstored: number;
  /** Whether it was compared with the stream. */
  isJoined: boolean;
  /** Claim under which this replica gathers; null while it does not. */
  tenure: number | null;
  /** Claim that is being appended, whose message may be read before it is acknowledged. */
  claiming: string | null;
  wake: (() => void) | null;
}

export function openSession(
  position: OffchainPosition,
  schema: number,
  receiver: OffchainReceiver,
  name: string,
): Session {
  const { seq, base } = position;
  return {
    ...{ receiver, base, schema, receivedSeq: seq, sentSeq: seq, storedSeq: seq, unstored: 0 },
    fence: new OffchainFence({ position, schema, name }),
    ending: new AbortController(),
    ...{ isJoined: false, tenure: null, claiming: null, wake: null },
  };
}
