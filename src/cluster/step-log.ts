import type { StepMessage, StoredMessage } from './step-message.ts';

/** The first and the last sequence of a log; an empty one has `lastSeq` before `firstSeq`. */
export interface LogBounds {
  readonly firstSeq: number;
  readonly lastSeq: number;
}

/** What a log occupies on each machine that keeps it. */
export interface LogUsage {
  readonly bytes: number;
  /** Null without a limit. */
  readonly bytesMax: number | null;
}

/**
 * - `appended`: the message is in the log at `seq`, stored on as many machines as the log promises.
 * - `refused`: another message came after `afterSeq` first.
 */
export type Appended =
  | { readonly kind: 'appended'; readonly seq: number }
  | { readonly kind: 'refused' };

export interface FollowOptions {
  /** Without bodies, which is enough to know where the log is. */
  readonly headsOnly?: boolean;
  readonly signal: AbortSignal;
}

/**
 * The log of steps that several processes share, in one order. Two adapters: in process, and
 * JetStream. Failures that pass are `LogUnavailable`.
 */
export interface StepLog {
  bounds(): Promise<LogBounds>;
  usage(): Promise<LogUsage>;
  /** The head of a message; null if it is not, or no longer, in the log. */
  headAt(seq: number): Promise<StepMessage['head']>;
  /**
   * Appends right after `afterSeq`, or not at all. A call that is repeated with the same `id` after
   * a failure stores the message once.
   */
  append(
    message: StepMessage,
    after: { readonly seq: number; readonly id: string },
  ): Promise<Appended>;
  /**
   * All messages from a sequence on, in order and without end, until `signal` is aborted. Passing
   * failures are waited out. If `fromSeq` is no longer in the log, begins with what is.
   */
  follow(fromSeq: number, options: FollowOptions): AsyncIterable<StoredMessage>;
}

/** The log did not answer, or has no majority at present. The same call may succeed later. */
export class LogUnavailable extends Error {
  override readonly name: string = 'LogUnavailable';
}

/** The log has no room for the message. It takes it once there is room. */
export class LogFull extends LogUnavailable {
  override readonly name = 'LogFull';
}
