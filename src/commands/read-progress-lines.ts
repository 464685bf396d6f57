import type { ReadProgress } from '../store/backup/make-backup.ts';
import { megabytes } from './check-summary.ts';

const LINE_STEP_MS = 1_000;

/** Prints how much of a backup was read, at most one line per second. */
export class ReadProgressLines {
  private readonly write: (line: string) => void;
  private readonly nowMs: () => number;
  private printedAtMs: number;

  constructor(write: (line: string) => void, nowMs: () => number = () => performance.now()) {
    this.write = write;
    this.nowMs = nowMs;
    this.printedAtMs = nowMs();
  }

  report({ files, filesTotal, bytes, bytesTotal }: ReadProgress): void {
    const nowMs = this.nowMs();
    if (nowMs - this.printedAtMs < LINE_STEP_MS) return;
    this.printedAtMs = nowMs;
    const percent = bytesTotal === 0 ? 100 : Math.floor((bytes * 100) / bytesTotal);
    const read = `${megabytes(bytes)} of ${megabytes(bytesTotal)}`;
    this.write(`${percent} %, ${files} of ${filesTotal} files, ${read} read`);
  }
}
