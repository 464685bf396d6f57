import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HAS_NATS, warnWithoutNats } from '../support/nats.ts';
import { CLUSTER_FAULTS } from './cluster-faults.ts';
import {
  CLUSTER_TEST_MS,
  ClusterProcesses,
  type LoggedHead,
  writerOf,
} from './cluster-processes.ts';
import { endAndJudge } from './cluster-storm.ts';
import { expectUndisturbed } from './expect-undisturbed.ts';
import { streamOffences } from './stream-laws.ts';

warnWithoutNats();

const PUMP = '6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P';
/** The node that only the first ingester asks. */
const LIAR = 0;
/** Slots of a lie, and those after it in which everything must be as before. */
const LIE_SLOTS = 20;
const LATER_SLOTS = 20;

/** Two ingesters with one node each, of which the first writes. */
async function clusterOf(seed: string): Promise<ClusterProcesses> {
  const cluster = await ClusterProcesses.start({
    ...{ seed, natsServers: 1, hasFaults: false, hasOwnNodes: true },
  });
  if ((await cluster.writer()) === 'ingest-b') {
    await CLUSTER_FAULTS['stopped-writer'](cluster);
  }
  return cluster;
}

const blocksOf = (heads: readonly LoggedHead[]) =>
  heads.flatMap(({ seq, step }) =>
    step.kind === 'facts' ? [{ seq, slot: step.slot, blockhash: step.blockhash }] : [],
  );

/** Hashes of blocks that some branch of the chain has. */
const hashesOf = ({ chain }: ClusterProcesses) =>
  new Set(chain.steps.map(({ block }) => block.blockhash));

/** The last block of the stream, if it is one that the chain never had. */
async function lastInvented(cluster: ClusterProcesses) {
  const moves = (await cluster.heads()).filter(({ step: { kind } }) => /^(facts|undo)$/.test(kind));
  const [last] = blocksOf(moves.slice(-1));
  return last === undefined || hashesOf(cluster).has(last.blockhash) ? null : last;
}

describe.skipIf(!HAS_NATS)('an ingester whose only node shows other blocks first', () => {
  let cluster: ClusterProcesses;

  beforeAll(async () => {
    cluster = await clusterOf('lone liar');
  }, CLUSTER_TEST_MS);

  afterAll(() => cluster?.close());

  it(
    'is corrected by the blocks that follow, or by the other ingester when it is killed',
    async () => {
      const { chain } = cluster;
      chain.spoil(LIAR, { equivocation: 1 });
      for (const until = chain.tipSlot + LIE_SLOTS; chain.tipSlot < until; ) {
        await cluster.follows((await cluster.lastHead()).seq);
      }
      let invented = null;
      while (invented === null) {
        chain.go();
        await cluster.until(
          'an invented block',
          async () => (await lastInvented(cluster)) !== null,
        );
        // The node shows it until later slots came.
        chain.hold();
        invented = await lastInvented(cluster);
      }
      const { process, finished } = cluster.ingester('ingest-a');
      process.kill('SIGKILL');
      await finished;
      const last = await lastInvented(cluster);
      const { seq } = await cluster.lastHead();
      await cluster.follows(seq, (head) => writerOf(head) === 'ingest-b');
      chain.go();
      await cluster.untilFinal(chain.tipSlot + LATER_SLOTS);
      const heads = await cluster.heads();
      const undo = heads.find((head) => head.seq > seq && head.step.kind === 'undo');
      expect(undo === undefined ? '' : writerOf(undo)).toBe('ingest-b');
      expect(undo?.step.kind === 'undo' ? undo.step.toSlot : Number.NaN).toBeLessThan(
        last?.slot ?? Number.NaN,
      );
      const known = hashesOf(cluster);
      expect(heads.filter(({ final }) => final !== null && !known.has(final.blockhash))).toEqual(
        [],
      );
      chain.spoil(LIAR, { equivocation: 0 });
      await cluster.startIngester('ingest-a');
    },
    CLUSTER_TEST_MS,
  );

  it(
    'leaves the data of one undisturbed process, and each step once in the stream',
    () => expectUndisturbed(cluster),
    CLUSTER_TEST_MS,
  );
});

describe.skipIf(!HAS_NATS)('an ingester whose only node lies about the contents of blocks', () => {
  let cluster: ClusterProcesses;

  beforeAll(async () => {
    cluster = await clusterOf('believed liar');
  }, CLUSTER_TEST_MS);

  afterAll(() => cluster?.close());

  it(
    'is believed by all replicas alike, and not contradicted by the other ingester',
    async () => {
      const { chain } = cluster;
      const fromSlot = chain.tipSlot + 1;
      const { seq } = await cluster.lastHead();
      chain.spoil(LIAR, { changedPrograms: { [PUMP]: { fromSlot, toSlot: null } } });
      await cluster.untilFinal(fromSlot + LIE_SLOTS);
      chain.spoil(LIAR, { changedPrograms: {} });
      await cluster.untilFinal(chain.tipSlot + LATER_SLOTS);
      const heads = await cluster.heads();
      const known = hashesOf(cluster);
      expect(blocksOf(heads).filter(({ blockhash }) => !known.has(blockhash))).toEqual([]);
      const writers = new Set(heads.filter((head) => head.seq > seq).map(writerOf));
      expect([...writers]).toEqual(['ingest-a']);
      expect(streamOffences(heads)).toEqual([]);
      // Neither the stream nor the comparison of replicas shows it, and both lack the same trades.
      const { differences } = await endAndJudge(cluster);
      const of = (index: number) =>
        differences
          .filter((words) => words.startsWith(`fold ${index}: `))
          .map((words) => words.replace(/^fold \d+: /, ''));
      expect(of(0)).toEqual(of(1));
      expect(of(0)).toContain('the digest differs from that of the calm run');
      expect(of(0)).toContain('sums of pools differ from those of the venues');
      expect(differences).toHaveLength(of(0).length + of(1).length);
    },
    CLUSTER_TEST_MS,
  );
});
