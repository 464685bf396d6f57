import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The slowest test files, with the slowest first, which run after all others; CONTRIBUTING.md says why
 * each is slow.
 */
export const SLOWEST_TESTS: readonly string[] = [
  'tests/conformance/trade-sums.test.ts',
  'tests/chaos/cluster-replicas.test.ts',
  'src/store/reads/trades.test.ts',
  'tests/chaos/live.test.ts',
  'tests/chaos/passing-faults.test.ts',
  'tests/browser/token.test.ts',
  'tests/browser/layout.test.ts',
  'tests/chaos/cluster-truncated.test.ts',
  'tests/acceptance/package.test.ts',
  'tests/chaos/cluster-gather-role.test.ts',
  'tests/replay/replay.test.ts',
  'tests/chaos/full-disk.test.ts',
  'tests/chaos/cluster-lying-node.test.ts',
  'tests/replay/partial-refold.test.ts',
  'tests/replay/unwritten-rows.test.ts',
  'tests/chaos/dropped-log.test.ts',
  'tests/replay/trades.test.ts',
  'src/ingestion/dropped-log.test.ts',
  'tests/conformance/clients-agree.test.ts',
  'tests/acceptance/guides.test.ts',
  'tests/acceptance/node-commands.test.ts',
  'tests/acceptance/simulated-start.test.ts',
  'src/store/exports/stored-exports.test.ts',
  'tests/replay/fine-candles.test.ts',
  'tests/acceptance/release.test.ts',
  'tests/chaos/lost-log-parts.test.ts',
  'tests/chaos/cluster.test.ts',
  'tests/chaos/backup.test.ts',
  'tests/chaos/lost-control.test.ts',
  'tests/chaos/lost-rows.test.ts',
  'tests/chaos/nothing-lost.test.ts',
  'tests/chaos/cluster-webhooks.test.ts',
  'tests/acceptance/client-package.test.ts',
  'tests/replay/past-states.test.ts',
];

/**
 * Starts the slowest of them first, so that no processor is idle at the end while one long file still
 * runs. A clean clone has no durations of earlier runs, and Vitest would go by the sizes of the files,
 * which say little.
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
