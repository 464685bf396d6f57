import type { SourceProgress } from '../source.ts';

/** Rate and time left of the current phase. */
export class Pace {
  private readonly nowMs: () => number;
  private phase: SourceProgress['phase'] | null = null;
  private startedAtMs = 0;

  constructor(nowMs: () => number) {
    this.nowMs = nowMs;
    this.startedAtMs = nowMs();
  }

  follow({ phase }: SourceProgress): void {
    if (this.phase !== null && this.phase !== phase) this.startedAtMs = this.nowMs();
    this.phase = phase;
  }

  /** Null until time has passed and something was counted. */
  ratePerSecond(count: number): number | null {
    const elapsedMs = this.nowMs() - this.startedAtMs;
    return elapsedMs > 0 && count > 0 ? (count * 1_000) / elapsedMs : null;
  }
}

/** Of the current phase, rounded down. */
export function percentOf({ bytesDone, bytesTotal }: SourceProgress): number {
  return bytesTotal === 0 ? 100 : Math.floor((100 * bytesDone) / bytesTotal);
}

/** Sizes, rates, time left and counts, in this order. */
export function progressParts(progress: SourceProgress, pace: Pace): string[] {
  const { bytesDone, bytesTotal, blocks, transactions, problems } = progress;
  const bytesRate = pace.ratePerSecond(bytesDone);
  const parts = [`${megabytes(bytesDone)} of ${megabytes(bytesTotal)} MB`];
  if (bytesRate !== null) {
    parts.push(
      `${megabytes(bytesRate)} MB/s`,
      `${duration((bytesTotal - bytesDone) / bytesRate)} left`,
    );
  }
  if (progress.phase === 'reading') {
    const rate = pace.ratePerSecond(transactions);
    parts.push(`${blocks} slots`, `${transactions} transactions`);
    if (rate !== null) parts.push(`${Math.round(rate)}/s`);
  }
  if (problems > 0) parts.push(`${problems} problems`);
  return parts;
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}

function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3_600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3_600)} h ${Math.floor((whole % 3_600) / 60)} min`;
}
