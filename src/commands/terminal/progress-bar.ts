import { Pace, percentOf, progressParts } from '../../chain/recorded/progress-parts.ts';
import type { SourceProgress } from '../../chain/source.ts';

const BAR_COLUMNS = 24;

/** The progress of a replay as parts of a status line. */
export class ProgressBar {
  private readonly pace: Pace;
  private newest: SourceProgress | null = null;

  constructor(nowMs: () => number = () => performance.now()) {
    this.pace = new Pace(nowMs);
  }

  report(progress: SourceProgress): void {
    this.pace.follow(progress);
    this.newest = progress;
  }

  /** Null before the first report, and once everything was read. */
  parts(): readonly string[] | null {
    const { newest } = this;
    if (newest === null) return null;
    const percent = percentOf(newest);
    if (newest.phase === 'reading' && percent === 100) return null;
    const done = Math.floor((percent * BAR_COLUMNS) / 100);
    const bar = `[${'='.repeat(done)}${'-'.repeat(BAR_COLUMNS - done)}]`;
    return [`${newest.phase} ${bar} ${percent}%`, ...progressParts(newest, this.pace)];
  }
}
