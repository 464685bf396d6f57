import { Pace, percentOf, progressParts } from '../../chain/recorded/progress-parts.ts';
import type { SourceProgress } from '../../chain/source.ts';

const BAR_COLUMNS = 24;

/** The progress of a replay as parts of a status line. */
export class ProgressBar {
  private readonly nowMs: () => number;
  /** Begins with the first report: the service starts before it. */
  private pace: Pace | null = null;
  private newest: SourceProgress | null = null;

  constructor(nowMs: () => number = () => performance.now()) {
    this.nowMs = nowMs;
  }

  report(progress: SourceProgress): void {
    this.pace ??= new Pace(this.nowMs);
    this.pace.follow(progress);
    this.newest = progress;
  }

  /** Null before the first report, and once everything was read. */
  parts(): readonly string[] | null {
    const { newest, pace } = this;
    if (newest === null || pace === null) return null;
    const percent = percentOf(newest);
    if (newest.phase === 'reading' && percent === 100) return null;
    const done = Math.floor((percent * BAR_COLUMNS) / 100);
    const bar = `[${'='.repeat(done)}${'-'.repeat(BAR_COLUMNS - done)}]`;
    return [`${newest.phase} ${bar} ${percent}%`, ...progressParts(newest, pace)];
  }
}
