import { describe, expect, it } from 'vitest';
import { HAS_NATS, warnWithoutNats } from '../support/nats.ts';
import { CLUSTER_TEST_MS } from './cluster-processes.ts';
import { runClusterStorm } from './cluster-storm.ts';

warnWithoutNats();

describe.skipIf(!HAS_NATS)('two ingesters, two folds and two nodes over one stream', () => {
  it(
    'end with the data of one undisturbed process after kills of the writer, a fold and a node, while reads go on',
    async () => {
      const result = await runClusterStorm({
        seed: 'cluster',
        natsServers: 1,
        victims: ['writer', 'fold', 'api', 'writer'],
        hasFaults: false,
      });
      expect(result.differences).toEqual([]);
      expect(result.slots).toBeGreaterThan(50);
      expect(result.trades).toBeGreaterThan(100);
      const writers = result.resumeMs.filter(({ victim }) => victim === 'writer');
      expect(writers).toHaveLength(2);
      expect(result.reads).toHaveLength(2);
      for (const { answers } of result.reads) expect(answers).toBeGreaterThan(20);
      expect(result.freshnessMs.length).toBeGreaterThanOrEqual(10);
    },
    CLUSTER_TEST_MS,
  );
});
