import type { Worker } from 'node:worker_threads';
import { startThread } from '../lib/start-thread.ts';
import type {
  OffchainAppend,
  OffchainAppended,
  OffchainEffect,
  OffchainPosition,
} from '../model/offchain-stream.ts';
import { AnswerCell } from './answer-cell.ts';
import type {
  FoldPoint,
  FromGathering,
  GatheringCounts,
  GatheringSettings,
  ToGathering,
  TokenBatch,
  TrackingUpdate,
} from './messages.ts';

const WORKER_URL = new URL('./gathering-worker.ts', import.meta.url);
const SEMI_SPACE_MB = 8;

/**
 * Delays before restarting a thread that ended unexpectedly; reset after one hour without failures.
 */
const RESTART_FIRST_MS = 1_000;
const RESTART_MAX_MS = 60_000;
const QUIET_MS = 3_600_000;

/** The stream through which off-chain data is shared with other replicas. */
export interface GatheringStream {
  /** A thread has stored everything up to `position`. What follows goes to `receiver`. */
  open(
    position: OffchainPosition,
    schema: number,
    receiver: { store(seq: number, effect: OffchainEffect): void; rest(): void },
  ): void;
  stored(seq: number): void;
  append(transaction: OffchainAppend): Promise<OffchainAppended>;
  /** The thread is gone. */
  close(): void;
}

export interface GatheringThreadOptions {
  readonly settings: Omit<GatheringSettings, 'answers'>;
  /** Omitted: nothing is shared, and the thread gathers from its start. */
  readonly stream?: GatheringStream;
  /**
   * A thread is ready for batches. Batches that earlier ones did not store must be sent again.
   */
  readonly onReady: (reached: FoldPoint | null, tracked: readonly TrackingUpdate[]) => void;
  readonly onTaken: (number: number) => void;
  /** The thread takes no batches until it is ready again, because another replica gathers. */
  readonly onResting?: () => void;
  /** The thread ended unexpectedly and is restarted after `restartMs`. */
  readonly onLost: (reason: string, restartMs: number) => void;
  readonly onUnread: () => void;
  /** Alternative worker file, for tests. */
  readonly workerUrl?: URL;
  readonly restartFirstMs?: number;
}

const NO_COUNTS: GatheringCounts = { counters: [], gauges: [] };

/**
 * Gathers off-chain facts on its own thread. The thread may end at any moment without affecting the
 * service; it is restarted with increasing delays.
 */
export class GatheringThread {
  private readonly options: GatheringThreadOptions;
  private readonly answers = new AnswerCell();
  private worker: Worker | null = null;
  private restart: NodeJS.Timeout | null = null;
  private restartMs: number;
  private startedAtMs = 0;
  private isClosed = false;
  private latest: GatheringCounts = NO_COUNTS;
  private losses = 0;

  constructor(options: GatheringThreadOptions) {
    this.options = options;
    this.restartMs = options.restartFirstMs ?? RESTART_FIRST_MS;
    this.start();
  }

  /** Number of unexpected ends of the thread. */
  get restarts(): number {
    return this.losses;
  }

  /** Latest counts reported by the thread. Counters restart with each thread. */
  get counts(): GatheringCounts {
    return this.latest;
  }

  get isRunning(): boolean {
    return this.worker !== null;
  }

  /** Returns false while no thread is running; a new thread reports its position with `onReady`. */
  send(batch: TokenBatch): boolean {
    if (this.worker === null) return false;
    this.worker.postMessage(batch satisfies ToGathering);
    return true;
  }

  /** Ends the thread, by force after `drainMs`. */
  async close(drainMs: number): Promise<void> {
    this.isClosed = true;
    if (this.restart !== null) clearTimeout(this.restart);
    const { worker } = this;
    if (worker === null) return;
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    worker.postMessage({ kind: 'close', drainMs } satisfies ToGathering);
    const force = setTimeout(() => void worker.terminate(), drainMs);
    await ended;
    clearTimeout(force);
  }

  private start(): void {
    this.restart = null;
    this.startedAtMs = performance.now();
    const { settings, workerUrl = WORKER_URL } = this.options;
    const shared = this.options.stream === undefined ? {} : { answers: this.answers.buffer };
    const workerData: GatheringSettings = { ...settings, ...shared };
    const worker = startThread(workerUrl, SEMI_SPACE_MB, { workerData, env: {} });
    this.worker = worker;
    let reason = '';
    worker.on('message', (message: FromGathering) => this.take(message));
    worker.on('error', (error: unknown) => {
      reason = error instanceof Error ? error.message : String(error);
    });
    worker.once('exit', (code) => this.lost(reason === '' ? `it ended with code ${code}` : reason));
  }

  private take(message: FromGathering): void {
    const { options } = this;
    if (message.kind === 'ready') options.onReady(message.reached, message.tracked);
    else if (message.kind === 'taken') options.onTaken(message.number);
    else if (message.kind === 'counts') this.latest = message.counts;
    else if (message.kind === 'unread') options.onUnread();
    else if (message.kind === 'resting') options.onResting?.();
    else if (options.stream !== undefined) this.takeShared(options.stream, message);
  }

  private takeShared(
    stream: GatheringStream,
    message: Extract<FromGathering, { readonly kind: 'opened' | 'stored' | 'append' }>,
  ): void {
    const { worker } = this;
    if (message.kind === 'stored') stream.stored(message.seq);
    else if (message.kind === 'append') void this.append(stream, message.transaction);
    else {
      const send = (sent: ToGathering) => worker?.postMessage(sent);
      stream.open(message.position, message.schema, {
        store: (seq, effect) => send({ kind: 'store', seq, effect }),
        rest: () => send({ kind: 'rest' }),
      });
    }
  }

  /** The thread waits, so that it is answered whatever happens. */
  private async append(stream: GatheringStream, transaction: OffchainAppend): Promise<void> {
    let answer: OffchainAppended = { kind: 'unavailable' };
    try {
      answer = await stream.append(transaction);
    } finally {
      this.answers.answer(answer);
    }
  }

  private lost(reason: string): void {
    this.worker = null;
    this.latest = NO_COUNTS;
    this.options.stream?.close();
    if (this.isClosed) return;
    this.losses++;
    const { restartFirstMs = RESTART_FIRST_MS } = this.options;
    const isQuiet = performance.now() - this.startedAtMs >= QUIET_MS;
    const restartMs = isQuiet ? restartFirstMs : this.restartMs;
    this.restartMs = Math.min(restartMs * 2, RESTART_MAX_MS);
    this.options.onLost(reason, restartMs);
    this.restart = setTimeout(() => this.start(), restartMs);
  }
}
