import { availableParallelism } from 'node:os';
import type { RawBlock, RawBlockDecoder, RawBlockDecoding } from '../recorded/raw-block.ts';
import type { BlockAnswer, BlockFetcher, BlockRequest } from '../rpc/nodes/block-fetcher.ts';
import { type DecodeTask, DecodeThread, stoppedFailure } from './decode-thread.ts';

/** One block being decoded and one waiting per thread, so no thread idles during the hand-over. */
const BLOCKS_PER_THREAD = 2;
const WORKER_URL = new URL('./decode-worker.ts', import.meta.url);

/**
 * The main thread and the store's threads run in addition to the workers. With more workers, the
 * main thread, which applies and stores what they decode, becomes the bottleneck.
 */
const OTHER_THREADS = 2;
const THREADS_MAX_BY_DEFAULT = 8;

/**
 * Creates a pool with `setting` threads, where null picks a default; returns null for 0 threads.
 */
export function createDecodePool(
  setting: number | null,
  cores: number = availableParallelism(),
): DecodePool | null {
  const threadsByDefault = Math.min(THREADS_MAX_BY_DEFAULT, Math.max(1, cores - OTHER_THREADS));
  const threads = setting ?? threadsByDefault;
  return threads === 0 ? null : new DecodePool(threads);
}

/**
 * Decodes raw blocks on worker threads, which can also request them from nodes. Threads start when
 * the first blocks arrive. When a thread stops, the block it was decoding and its open requests are
 * answered with the reason; its other blocks go to the next thread, and a new thread replaces it
 * unless it never decoded anything.
 */
export class DecodePool implements RawBlockDecoder, BlockFetcher {
  readonly aheadMax: number;
  private readonly workerUrl: URL;
  private readonly threads = new Set<DecodeThread>();
  private readonly waiting: DecodeTask[] = [];
  /** Maximum number of threads; lowered when one cannot work at all. */
  private threadsMax: number;
  private lastFailure = 'the decode workers are closed';

  /** `threads` is at least 1. `workerUrl` is replaced only in tests. */
  constructor(threads: number, workerUrl: URL = WORKER_URL) {
    this.threadsMax = threads;
    this.aheadMax = threads * BLOCKS_PER_THREAD;
    this.workerUrl = workerUrl;
  }

  readonly decode = (raw: RawBlock): Promise<RawBlockDecoding> =>
    new Promise((answer) => {
      this.waiting.push({ raw, answer });
      this.handOver();
    });

  readonly fetch = (request: BlockRequest, signal: AbortSignal): Promise<BlockAnswer> =>
    new Promise((answer) => {
      const thread = this.fetchingThread();
      if (thread === null) answer({ status: 'failed', failure: stoppedFailure(this.lastFailure) });
      else thread.fetch({ request, signal, answer });
    });

  /** Ends the threads; unanswered blocks are answered as failed. */
  async close(): Promise<void> {
    this.threadsMax = 0;
    await Promise.all([...this.threads].map((thread) => thread.worker.terminate()));
    this.handOver();
  }

  private handOver(): void {
    if (this.threadsMax === 0 && this.threads.size === 0) {
      for (const { answer } of this.waiting.splice(0)) {
        answer({ status: 'failed', message: this.lastFailure });
      }
    }
    while (this.waiting.length > 0) {
      const thread = this.freeThread();
      if (thread === null) return;
      thread.take(this.waiting.shift() as DecodeTask);
    }
  }

  /**
   * The thread with the fewest blocks; a new one is started before any gets a second block. Null
   * when all are full.
   */
  private freeThread(): DecodeThread | null {
    let best: DecodeThread | null = null;
    for (const thread of this.threads) {
      if (best === null || thread.tasks.length < best.tasks.length) best = thread;
    }
    const isIdle = best !== null && best.tasks.length === 0;
    if (!isIdle && this.threads.size < this.threadsMax) return this.startThread();
    return best !== null && best.tasks.length < BLOCKS_PER_THREAD ? best : null;
  }

  /**
   * The thread with the fewest requests; a new one is started before any gets a second request.
   * Null without threads.
   */
  private fetchingThread(): DecodeThread | null {
    let best: DecodeThread | null = null;
    for (const thread of this.threads) {
      if (best === null || thread.fetchCount < best.fetchCount) best = thread;
    }
    const isIdle = best !== null && best.fetchCount === 0;
    return !isIdle && this.threads.size < this.threadsMax ? this.startThread() : best;
  }

  private startThread(): DecodeThread {
    const thread = new DecodeThread(this.workerUrl, {
      onAnswer: () => this.handOver(),
      onStop: (reason) => this.replace(thread, reason),
    });
    this.threads.add(thread);
    return thread;
  }

  private replace(thread: DecodeThread, reason: string): void {
    this.threads.delete(thread);
    const [current, ...others] = thread.tasks;
    const message = `the decode worker stopped: ${reason}`;
    if (this.threadsMax > 0) {
      this.lastFailure = message;
      if (thread.decodedCount === 0) this.threadsMax--;
    }
    current?.answer({ status: 'failed', message });
    thread.failAsks(message);
    this.waiting.unshift(...others);
    this.handOver();
  }
}
