import type { Reporter, TestCase } from 'vitest/node';

/**
 * Names the tests that passed only when they were repeated. Such a test depends on more than the
 * change, most often on the speed of the machine: it is a defect to be mended, but no reason to
 * refuse the change.
 */
export default class RepeatedTests implements Reporter {
  private readonly repeated: string[] = [];

  onTestCaseResult(test: TestCase): void {
    if (test.result().state !== 'passed' || (test.diagnostic()?.retryCount ?? 0) === 0) return;
    const errors = test.result().errors ?? [];
    const reason = errors[0]?.message.split('\n')[0] ?? 'no reason was given';
    this.repeated.push(`${test.module.relativeModuleId} > ${test.fullName}: ${reason}`);
  }

  onTestRunEnd(): void {
    if (this.repeated.length === 0) return;
    console.error(`Failed at first and passed when repeated, to be mended:`);
    for (const line of this.repeated) console.error(`  ${line}`);
  }
}
