import { type RunnerTestFile, TestRunner, test } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** The file was not begun: the time in which files begin was over. */
    tooLate?: boolean;
  }
}

/**
 * Does not load files that would begin after `MINTSCOPE_TEST_BEGIN_UNTIL_MS` (Unix time), so that a
 * run ends in bounded time on a slow machine: each has one skipped test in place of its own.
 * `scripts/unstarted-tests.ts` names them.
 */
export default class RunnerInTime extends TestRunner {
  private readonly tooLate = new Set<string>();

  override importFile(path: string, source: 'collect' | 'setup'): unknown {
    const untilMs = Number(process.env.MINTSCOPE_TEST_BEGIN_UNTIL_MS ?? Number.POSITIVE_INFINITY);
    if (source === 'setup' || Date.now() <= untilMs) return super.importFile(path, source);
    this.tooLate.add(path);
    test.skip('is not begun: the time in which files begin is over', () => undefined);
    return undefined;
  }

  onCollected(files: readonly RunnerTestFile[]): void {
    for (const file of files) if (this.tooLate.has(file.filepath)) file.meta.tooLate = true;
  }
}
