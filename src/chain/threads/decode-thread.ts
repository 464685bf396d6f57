import type { Worker } from 'node:worker_threads';
import { startThread } from '../../lib/start-thread.ts';
import { receiveSlotFacts } from '../../store/codecs/facts-codec.ts';
import type { RawBlock, RawBlockDecoding } from '../recorded/raw-block.ts';
import type { BlockAnswer, BlockRequest } from '../rpc/nodes/block-fetcher.ts';
import { unfitBlock } from '../rpc/nodes/rpc-failure.ts';
import type { Decoded, FetchedBlock, FromDecodeThread, ToDecodeThread } from './thread-messages.ts';

/** A block to decode, and the callback for the result. */
export interface DecodeTask {
  readonly raw: RawBlock;
  readonly answer: (decoding: RawBlockDecoding) => void;
}

/** A request to send, and the callback for the answer. */
export interface FetchTask {
  readonly request: BlockRequest;
  readonly signal: AbortSignal;
  readonly answer: (answer: BlockAnswer) => void;
}

export interface ThreadHooks {
  readonly onAnswer: () => void;
  readonly onStop: (reason: string) => void;
}

/**
 * Large enough that a block and what is read from it die young and are not promoted to the old
 * generation.
 */
const SEMI_SPACE_MB = 64;

/** One worker with its blocks, the first of which it is decoding, and its open requests. */
export class DecodeThread {
  readonly worker: Worker;
  readonly tasks: DecodeTask[] = [];
  decodedCount = 0;
  private readonly fetches = new Map<number, FetchTask & { readonly stop: () => void }>();
  private nextId = 0;

  constructor(workerUrl: URL, { onAnswer, onStop }: ThreadHooks) {
    this.worker = startThread(workerUrl, SEMI_SPACE_MB, { env: {}, stdout: false });
    let fault: string | null = null;
    this.worker.on('message', (message: FromDecodeThread) => {
      this.decodedCount++;
      if (message.kind === 'fetched') this.answerFetch(message);
      else this.tasks.shift()?.answer(decodingOf(message));
      onAnswer();
    });
    this.worker.on('error', (error: unknown) => {
      fault = error instanceof Error ? error.message : String(error);
    });
    this.worker.on('exit', (exitCode) => onStop(fault ?? `it ended with code ${exitCode}`));
  }

  get fetchCount(): number {
    return this.fetches.size;
  }

  take(task: DecodeTask): void {
    this.tasks.push(task);
    const { raw } = task;
    if (typeof raw.content === 'string') this.post({ kind: 'decode', raw });
    else {
      // A copy to transfer: the original may share its memory, and its owner may need it again.
      const content = new Uint8Array(raw.content);
      this.post({ kind: 'decode', raw: { ...raw, content } }, [content.buffer]);
    }
  }

  fetch(task: FetchTask): void {
    const id = this.nextId++;
    const { request, signal } = task;
    const stop = () => this.post({ kind: 'stop', id });
    this.fetches.set(id, { ...task, stop });
    signal.addEventListener('abort', stop, { once: true });
    this.post({ kind: 'fetch', id, request });
    if (signal.aborted) stop();
  }

  /** Answers every open request as failed. */
  failAsks(message: string): void {
    const failure = stoppedFailure(message);
    for (const { answer, signal, stop } of this.fetches.values()) {
      signal.removeEventListener('abort', stop);
      answer({ status: 'failed', failure });
    }
    this.fetches.clear();
  }

  private answerFetch(fetched: FetchedBlock): void {
    const task = this.fetches.get(fetched.id);
    if (task === undefined) return;
    this.fetches.delete(fetched.id);
    task.signal.removeEventListener('abort', task.stop);
    task.answer(answerOf(fetched));
  }

  private post(message: ToDecodeThread, transfer: ArrayBuffer[] = []): void {
    this.worker.postMessage(message, transfer);
  }
}

/** The node is not to blame, and another thread may succeed. */
export function stoppedFailure(message: string) {
  return { ...unfitBlock(message, 'decoder-stopped'), action: 'retry' } as const;
}

function answerOf(fetched: FetchedBlock): BlockAnswer {
  if (fetched.status === 'failed') return { status: 'failed', failure: fetched.failure };
  if (fetched.status === 'decoded') {
    return { status: 'decoded', facts: receiveSlotFacts(fetched.encodedFacts) };
  }
  if (fetched.status === 'testified') return { status: 'testified', testimony: fetched.testimony };
  const { buffer, byteOffset, byteLength } = fetched.body;
  return { status: 'unread', body: Buffer.from(buffer, byteOffset, byteLength) };
}

/**
 * Sending text and parsing it costs this thread less than cloning an object, and the store takes
 * the text as it is.
 */
function decodingOf({ encodedFacts }: Decoded): RawBlockDecoding {
  if (encodedFacts === null) return { status: 'unreadable' };
  return { status: 'decoded', facts: receiveSlotFacts(encodedFacts) };
}
