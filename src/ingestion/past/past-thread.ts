import type { Worker } from 'node:worker_threads';
import { startThread } from '../../lib/start-thread.ts';
import type { FromPast, PastFault, PastRequest, PastSettings, ToPast } from './past-messages.ts';

const WORKER_URL = new URL('./past-worker.ts', import.meta.url);
/** Decoded slots die young, as in the threads that decode blocks. */
const SEMI_SPACE_MB = 32;
/** Pages of states are outside of the heap. */
const HEAP_MAX_MB = 512;
/** Delay before restarting a thread that keeps ending; doubles each time up to one minute. */
const RESTART_FIRST_MS = 1_000;
const RESTART_MAX_MS = 60_000;
/** A slot is applied in some 25 ms: a thread that answers nothing for so long is ended. */
const SILENCE_MAX_MS = 60_000;

export interface PastThreadOptions {
  readonly settings: PastSettings;
  /** The thread ended unexpectedly; its states are lost. */
  readonly onStopped: (reason: string) => void;
  /** Alternative worker file and times, for tests. */
  readonly workerUrl?: URL;
  readonly restartFirstMs?: number;
  readonly silenceMaxMs?: number;
}

/** A request to the thread failed. */
export class PastError extends Error {
  override readonly name = 'PastError';
  readonly isDamage: boolean;

  constructor({ message, isDamage }: PastFault) {
    super(message);
    this.isDamage = isDamage;
  }
}

interface OpenCall {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

/**
 * A thread that computes states of earlier slots, or works on them. It is started with the first
 * request.
 */
export class PastThread<Request = PastRequest> {
  /** Number of unexpected ends. */
  stops = 0;
  private readonly options: PastThreadOptions;
  private readonly open = new Map<number, OpenCall>();
  private worker: Worker | null = null;
  private silence: NodeJS.Timeout | null = null;
  private lastId = 0;
  private failuresInRow = 0;
  private notBeforeMs = 0;

  constructor(options: PastThreadOptions) {
    this.options = options;
  }

  get isRunning(): boolean {
    return this.worker !== null;
  }

  /** Whether a request is not answered yet. */
  get isBusy(): boolean {
    return this.open.size > 0;
  }

  /** Requests are answered in order. Rejects with PastError, also when the thread ends. */
  call(request: Request): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    if (this.worker === null && performance.now() < this.notBeforeMs) {
      reject(new PastError({ message: 'The thread has stopped.', isDamage: false }));
      return promise;
    }
    this.worker ??= this.start();
    const id = ++this.lastId;
    this.open.set(id, { resolve, reject });
    this.worker.postMessage({ id, request } satisfies ToPast<Request>);
    this.silence ??= this.watchSilence();
    return promise;
  }

  /** Ends the thread; open requests are rejected. The next request starts another one. */
  async end(): Promise<void> {
    const { worker } = this;
    this.worker = null;
    this.rejectAll('The thread was ended.');
    await worker?.terminate();
  }

  private start(): Worker {
    const { settings, workerUrl = WORKER_URL } = this.options;
    const worker = startThread(workerUrl, SEMI_SPACE_MB, {
      workerData: settings,
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MAX_MB },
    });
    let fault: string | null = null;
    worker.on('message', (message: FromPast) => this.take(message));
    worker.on('error', (error: unknown) => {
      fault = error instanceof Error ? error.message : String(error);
    });
    worker.on('exit', (code) => this.ended(worker, fault ?? `it ended with code ${code}`));
    // The thread must not keep the process alive.
    worker.unref();
    return worker;
  }

  private take(message: FromPast): void {
    const call = this.open.get(message.id);
    this.open.delete(message.id);
    this.failuresInRow = 0;
    this.endSilence();
    if (this.open.size > 0) this.silence = this.watchSilence();
    if ('fault' in message) call?.reject(new PastError(message.fault));
    else call?.resolve(message.answer);
  }

  private ended(worker: Worker, reason: string): void {
    if (worker !== this.worker) return;
    this.worker = null;
    const { restartFirstMs = RESTART_FIRST_MS, onStopped } = this.options;
    const restMs = Math.min(restartFirstMs * 2 ** this.failuresInRow, RESTART_MAX_MS);
    this.notBeforeMs = performance.now() + restMs;
    this.failuresInRow++;
    this.stops++;
    onStopped(reason);
    this.rejectAll(`The thread has stopped: ${reason}.`);
  }

  private rejectAll(message: string): void {
    this.endSilence();
    const calls = [...this.open.values()];
    this.open.clear();
    for (const { reject } of calls) reject(new PastError({ message, isDamage: false }));
  }

  private watchSilence(): NodeJS.Timeout {
    const { silenceMaxMs = SILENCE_MAX_MS } = this.options;
    return setTimeout(() => void this.worker?.terminate(), silenceMaxMs).unref();
  }

  private endSilence(): void {
    if (this.silence !== null) clearTimeout(this.silence);
    this.silence = null;
  }
}
