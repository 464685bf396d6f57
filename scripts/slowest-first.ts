import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The slowest test files, with the slowest first; CONTRIBUTING.md says why each is slow. */
export const SLOWEST_TESTS: readonly string[] = [
  'tests/acceptance/guides.test.ts',
  'tests/browser/layout.test.ts',
  'tests/chaos/passing-faults.test.ts',
  'tests/chaos/live.test.ts',
  'tests/replay/replay.test.ts',
  'tests/conformance/clients-agree.test.ts',
  'tests/acceptance/node-commands.test.ts',
  'tests/chaos/cluster.test.ts',
  'tests/replay/unwritten-rows.test.ts',
  'tests/replay/trades.test.ts',
  'tests/acceptance/yellowstone.test.ts',
  'tests/chaos/lost-control.test.ts',
  'tests/chaos/lost-log-parts.test.ts',
  'tests/acceptance/client-package.test.ts',
  'tests/chaos/clock-skew.test.ts',
  'tests/replay/past-states.test.ts',
  'tests/chaos/nothing-lost.test.ts',
  'tests/acceptance/script-help.test.ts',
  'tests/acceptance/simulated-start.test.ts',
  'tests/acceptance/package.test.ts',
  'tests/replay/fine-candles.test.ts',
  'tests/chaos/store-failure.test.ts',
  'tests/acceptance/stopping.test.ts',
  'tests/chaos/lost-rows.test.ts',
  'tests/replay/decode-workers.test.ts',
  'tests/acceptance/venue-drift.test.ts',
  'tests/chaos/lost-log-slots.test.ts',
];

/**
 * Starts the slowest files of a project first, so that no processor is idle at its end while one
 * long file still runs. A clean clone has no durations of earlier runs, and Vitest would go by the
 * sizes of the files, which say little.
 */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rankOf = ({ moduleId }: TestSpecification): number => {
      const rank = SLOWEST_TESTS.indexOf(relative(this.ctx.config.root, moduleId));
      return rank === -1 ? SLOWEST_TESTS.length : rank;
    };
    const groupOf = ({ project }: TestSpecification) => project.config.sequence.groupOrder;
    return sorted.toSorted(
      (one, other) => groupOf(one) - groupOf(other) || rankOf(one) - rankOf(other),
    );
  }
}
