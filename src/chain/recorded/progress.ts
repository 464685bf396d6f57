import { MultiBar, type SingleBar } from 'cli-progress';
import type { SourceProgress } from '../source.ts';

/** Shows the progress of a source on standard error; other lines can be printed in between. */
export interface ProgressReporter {
  readonly report: (progress: SourceProgress) => void;
  /** Prints a line without breaking the display. */
  readonly note: (line: string) => void;
  /** Shows the final state and restores the terminal. */
  readonly finish: () => void;
}

/** Receives lines when there is no terminal. */
export interface ProgressOutput {
  write(text: string): unknown;
}

/** A bar with rate and time left on a terminal, otherwise at most one plain line per second. */
export function createProgressReporter(
  output: ProgressOutput | NodeJS.WriteStream = process.stderr,
  nowMs: () => number = Date.now,
): ProgressReporter {
  const isTerminal = 'isTTY' in output && output.isTTY;
  return isTerminal ? barReporter(output, nowMs) : lineReporter(output, nowMs);
}

const LINE_STEP_MS = 1_000;

function lineReporter(output: ProgressOutput, nowMs: () => number): ProgressReporter {
  const pace = new Pace(nowMs);
  let printedAtMs = nowMs();
  let unprinted: SourceProgress | null = null;
  const print = (progress: SourceProgress) => {
    output.write(`${lineOf(progress, pace)}\n`);
    printedAtMs = nowMs();
    unprinted = null;
  };
  return {
    report: (progress) => {
      pace.follow(progress);
      unprinted = progress;
      if (nowMs() - printedAtMs >= LINE_STEP_MS) print(progress);
    },
    note: (line) => output.write(`${line}\n`),
    finish: () => {
      if (unprinted !== null) print(unprinted);
    },
  };
}

/** The command handles signals itself. */
const BAR_OPTIONS = {
  format: '{phase} [{bar}] {percentage}% | {detail}',
  hideCursor: true,
  fps: 5,
  gracefulExit: false,
};

function barReporter(stream: NodeJS.WriteStream, nowMs: () => number): ProgressReporter {
  const pace = new Pace(nowMs);
  const bars = new MultiBar({ ...BAR_OPTIONS, stream });
  let bar: SingleBar | null = null;
  let isFinished = false;
  return {
    report: (progress) => {
      pace.follow(progress);
      const { phase, bytesDone, bytesTotal } = progress;
      const fields = { phase, detail: detailOf(progress, pace) };
      bar ??= bars.create(bytesTotal, 0, fields);
      bar.setTotal(bytesTotal);
      bar.update(bytesDone, fields);
    },
    note: (line) => {
      if (bar === null || isFinished) stream.write(`${line}\n`);
      else bars.log(`${line}\n`);
    },
    finish: () => {
      if (bar === null || isFinished) return;
      // Without this, notes waiting for the next redraw are lost.
      bars.update();
      bars.stop();
      isFinished = true;
    },
  };
}

/** Rate and time left of the current phase. */
class Pace {
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

function lineOf(progress: SourceProgress, pace: Pace): string {
  const { phase, bytesDone, bytesTotal } = progress;
  const percent = bytesTotal === 0 ? 100 : Math.floor((100 * bytesDone) / bytesTotal);
  return `${phase} ${percent}% | ${detailOf(progress, pace)}`;
}

function detailOf(progress: SourceProgress, pace: Pace): string {
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
  return parts.join(', ');
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
