/**
 * The process of a shadow fold: slots come in as the log stores them, the draft of a snapshot goes
 * out. It ends when whoever started it has closed the channel, also by dying; until then it is for
 * them alone to say when.
 */
import { existsSync, readdirSync } from 'node:fs';
import { setPriority } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isTransientError } from '../lib/transient-error.ts';
import { isSystemError } from '../store/snapshots/snapshot-file.ts';
import { ShadowFold, UnreadableBaseError } from './shadow-fold.ts';
import type { ShadowOutcome, ShadowRequest } from './shadow-messages.ts';

/** A third of the share of whoever follows the chain: it gives way and is never starved. */
const PRIORITY = 5;
const OWN_THREADS = '/proc/self/task';

let fold: ShadowFold | null = null;

/**
 * On Linux a priority is a thread's, and those that collect garbage are there already. Where the
 * system refuses, the work is done all the same.
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

/** Between two slots it hears that the channel was closed. */
async function foldInTurns(into: ShadowFold, encoded: readonly string[]): Promise<void> {
  for (const slot of encoded) {
    into.fold([slot]);
    await nextTurn();
  }
}

function answer(outcome: ShadowOutcome): void {
  const residentBytes = process.memoryUsage.rss();
  // That it cannot be sent means that nobody is there any more.
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
// A terminal and a service manager tell every process of a service to end: the first one decides.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
giveWay();
process.on('message', (request: ShadowRequest) => {
  work(request).then(answer, fail);
});
// It may have been closed before anybody listened.
if (!process.connected) process.exit();
