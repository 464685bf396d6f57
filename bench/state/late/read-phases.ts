import type { Read } from '../../live-reads.ts';
import { percentile } from '../../live-statistics.ts';

/**
 * Before the late slot, until answers have it, and until its rows are in one layer; reads that are
 * broken off at the end are of none.
 */
export const PHASES = ['before', 'refolding', 'merging'] as const;
export type Phase = (typeof PHASES)[number];

/** Answers in a phase. */
export interface ReadFigures {
  readonly reads: number;
  /** Answered with another status than 200, or not at all. */
  readonly failed: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly longestMs: number;
}

/** Reads by the phase in which they were answered. */
export class ReadPhases {
  phase: Phase | 'over' = 'before';
  private readonly reads: Readonly<Record<Phase, Read[]>> = {
    before: [],
    refolding: [],
    merging: [],
  };

  add(read: Read): void {
    if (this.phase !== 'over') this.reads[this.phase].push(read);
  }

  of(phase: Phase): ReadFigures {
    const reads = this.reads[phase];
    const ms = reads.map(({ sentAtMs, answeredAtMs }) => answeredAtMs - sentAtMs);
    return {
      reads: reads.length,
      failed: reads.filter(({ status }) => status !== 200).length,
      p50Ms: percentile(ms, 0.5),
      p99Ms: percentile(ms, 0.99),
      longestMs: percentile(ms, 1),
    };
  }
}
