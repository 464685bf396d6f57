import type { Reporter, TestModule } from 'vitest/node';

/** Names the test files that were not begun because the time for it was over. */
export default class UnstartedTests implements Reporter {
  private readonly unstarted: string[] = [];

  onTestModuleEnd(module: TestModule): void {
    if (module.meta().tooLate === true) this.unstarted.push(module.relativeModuleId);
  }

  onTestRunEnd(): void {
    const count = this.unstarted.length;
    if (count === 0) return;
    console.error(`SKIPPING ${count} test files: the time in which files begin was over.`);
    console.error('MINTSCOPE_TEST_MINUTES sets another. Run what is missing with');
    console.error(`  npm run unit -- ${this.unstarted.toSorted().join(' ')}`);
  }
}
