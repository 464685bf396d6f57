import { afterAll, beforeAll, describe, it } from 'vitest';
import { Random } from '../../simulator/random/random.ts';
import { HAS_NATS, warnWithoutNats } from '../support/nats.ts';
import { CLUSTER_FAULTS, type Victim } from './cluster-faults.ts';
import { CLUSTER_TEST_MS, ClusterProcesses } from './cluster-processes.ts';
import { expectUndisturbed } from './expect-undisturbed.ts';

warnWithoutNats();

/** Kills are part of `cluster.test.ts`. */
const CASES: readonly (readonly [string, Victim])[] = [
  [
    'a writer that is stopped past the takeover is refused when it wakes, and waits',
    'stopped-writer',
  ],
  ['a writer that is cut off is replaced, and waits once the network is back', 'cut-writer'],
  ['a writer that gets no acknowledgements is replaced, and waits afterwards', 'unheard-writer'],
  ['a fold that was stopped applies what it missed', 'stopped-fold'],
  ['a fold that was cut off applies what it missed', 'cut-fold'],
  ['steps go on over a slow network', 'slow'],
  ['blocks that a node shows first and replaces later leave nothing behind', 'lying-node'],
  ['a full stream is named by the writer, which goes on once there is room', 'full-stream'],
];

describe.skipIf(!HAS_NATS)('two ingesters and two folds over one stream', () => {
  let cluster: ClusterProcesses;
  const random = new Random('cluster faults');

  beforeAll(async () => {
    cluster = await ClusterProcesses.start({ seed: 'faults', natsServers: 1, hasFaults: false });
  }, CLUSTER_TEST_MS);

  afterAll(() => cluster?.close());

  for (const [sentence, victim] of CASES) {
    it(
      sentence,
      async () => {
        await CLUSTER_FAULTS[victim](cluster, random);
      },
      CLUSTER_TEST_MS,
    );
  }

  it(
    'end with the data of one undisturbed process, and with each step once in the stream',
    () => expectUndisturbed(cluster),
    CLUSTER_TEST_MS,
  );
});
