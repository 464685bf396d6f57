/**
 * The process of a shadow fold. Receives slots as stored in the log, and returns the draft of a
 * snapshot. It ends when its parent closes the channel or exits; until then the parent decides
 * when.
 */
import { existsSync, readdirSync } from 'node:fs';
import { setPriority } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isTransientError } from '../lib/transient-error.ts';
import { isSystemError } from '../store/snapshots/snapshot-file.ts';
import { ShadowFold, UnreadableBaseError } from './shadow-fold.ts';
import type { ShadowOutcome, ShadowRequest } from './shadow-messages.ts';

/** A third of the CPU share of the parent: it yields without being starved. */
const PRIORITY = 5;
const OWN_THREADS = '/proc/self/task';

let fold: ShadowFold | null = null;

/**
 * Lowers the priority of all threads. On Linux a priority belongs to a thread, and garbage
 * collection threads already exist. Continues if the system refuses.
 */
function giveWay(): void {
  try {
    const threads = existsSync(OWN_THREADS) ? readdirSync(OWN_THREADS).map(Number) : [0];
    for (const thread of threads) setPriority(thread, PRIORITY);
  } catch (error) {
    if (!isSystemError(error)) throw error;
  }
}

async function work(request: ShadowRequest): Promise<ShadowOutcome> {
  if (request.kind === 'begin') {
    fold = new ShadowFold(request.start);
    return { kind: 'ready' };
  }
  if (fold === null) throw new RangeError(`asked to ${request.kind} before it began`);
  if (request.kind === 'fold') {
    await foldInTurns(fold, request.encoded);
    return { kind: 'folded' };
  }
  const draft = await fold.write();
  fold.close();
  return { kind: 'written', draft };
}

/** Yields between slots to notice a closed channel. */
async function foldInTurns(into: ShadowFold, encoded: readonly string[]): Promise<void> {
  for (const slot of encoded) {
    into.fold([slot]);
    await nextTurn();
  }
}

function answer(outcome: ShadowOutcome): void {
  const residentBytes = process.memoryUsage.rss();
  // Sending fails if the parent is gone.
  process.send?.({ outcome, residentBytes }, undefined, undefined, (error) => {
    if (error !== null) process.exit();
  });
}

function fail(error: unknown): void {
  answer({
    kind: 'failed',
    isBaseUnreadable: error instanceof UnreadableBaseError,
    isTransient: isTransientError(error),
    message: error instanceof Error ? error.message : String(error),
  });
}

process.on('disconnect', () => process.exit());
// Terminals and service managers signal all processes of a service; the parent decides.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
giveWay();
process.on('message', (request: ShadowRequest) => {
  work(request).then(answer, fail);
});
// The channel may have been closed before this point.
if (!process.connected) process.exit();
