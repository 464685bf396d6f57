import { MultiBar, type SingleBar } from 'cli-progress';
import { wrapText } from '../../lib/terminal/wrap-text.ts';
import type { SourceProgress } from '../source.ts';
import { Pace, percentOf, progressParts } from './progress-parts.ts';

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

/** For a terminal that does not know its size. */
const COLUMNS_DEFAULT = 80;

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
      // Beside a bar, the terminal cuts lines at its edge.
      const text = `${wrapText(line, stream.columns || COLUMNS_DEFAULT).join('\n')}\n`;
      if (bar === null || isFinished) stream.write(text);
      else bars.log(text);
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

function lineOf(progress: SourceProgress, pace: Pace): string {
  return `${progress.phase} ${percentOf(progress)}% | ${detailOf(progress, pace)}`;
}

function detailOf(progress: SourceProgress, pace: Pace): string {
  return progressParts(progress, pace).join(', ');
}
