/** The thread of a shadow fold: slots come in as the log stores them, the draft of a snapshot goes out. */
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { ShadowFold, type ShadowStart, UnreadableBaseError } from './shadow-fold.ts';
import type { ShadowAnswer, ShadowRequest } from './shadow-messages.ts';

/** A third of the share of whoever follows the chain: it gives way and is never starved. */
const PRIORITY = 5;

const answer = (message: ShadowAnswer) => parentPort?.postMessage(message);

const fail = (error: unknown) =>
  answer({
    kind: 'failed',
    isBaseUnreadable: error instanceof UnreadableBaseError,
    message: error instanceof Error ? error.message : String(error),
  });

function begin(start: ShadowStart): void {
  try {
    const fold = new ShadowFold(start);
    parentPort?.on('message', (request: ShadowRequest) => {
      work(fold, request).then(answer, fail);
    });
    answer({ kind: 'ready' });
  } catch (error) {
    fail(error);
  }
}

async function work(fold: ShadowFold, request: ShadowRequest): Promise<ShadowAnswer> {
  if (request.kind === 'write') {
    const draft = await fold.write();
    fold.close();
    return { kind: 'written', draft };
  }
  fold.fold(request.encoded);
  return { kind: 'folded' };
}

// Nobody waits for it at once. Linux alone gives threads a priority of their own.
if (process.platform === 'linux') setPriority(PRIORITY);
begin(workerData);
