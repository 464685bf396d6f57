import { setTimeout } from 'node:timers/promises';
import type { Replica } from './replica.ts';

export interface ReopenOptions {
  /** The replica that ended the stream. */
  readonly lost: Replica;
  readonly signal: AbortSignal;
  /** Time in which it must succeed. */
  readonly withinMs?: number | undefined;
}

/** Longer than replicas take to notice that one is gone, shorter than clients wait in silence. */
const REOPEN_MS = 10_000;
const PAUSE_MS = 100;

/**
 * Opens a stream again, at other replicas first, for as long as a client waits in silence. Null if
 * that fails, or if the key is refused. If the client leaves meanwhile, what was opened for it is
 * returned, for the caller to end.
 */
export async function reopen<Connected>(
  connect: (tried: Set<Replica>) => Promise<Connected | null>,
  isOpen: (connected: Connected) => boolean,
  { lost, signal, withinMs = REOPEN_MS }: ReopenOptions,
): Promise<Connected | null> {
  const deadlineMs = performance.now() + withinMs;
  for (let tried = new Set([lost]); performance.now() < deadlineMs; tried = new Set()) {
    const connected = await connect(tried);
    if (connected !== null) return isOpen(connected) ? connected : null;
    if (signal.aborted) return null;
    await setTimeout(PAUSE_MS);
  }
  return null;
}
