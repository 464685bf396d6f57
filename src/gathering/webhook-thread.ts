import { setTimeout as delay } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import type { AttemptResult } from '../alerts/webhooks/attempt-verdict.ts';
import type { OutgoingRequest, WebhookSender } from '../alerts/webhooks/webhook-sender.ts';
import { startThread } from '../lib/start-thread.ts';
import type { FromWebhooks, ToWebhooks, WebhookSettings } from './webhook-messages.ts';

const WORKER_URL = new URL('./webhook-worker.ts', import.meta.url);
const HEAP_MAX_MB = 128;
const SEMI_SPACE_MB = 4;
/** Delay before restarting a thread that keeps ending; doubles each time up to one minute. */
const RESTART_FIRST_MS = 1_000;
const RESTART_MAX_MS = 60_000;
/** Time for requests in flight to complete when the service stops. */
const CLOSE_MS = 1_000;
/** Sufficient for results to be stored. */
const SETTLE_MS = 100;

export interface WebhookThreadOptions {
  readonly settings: WebhookSettings;
  /** Called when the thread ended unexpectedly; requests in flight are retried. */
  readonly onStopped?: (reason: string) => void;
  /** Alternative worker file, for tests. */
  readonly workerUrl?: URL;
}

/** Sends webhooks on its own thread, which is started with the first request. */
export class WebhookThread implements WebhookSender {
  isTaking = true;
  isOpen = true;
  /** Number of unexpected ends of the thread. */
  stops = 0;
  private readonly options: WebhookThreadOptions;
  private readonly open = new Map<number, (result: AttemptResult) => void>();
  private worker: Worker | null = null;
  private nextId = 1;
  private failuresInRow = 0;
  private notBeforeMs = 0;

  constructor(options: WebhookThreadOptions) {
    this.options = options;
  }

  send(request: OutgoingRequest): Promise<AttemptResult> {
    const worker = this.running();
    if (worker === null) return Promise.resolve({ kind: 'interrupted' });
    const id = this.nextId++;
    return new Promise((resolve) => {
      this.open.set(id, resolve);
      worker.postMessage({ id, request } satisfies ToWebhooks);
    });
  }

  /** Stops sending; requests in flight get one second to complete. */
  async close(): Promise<void> {
    this.isTaking = false;
    const endMs = performance.now() + CLOSE_MS;
    while (this.open.size > 0 && performance.now() < endMs) await delay(SETTLE_MS);
    if (this.worker !== null) await delay(SETTLE_MS);
    this.isOpen = false;
    await this.worker?.terminate();
  }

  /** The running thread, started if necessary; null while it must not be restarted. */
  private running(): Worker | null {
    if (!this.isTaking) return null;
    if (this.worker === null && performance.now() >= this.notBeforeMs) this.worker = this.start();
    return this.worker;
  }

  private start(): Worker {
    const { settings, workerUrl = WORKER_URL } = this.options;
    const worker = startThread(workerUrl, SEMI_SPACE_MB, {
      workerData: settings,
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MAX_MB },
    });
    let fault: string | null = null;
    worker.on('message', ({ id, result }: FromWebhooks) => {
      this.failuresInRow = 0;
      this.settle(id, result);
    });
    worker.on('error', (error: unknown) => {
      fault = error instanceof Error ? error.message : String(error);
    });
    worker.on('exit', (code) => this.ended(fault ?? `it ended with code ${code}`));
    // The thread must not keep the process alive.
    worker.unref();
    return worker;
  }

  private settle(id: number, result: AttemptResult): void {
    this.open.get(id)?.(result);
    this.open.delete(id);
  }

  private ended(reason: string): void {
    this.worker = null;
    for (const id of [...this.open.keys()]) this.settle(id, { kind: 'interrupted' });
    if (!this.isTaking) return;
    const restMs = Math.min(RESTART_FIRST_MS * 2 ** this.failuresInRow, RESTART_MAX_MS);
    this.notBeforeMs = performance.now() + restMs;
    this.failuresInRow++;
    this.stops++;
    this.options.onStopped?.(reason);
  }
}
