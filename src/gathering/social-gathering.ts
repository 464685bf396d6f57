import type { Clock } from '../lib/clock.ts';
import { StoreError } from '../model/errors.ts';
import type {
  Collector,
  CollectorContext,
  CollectorState,
  CollectorStatus,
} from '../social/collecting/collector.ts';
import type { GatheringCounts, GatheringFamily } from './messages.ts';
import type { SocialService } from './social-service.ts';

/** Interval at which received posts are stored. */
const FLUSH_MS = 2_000;
const REFUSED_WAIT_MS = 5_000;
/** Maximum number of batches per turn of the thread. */
const BATCHES_AT_ONCE = 4;
/** Delays before a failed collector is restarted, doubling up to the maximum. */
const RESTART_FIRST_MS = 1_000;
const RESTART_MAX_MS = 5 * 60_000;
/** Batches counted at the end; the rest is delivered again after a restart. */
const LAST_BATCHES_MAX = 8;

export interface SocialGatheringParts {
  readonly service: SocialService;
  readonly collectors: readonly Collector[];
  readonly clock: Clock;
  readonly nowMs: () => number;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Errors that no platform caused. */
  readonly onFailure: (error: unknown) => void;
  /** A collector waits or needs intervention. Contains no secrets. */
  readonly onStatus: (status: CollectorStatus) => void;
}

/** Runs collectors, and counts the posts they deliver. */
export class SocialGathering {
  private readonly parts: SocialGatheringParts;
  private readonly stopping = new AbortController();
  private readonly statuses = new Map<string, CollectorStatus>();
  private timer: NodeJS.Timeout | null = null;
  private isRefused = false;

  constructor(parts: SocialGatheringParts) {
    this.parts = parts;
    for (const collector of parts.collectors) void this.run(collector);
    this.schedule(FLUSH_MS);
  }

  get counts(): GatheringCounts {
    const { service } = this.parts;
    const outcomes = Object.entries(service.counts).map(
      ([outcome, count]) => [{ outcome }, count] as const,
    );
    const statuses = [...this.statuses.values()];
    return {
      counters: [
        { name: 'social_posts_total', samples: outcomes },
        { name: 'social_refused_batches_total', samples: [[{}, service.refusals]] },
        { name: 'social_collected_total', samples: statuses.flatMap(collected) },
      ],
      gauges: [
        { name: 'social_posts_waiting', samples: [[{}, service.waiting]] },
        { name: 'social_tracked_tokens', samples: [[{}, service.trackedTokens]] },
        {
          name: 'social_collector_running',
          samples: statuses.map(({ name, state }) => [
            { collector: name },
            state.kind === 'running' ? 1 : 0,
          ]),
        },
      ],
    };
  }

  /** Stops the collectors and counts their last posts. */
  close(): void {
    this.stopping.abort();
    if (this.timer !== null) clearTimeout(this.timer);
    const { service } = this.parts;
    for (let batch = 0; batch < LAST_BATCHES_MAX && this.flush() === 'more'; batch++);
    service.close();
  }

  private schedule(waitMs: number): void {
    this.timer = setTimeout(() => this.schedule(this.flushSome()), waitMs);
  }

  /** Counts some batches. Returns the delay until the next call, in milliseconds. */
  private flushSome(): number {
    for (let batch = 0; batch < BATCHES_AT_ONCE; batch++) {
      const outcome = this.flush();
      if (outcome === 'refused') return REFUSED_WAIT_MS;
      if (outcome === 'done') return FLUSH_MS;
    }
    return 0;
  }

  private flush(): 'more' | 'done' | 'refused' {
    try {
      const isMore = this.parts.service.flush();
      this.isRefused = false;
      return isMore ? 'more' : 'done';
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      // Reported once per period of failure.
      if (!this.isRefused) this.parts.onFailure(error);
      this.isRefused = true;
      return 'refused';
    }
  }

  private async run(collector: Collector): Promise<void> {
    const { clock, onFailure } = this.parts;
    const { signal } = this.stopping;
    for (let waitMs = RESTART_FIRST_MS; !signal.aborted; ) {
      try {
        await collector.run(this.contextOf(collector));
        return;
      } catch (error) {
        onFailure(error);
      }
      await clock.sleep(waitMs, signal);
      waitMs = Math.min(RESTART_MAX_MS, waitMs * 2);
    }
  }

  private contextOf({ name, platform }: Collector): CollectorContext {
    const { service, clock, nowMs, random } = this.parts;
    return {
      signal: this.stopping.signal,
      clock,
      nowMs,
      random,
      emit: (events) => service.emit(events),
      cursor: {
        read: () => service.cursor(name),
        write: (text) => service.keepCursor(name, text),
      },
      wanted: () => service.wanted(),
      report: (status) => {
        if (status.state.kind === 'running') service.polled(platform);
        const before = this.statuses.get(name)?.state;
        this.statuses.set(name, status);
        if (before === undefined || situationOf(before) !== situationOf(status.state)) {
          this.parts.onStatus(status);
        }
      },
    };
  }
}

/** States that differ in kind or waiting reason are reported. */
function situationOf(state: CollectorState): string {
  return state.kind === 'waiting' ? `${state.kind} ${state.reason}` : state.kind;
}

function collected({ name, counts }: CollectorStatus): GatheringFamily['samples'] {
  return Object.entries(counts).map(([what, count]) => [{ collector: name, what }, count] as const);
}
