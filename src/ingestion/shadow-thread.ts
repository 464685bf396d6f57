import { getHeapStatistics } from 'node:v8';
import { Worker } from 'node:worker_threads';
import type { SnapshotDraft } from '../store/snapshots.ts';
import type { ShadowStart } from './shadow-fold.ts';
import type { ShadowAnswer, ShadowRequest } from './shadow-messages.ts';

const WORKER_URL = new URL('./shadow-worker.ts', import.meta.url);
const MIB = 2 ** 20;

/** Why a shadow fold cannot go on. */
export class ShadowError extends Error {
  override readonly name = 'ShadowError';
  /** The snapshot to go on from is to blame. */
  readonly isBaseUnreadable: boolean;

  constructor(message: string, isBaseUnreadable = false) {
    super(message);
    this.isBaseUnreadable = isBaseUnreadable;
  }
}

/**
 * A shadow fold on a thread of its own, which may hold as much as the main one. One request at a
 * time; each rejects with ShadowError when the thread fails or ends, also by `close`.
 */
export class ShadowThread {
  private readonly worker: Worker;
  private pending: Pending | null = null;
  private early: ShadowAnswer | ShadowError | null = null;

  /** Another worker file is for tests. */
  constructor(start: ShadowStart, workerUrl: URL = WORKER_URL) {
    const maxOldGenerationSizeMb = Math.floor(getHeapStatistics().heap_size_limit / MIB);
    this.worker = new Worker(workerUrl, {
      workerData: start,
      env: {},
      stdout: false,
      resourceLimits: { maxOldGenerationSizeMb },
    });
    let fault: string | null = null;
    this.worker.on('message', (answer: ShadowAnswer) => this.settle(answer));
    this.worker.on('error', (error: unknown) => {
      fault = error instanceof Error ? error.message : String(error);
    });
    this.worker.on('exit', (code) =>
      this.settle(new ShadowError(fault ?? `its thread ended with code ${code}`)),
    );
  }

  /** Resolves when the state to go on from is read. */
  async ready(): Promise<void> {
    await this.answer();
  }

  async fold(encoded: readonly string[]): Promise<void> {
    await this.ask({ kind: 'fold', encoded });
  }

  async write(): Promise<SnapshotDraft> {
    const answer = await this.ask({ kind: 'write' });
    if (answer.kind !== 'written') throw new ShadowError(`it answered ${answer.kind}`);
    return answer.draft;
  }

  /** Ends the thread, whatever it does. */
  async close(): Promise<void> {
    await this.worker.terminate();
  }

  private ask(request: ShadowRequest): Promise<ShadowAnswer> {
    const answer = this.answer();
    this.worker.postMessage(request);
    return answer;
  }

  private answer(): Promise<ShadowAnswer> {
    return new Promise((resolve, reject) => {
      this.pending = { resolve, reject };
      if (this.early !== null) this.settle(this.early);
    });
  }

  /** What nobody waits for yet is kept for whoever comes; the end of the thread for all of them. */
  private settle(outcome: ShadowAnswer | ShadowError): void {
    const { pending } = this;
    this.early = pending === null || outcome instanceof ShadowError ? outcome : null;
    this.pending = null;
    if (outcome instanceof ShadowError) pending?.reject(outcome);
    else if (outcome.kind !== 'failed') pending?.resolve(outcome);
    else pending?.reject(new ShadowError(outcome.message, outcome.isBaseUnreadable));
  }
}

interface Pending {
  readonly resolve: (answer: ShadowAnswer) => void;
  readonly reject: (error: ShadowError) => void;
}
