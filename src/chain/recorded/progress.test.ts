import { Writable } from 'node:stream';
import { WriteStream } from 'node:tty';
import { describe, expect, test } from 'vitest';
import type { SourceProgress } from '../source.ts';
import { createProgressReporter } from './progress.ts';

const PROGRESS: SourceProgress = {
  phase: 'reading',
  bytesDone: 25_000_000,
  bytesTotal: 100_000_000,
  blocks: 10,
  transactions: 2_000,
  votes: 5,
  duplicates: 0,
  problems: 0,
};

describe('without a terminal', () => {
  test('one line per second shows rate and time left, and the last state is printed', () => {
    const written: string[] = [];
    let now = 0;
    const reporter = createProgressReporter(
      { write: (text: string) => written.push(text) },
      () => now,
    );
    reporter.report({ ...PROGRESS, bytesDone: 0, transactions: 0 });
    now = 999;
    reporter.report(PROGRESS);
    now = 2_000;
    reporter.report(PROGRESS);
    reporter.report(PROGRESS);
    now = 2_500;
    reporter.report({ ...PROGRESS, bytesDone: 100_000_000, problems: 3 });
    reporter.note('beside');
    reporter.finish();
    reporter.finish();
    // 25 MB and 2,000 transactions in 2 s; 75 MB more at 12.5 MB/s.
    expect(written).toEqual([
      'reading 25% | 25.0 of 100.0 MB, 12.5 MB/s, 6 s left, 10 slots, 2000 transactions, 1000/s\n',
      'beside\n',
      'reading 100% | 100.0 of 100.0 MB, 40.0 MB/s, 0 s left, 10 slots, 2000 transactions, 800/s, 3 problems\n',
    ]);
  });

  test('each phase has its own pace', () => {
    const written: string[] = [];
    let now = 0;
    const reporter = createProgressReporter(
      { write: (text: string) => written.push(text) },
      () => now,
    );
    reporter.report({ ...PROGRESS, phase: 'indexing', bytesDone: 100_000_000 });
    now = 10_000;
    reporter.report({ ...PROGRESS, bytesDone: 0 });
    now = 11_000;
    reporter.report({ ...PROGRESS, bytesDone: 10_000 });
    expect(written.at(-1)).toContain('0.0 of 100.0 MB, 0.0 MB/s, 2 h 46 min left');
  });
});

test('on a terminal a bar shows the same figures, and notes are printed above it', async () => {
  let drawn = '';
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      drawn += chunk.toString();
      done();
    },
  });
  const terminal = Object.assign(sink, {
    isTTY: true,
    columns: 200,
    rows: 24,
    cursorTo: WriteStream.prototype.cursorTo,
    moveCursor: WriteStream.prototype.moveCursor,
    clearLine: WriteStream.prototype.clearLine,
  }) as unknown as NodeJS.WriteStream;
  let now = 0;
  const reporter = createProgressReporter(terminal, () => now);
  now = 2_000;
  reporter.note('before');
  reporter.report(PROGRESS);
  reporter.note('beside');
  reporter.finish();
  reporter.finish();
  expect(drawn).toContain('before\n');
  expect(drawn).toContain('beside\n');
  expect(drawn).toContain('] 25% | 25.0 of 100.0 MB, 12.5 MB/s, 6 s left');
});
