import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import type { Clock } from '../../src/lib/clock.ts';
import type { PostEvent, SocialPost } from '../../src/model/social-post.ts';
import { asAddress } from '../../src/model/units.ts';
import type {
  Collector,
  CollectorContext,
  CollectorState,
  CollectorStatus,
  Wanted,
} from '../../src/social/collecting/collector.ts';

export const NOTHING: Wanted = { mints: [], cashtags: [], links: [] };
export const START_MS = Date.UTC(2026, 10, 20, 12);
export const MINT = asAddress('So11111111111111111111111111111111111111112');
const PATIENCE_MS = 120_000;

/** The run of a test that was made last: a test continues one by making another. */
let latest: CollectorRun | null = null;

interface Closing {
  close(): Promise<void>;
}

/** A clock that advances when a caller sleeps: an hour takes a millisecond. */
export class QuickClock implements Clock {
  /** Called before each sleep. */
  onSleep: () => void = () => undefined;
  private ms: number;

  constructor(startMs: number) {
    this.ms = startMs;
  }

  nowMs(): number {
    return this.ms;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    this.onSleep();
    if (signal?.aborted !== true) this.ms += Math.max(0, ms);
    await sleep(1);
  }
}

/** Runs a collector and records its events as a careful reader would. */
export class CollectorRun {
  readonly clock: QuickClock;
  readonly events: PostEvent[] = [];
  readonly statuses: CollectorStatus[] = [];
  readonly batches: number[] = [];
  cursor: string | null;
  wanted: Wanted;
  /** Called with each batch before it is accepted. */
  onEmit: (events: readonly PostEvent[]) => Promise<void> = async () => undefined;
  /** Called before a cursor is stored; false loses it, as a kill does. */
  onCursor: (text: string) => boolean = () => true;
  private readonly stopping = new AbortController();
  private running: Promise<void> | null = null;

  constructor(wanted: Wanted, startMs: number, cursor: string | null = null) {
    this.clock = new QuickClock(startMs);
    this.wanted = wanted;
    this.cursor = cursor;
    latest = this;
  }

  /**
   * Starts a fake platform on the clock of a run, for one test. Both end with the test, or instead
   * of the run the one that continued it.
   */
  static async with<Fake extends Closing>(
    platform: { start(nowMs: () => number): Promise<Fake> },
    wanted: Wanted,
  ): Promise<{ readonly run: CollectorRun; readonly fake: Fake }> {
    const run = new CollectorRun(wanted, START_MS);
    const fake = await platform.start(() => (latest ?? run).clock.nowMs());
    onTestFinished(async () => {
      await latest?.stop();
      await fake.close();
    });
    return { run, fake };
  }

  start(collector: Collector): void {
    const context: CollectorContext = {
      signal: this.stopping.signal,
      clock: this.clock,
      nowMs: () => this.clock.nowMs(),
      random: () => 0.5,
      emit: async (events) => {
        await this.onEmit(events);
        this.batches.push(events.length);
        this.events.push(...events);
      },
      cursor: {
        read: () => this.cursor,
        write: async (text) => {
          if (this.onCursor(text)) this.cursor = text;
        },
      },
      wanted: () => this.wanted,
      report: (status) => this.statuses.push(status),
    };
    this.running = collector.run(context);
  }

  get posts(): SocialPost[] {
    return this.events.flatMap((each) => (each.kind === 'post' ? [each.post] : []));
  }

  get state(): CollectorState | undefined {
    return this.statuses.at(-1)?.state;
  }

  get counts() {
    const counts = this.statuses.at(-1)?.counts;
    if (counts === undefined) throw new Error('nothing was reported');
    return counts;
  }

  /** Resolves when the condition holds; throws when it does not within the time limit. */
  async until(isSo: () => boolean): Promise<void> {
    const endMs = performance.now() + PATIENCE_MS;
    while (!isSo()) {
      if (performance.now() > endMs) {
        const status = JSON.stringify(this.statuses.at(-1));
        throw new Error(`The condition was never met: ${isSo}; ${status}`);
      }
      await sleep(2);
    }
  }

  /**
   * Stops the collector at its first pause at which the condition holds: for what another round
   * would count again.
   */
  async stoppedWhen(isSo: () => boolean): Promise<void> {
    this.clock.onSleep = () => {
      if (isSo()) this.stopping.abort();
    };
    await this.until(() => this.stopping.signal.aborted);
    await this.running;
  }

  /** Resolves when the collector has ended by itself. */
  async ended(): Promise<void> {
    await this.running;
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }
}
