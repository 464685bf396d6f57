import { type RunnerTestFile, type RunnerTestSuite, TestRunner } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** The file was not begun: the time in which files begin was over. */
    tooLate?: boolean;
  }
}

/**
 * Skips files that would begin after `MINTSCOPE_TESTS_BEGIN_UNTIL_MS` (Unix time), so that a run ends
 * in bounded time on a slow machine. `scripts/unstarted-tests.ts` names them.
 */
export default class RunnerInTime extends TestRunner {
  onCollected(files: readonly RunnerTestFile[]): void {
    const untilMs = Number(process.env.MINTSCOPE_TESTS_BEGIN_UNTIL_MS ?? Number.POSITIVE_INFINITY);
    if (Date.now() <= untilMs) return;
    for (const file of files) {
      file.meta.tooLate = true;
      skip(file);
    }
  }
}

function skip(suite: RunnerTestSuite): void {
  suite.mode = 'skip';
  for (const task of suite.tasks) {
    task.mode = 'skip';
    if (task.type === 'suite') skip(task);
  }
}
