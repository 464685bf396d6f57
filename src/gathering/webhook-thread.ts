import { setTimeout as delay } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import type { AttemptResult } from '../alerts/webhooks/attempt-verdict.ts';
import type { OutgoingRequest, WebhookSender } from '../alerts/webhooks/webhook-sender.ts';
import { startThread } from '../lib/start-thread.ts';
import type { FromWebhooks, ToWebhooks, WebhookSettings } from './webhook-messages.ts';

const WORKER_URL = new URL('./webhook-worker.ts', import.meta.url);
const HEAP_MAX_MB = 128;
const SEMI_SPACE_MB = 4;
/** A thread that keeps ending is started again after this, twice as much each time up to a minute. */
const RESTART_FIRST_MS = 1_000;
const RESTART_MAX_MS = 60_000;
/** What is in flight when the service stops has so long to be answered. */
const CLOSE_MS = 1_000;
/** Long enough for results to be kept. */
const SETTLE_MS = 100;

export interface WebhookThreadOptions {
  readonly settings: WebhookSettings;
  /** Told when the thread ended by itself; attempts in flight are made again. */
  readonly onStopped?: (reason: string) => void;
  /** Another worker file, for tests. */
  readonly workerUrl?: URL;
}

/** Sends webhooks on a thread of its own, which is started with the first of them. */
export class WebhookThread implements WebhookSender {
  isTaking = true;
  isOpen = true;
  /** Times the thread ended by itself. */
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

  /** Sends nothing more; what is in flight has a second. */
  async close(): Promise<void> {
    this.isTaking = false;
    const endMs = performance.now() + CLOSE_MS;
    while (this.open.size > 0 && performance.now() < endMs) await delay(SETTLE_MS);
    if (this.worker !== null) await delay(SETTLE_MS);
    this.isOpen = false;
    await this.worker?.terminate();
  }

  /** Null while it may not be started. */
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
    // The service ends when its other threads do.
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
