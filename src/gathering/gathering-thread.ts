import type { Worker } from 'node:worker_threads';
import { startThread } from '../lib/start-thread.ts';
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

/** Waits before a thread that ended by itself is started again; a quiet hour resets them. */
const RESTART_FIRST_MS = 1_000;
const RESTART_MAX_MS = 60_000;
const QUIET_MS = 3_600_000;

export interface GatheringThreadOptions {
  readonly settings: GatheringSettings;
  /** A start of the thread can take batches; what earlier starts did not keep is told again. */
  readonly onReady: (reached: FoldPoint | null, tracked: readonly TrackingUpdate[]) => void;
  readonly onTaken: (number: number) => void;
  /** It ended by itself and is started again after `restartMs`. */
  readonly onLost: (reason: string, restartMs: number) => void;
  readonly onUnread: () => void;
  /** Another worker file, for tests. */
  readonly workerUrl?: URL;
  readonly restartFirstMs?: number;
}

const NO_COUNTS: GatheringCounts = { counters: [], gauges: [] };

/**
 * What gathers off-chain facts, on a thread of its own that may be lost at any moment: the service
 * goes on, and it is started again with growing patience.
 */
export class GatheringThread {
  private readonly options: GatheringThreadOptions;
  private worker: Worker | null = null;
  private restart: NodeJS.Timeout | null = null;
  private restartMs: number;
  private startedAtMs = 0;
  private isClosed = false;
  private told: GatheringCounts = NO_COUNTS;
  private losses = 0;

  constructor(options: GatheringThreadOptions) {
    this.options = options;
    this.restartMs = options.restartFirstMs ?? RESTART_FIRST_MS;
    this.start();
  }

  /** Times it ended by itself. */
  get restarts(): number {
    return this.losses;
  }

  /** As last told by the thread; counters begin anew with each start of it. */
  get counts(): GatheringCounts {
    return this.told;
  }

  get isRunning(): boolean {
    return this.worker !== null;
  }

  /** False when there is no thread now: it says where it is once it is ready again. */
  send(batch: TokenBatch): boolean {
    if (this.worker === null) return false;
    this.worker.postMessage(batch satisfies ToGathering);
    return true;
  }

  /** Ends the thread: by itself, or after `drainMs` by force. */
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
    const worker = startThread(workerUrl, SEMI_SPACE_MB, { workerData: settings, env: {} });
    this.worker = worker;
    let reason = '';
    worker.on('message', (message: FromGathering) => this.take(message));
    worker.on('error', (error: unknown) => {
      reason = error instanceof Error ? error.message : String(error);
    });
    worker.once('exit', (code) => this.lost(reason === '' ? `it ended with code ${code}` : reason));
  }

  private take(message: FromGathering): void {
    if (message.kind === 'ready') this.options.onReady(message.reached, message.tracked);
    else if (message.kind === 'taken') this.options.onTaken(message.number);
    else if (message.kind === 'counts') this.told = message.counts;
    else this.options.onUnread();
  }

  private lost(reason: string): void {
    this.worker = null;
    this.told = NO_COUNTS;
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
