import type { ReadableSpan, SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace';

/** What became of spans. */
export interface SpanCounts {
  readonly exported: number;
  /** Not sent, because too many were waiting or the service ended. */
  readonly dropped: number;
  /** Sent, and not accepted. */
  readonly failed: number;
}

export interface SpanQueueLimits {
  /** Spans that wait at most; later ones are dropped. */
  readonly waitingMax: number;
  /** Spans in one request. */
  readonly batchMax: number;
  /** Time between two requests. */
  readonly everyMs: number;
  /** A request that takes longer has failed. */
  readonly timeoutMs: number;
}

export const SPAN_QUEUE_LIMITS: SpanQueueLimits = {
  waitingMax: 4_096,
  batchMax: 512,
  everyMs: 2_000,
  timeoutMs: 3_000,
};

/** The exporter's code of success. */
const SUCCESS = 0;

/**
 * Sends finished spans in batches, one request at a time. Ending a span costs an entry of a list
 * whatever the collector does: spans that it does not take are counted, and never sent again.
 */
export class SpanQueue implements SpanProcessor {
  private readonly exporter: SpanExporter;
  private readonly limits: SpanQueueLimits;
  private readonly timer: NodeJS.Timeout;
  private waiting: ReadableSpan[] = [];
  private sending: Promise<void> | null = null;
  private isClosed = false;
  private readonly tally = { exported: 0, dropped: 0, failed: 0 };

  constructor(exporter: SpanExporter, limits: SpanQueueLimits = SPAN_QUEUE_LIMITS) {
    this.exporter = exporter;
    this.limits = limits;
    this.timer = setInterval(() => this.send(), limits.everyMs);
    this.timer.unref();
  }

  get counts(): SpanCounts {
    return { ...this.tally };
  }

  onStart(): void {
    // Only what has ended is sent.
  }

  onEnd(span: ReadableSpan): void {
    if (this.isClosed || this.waiting.length >= this.limits.waitingMax) this.tally.dropped++;
    else this.waiting.push(span);
  }

  async forceFlush(): Promise<void> {
    this.send();
    await this.sending;
  }

  /** Sends one last batch; what does not fit into it is dropped. */
  async shutdown(): Promise<void> {
    clearInterval(this.timer);
    this.isClosed = true;
    await this.sending;
    await this.forceFlush();
    this.tally.dropped += this.waiting.length;
    this.waiting = [];
  }

  private send(): void {
    if (this.sending !== null || this.waiting.length === 0) return;
    const batch = this.waiting.splice(0, this.limits.batchMax);
    this.sending = this.export(batch).then((isAccepted) => {
      this.tally[isAccepted ? 'exported' : 'failed'] += batch.length;
      this.sending = null;
    });
  }

  private export(batch: ReadableSpan[]): Promise<boolean> {
    return new Promise((resolve) => {
      const timeout = setTimeout(() => resolve(false), this.limits.timeoutMs);
      timeout.unref();
      const done = (isAccepted: boolean) => {
        clearTimeout(timeout);
        resolve(isAccepted);
      };
      try {
        this.exporter.export(batch, ({ code }) => done(code === SUCCESS));
      } catch {
        done(false);
      }
    });
  }
}
