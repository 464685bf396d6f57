import type { Platform } from '../../model/social-post.ts';
import type { CollectorCounts, CollectorState, CollectorStatus } from './collector.ts';

export type CountName = keyof CollectorCounts;

/** Counts the events of a collector, and reports them with its state. */
export class Tally {
  private readonly name: string;
  private readonly platform: Platform;
  private readonly onStatus: (status: CollectorStatus) => void;
  private state: CollectorState = { kind: 'running' };
  private readonly counts: Record<CountName, number> = {
    requests: 0,
    failures: 0,
    posts: 0,
    deletions: 0,
    repeats: 0,
    malformed: 0,
    fromFuture: 0,
    gaps: 0,
    unasked: 0,
  };

  constructor(
    { name, platform }: { readonly name: string; readonly platform: Platform },
    onStatus: (status: CollectorStatus) => void,
  ) {
    this.name = name;
    this.platform = platform;
    this.onStatus = onStatus;
  }

  add(name: CountName, count = 1): void {
    this.counts[name] += count;
  }

  /** For counts that are not sums. */
  set(name: CountName, count: number): void {
    this.counts[name] = count;
  }

  /** Reports the state, by default the current one, and the counts so far. */
  report(state: CollectorState = this.state): void {
    this.state = state;
    const { name, platform, counts } = this;
    this.onStatus({ name, platform, state, counts: { ...counts } });
  }
}
