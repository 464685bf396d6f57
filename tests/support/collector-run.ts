import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach } from 'vitest';
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
export const MINT = asAddress('So11111111111111111111111111111111111111112');
export const WANTED: Wanted = { ...NOTHING, mints: [MINT] };
export const START_MS = Date.UTC(2026, 10, 20, 12);
const PATIENCE_MS = 10_000;

/** A clock that advances when a caller sleeps: an hour takes a millisecond. */
export class QuickClock implements Clock {
  private ms: number;

  constructor(startMs: number) {
    this.ms = startMs;
  }

  nowMs(): number {
    return this.ms;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
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

  /** Resolves when the collector has ended by itself. */
  async ended(): Promise<void> {
    await this.running;
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }
}

/** A fake platform, and the run of a collector on the platform's clock. */
export interface CollectorScene<Fake> {
  fake: Fake;
  run: CollectorRun;
}

/** A scene that is new for each test of the file, and ended after it. */
export function eachScene<Fake extends { readonly platform: { close(): Promise<void> } }>(
  start: (nowMs: () => number) => Promise<Fake>,
  wanted: Wanted = NOTHING,
): CollectorScene<Fake> {
  const scene = {} as CollectorScene<Fake>;
  beforeEach(async () => {
    scene.run = new CollectorRun(wanted, START_MS);
    scene.fake = await start(() => scene.run.clock.nowMs());
  });
  afterEach(async () => {
    await scene.run.stop();
    await scene.fake.platform.close();
  });
  return scene;
}
