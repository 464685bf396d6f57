import { describe, expect, it } from 'vitest';
import { HAS_NATS, warnWithoutNats } from '../support/nats.ts';
import { CLUSTER_TEST_MS } from './cluster-processes.ts';
import { runClusterStorm } from './cluster-storm.ts';

warnWithoutNats();

describe.skipIf(!HAS_NATS)('two ingesters and two folds over one stream', () => {
  it(
    'end with the data of one undisturbed process after kills of the writer and of a fold',
    async () => {
      const result = await runClusterStorm({
        seed: 'cluster',
        natsServers: 1,
        victims: ['writer', 'fold', 'writer'],
        hasFaults: false,
      });
      expect(result.differences).toEqual([]);
      expect(result.slots).toBeGreaterThan(50);
      expect(result.trades).toBeGreaterThan(100);
      const writers = result.resumeMs.filter(({ victim }) => victim === 'writer');
      expect(writers).toHaveLength(2);
      expect(result.freshnessMs.length).toBeGreaterThanOrEqual(10);
    },
    CLUSTER_TEST_MS,
  );
});
