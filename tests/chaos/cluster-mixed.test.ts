import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Vote } from '../../src/cluster/agreement.ts';
import { temporaryFolder } from '../support/command-line.ts';
import { HAS_NATS, warnWithoutNats } from '../support/nats.ts';
import { CLUSTER_TEST_MS, ClusterProcesses, STREAM } from './cluster-processes.ts';
import { expectUndisturbed } from './expect-undisturbed.ts';
import type { StormService } from './storm-service.ts';

warnWithoutNats();

/** Three refolds and as many comparisons: minutes, which the gate does not have. */
const HAS_UPGRADE = process.env.MINTSCOPE_TEST_ROLLING_UPGRADE === '1';

if (!HAS_UPGRADE) {
  process.stdout.write(
    'SKIPPING the rolling upgrade: set MINTSCOPE_TEST_ROLLING_UPGRADE=1 to run it.\n',
  );
}

/** A setting that is part of the rules, as another version of the fold is. */
const EARLIER = { MINTSCOPE_SOL_USD_FALLBACK: '140' };
/** Of a replica whose state is another one too, so that it would be outvoted if it was compared. */
const ODD = { MINTSCOPE_SOL_USD_FALLBACK: '160' };
/** What the calm run of `endAndJudge` has. */
const LATER = { MINTSCOPE_SOL_USD_FALLBACK: '150' };
/** Slots that must pass while something is upgraded. */
const MEANWHILE_SLOTS = 5;
/** Points on which the one must have voted for another state than the two. */
const OTHER_POINTS = 10;

/** The part of the answer that is asked for. */
interface WireReplicas {
  readonly state: string;
  readonly slot: number | null;
  readonly contradicted_slot: number | null;
  readonly rebuilds: number;
  readonly others: readonly {
    readonly name: string;
    readonly slot: number;
    readonly is_equal: boolean;
  }[];
  readonly other_rules: readonly string[];
}

describe.skipIf(!HAS_NATS)('three replicas of which one has other rules', () => {
  const damageFile = join(temporaryFolder(), 'damage');
  const preloaded = new URL('../support/damaged-memory.ts', import.meta.url);
  const damaged = {
    NODE_OPTIONS: `--import=${fileURLToPath(preloaded)}`,
    DAMAGE_FILE: damageFile,
  };
  const votes: Vote[] = [];
  let cluster: ClusterProcesses;

  beforeAll(async () => {
    cluster = await ClusterProcesses.start({
      ...{ seed: 'mixed', natsServers: 1, hasFaults: false, folds: 3 },
      environments: { 'fold-0': EARLIER, 'fold-1': EARLIER, 'fold-2': { ...ODD, ...damaged } },
    });
    cluster.connection.subscribe(`${STREAM}-digests`, {
      callback: (_, message) => {
        votes.push(JSON.parse(message.string()) as Vote);
      },
    });
  }, CLUSTER_TEST_MS);

  afterAll(() => cluster?.close());

  const replicasOf = async (fold: StormService) => {
    const { text } = await fold.get('/v1/coverage');
    return (JSON.parse(text) as { replicas: WireReplicas }).replicas;
  };

  /** Once a replica and these others have compared a slot that came later than now. */
  const untilEqual = async (index: number, names: readonly string[]) => {
    const from = cluster.chain.tipSlot;
    await cluster.until(`fold ${index} agrees with ${names.join(' and ')}`, async () => {
      const { state, others } = await replicasOf(cluster.fold(index));
      const isEqualTo = (name: string) =>
        others.some((other) => other.name === name && other.is_equal && other.slot >= from);
      return state === 'agreed' && names.every(isEqualTo);
    });
  };

  /** Once a replica has heard of others whose rules differ, and of no more. */
  const untilOtherRules = (index: number, names: readonly string[]) =>
    cluster.until(`fold ${index} names ${names.join(' and ')}`, async () => {
      const { other_rules } = await replicasOf(cluster.fold(index));
      return other_rules.join() === names.join();
    });

  /** Nobody has contradicted it, and it answers. */
  const expectWell = async (index: number) => {
    const { contradicted_slot, rebuilds, state } = await replicasOf(cluster.fold(index));
    expect({ index, contradicted_slot, rebuilds }).toEqual({
      ...{ index, contradicted_slot: null, rebuilds: 0 },
    });
    expect(state).toMatch(/^(alone|agreed)$/);
    expect((await cluster.fold(index).get('/v1/tokens?limit=1')).status).toBe(200);
  };

  /** The digests of a replica by the points that it voted on. */
  const digestsOf = (replica: string) =>
    new Map(
      votes
        .filter((vote) => vote.replica === replica)
        .map(({ slot, blockhash, lateSeq, digest }) => [`${slot} ${blockhash} ${lateSeq}`, digest]),
    );

  it(
    'answer all, and the one is named, contradicts nobody and is outvoted by nobody',
    async () => {
      await untilEqual(0, ['fold-1']);
      await untilEqual(1, ['fold-0']);
      await untilOtherRules(0, ['fold-2']);
      await untilOtherRules(1, ['fold-2']);
      await untilOtherRules(2, ['fold-0', 'fold-1']);
      for (const index of [0, 1, 2]) await expectWell(index);
      const { state, slot, others } = await replicasOf(cluster.fold(2));
      expect({ state, slot, others }).toEqual({ state: 'alone', slot: null, others: [] });
      writeFileSync(damageFile, '');
      const damagedFrom = cluster.chain.tipSlot + MEANWHILE_SLOTS;
      /** Points of all three after that, with their digests. */
      const common = () => {
        const [one, two, odd] = ['fold-0', 'fold-1', 'fold-2'].map(digestsOf);
        return [...(one ?? [])]
          .filter(([point]) => Number(point.split(' ')[0]) > damagedFrom)
          .map(([point, digest]) => ({ digest, second: two?.get(point), odd: odd?.get(point) }))
          .filter(({ second, odd: third }) => second !== undefined && third !== undefined);
      };
      const isOther = ({ digest, odd }: ReturnType<typeof common>[number]) => digest !== odd;
      // At each of these points it would have been outvoted.
      await cluster.until('other states', () => common().filter(isOther).length >= OTHER_POINTS);
      expect(common().filter(({ digest, second }) => digest !== second)).toEqual([]);
      await untilEqual(0, ['fold-1']);
      for (const index of [0, 1, 2]) await expectWell(index);
      rmSync(damageFile);
    },
    CLUSTER_TEST_MS,
  );

  it.skipIf(!HAS_UPGRADE)(
    'are upgraded one by one with the ingesters while the chain goes on',
    async () => {
      for (const name of ['ingest-a', 'ingest-b']) {
        const { process, finished } = cluster.ingester(name);
        process.kill('SIGTERM');
        expect((await finished).exitCode).toBe(0);
        await cluster.follows((await cluster.lastHead()).seq);
        cluster.beats.delete(name);
        await cluster.startIngester(name);
        await cluster.until(`${name} is back`, () => cluster.beats.has(name));
      }
      const upgrade = async (index: number) => {
        await cluster.fold(index).stop();
        const others = cluster.folds.filter((_, at) => at !== index);
        await cluster.untilFinal(cluster.chain.tipSlot + MEANWHILE_SLOTS, others);
        await cluster.startFold(index, LATER);
        await cluster.untilFinal(cluster.chain.tipSlot, [cluster.fold(index)]);
      };
      // Other rules make it apply its log again, which the damage is not in.
      await upgrade(2);
      await upgrade(0);
      await untilEqual(0, ['fold-2']);
      await untilEqual(2, ['fold-0']);
      await untilOtherRules(1, ['fold-0', 'fold-2']);
      for (const index of [0, 1, 2]) await expectWell(index);
      await upgrade(1);
      for (const index of [0, 1, 2]) {
        const names = ['fold-0', 'fold-1', 'fold-2'].filter((_, at) => at !== index);
        await untilEqual(index, names);
        await untilOtherRules(index, []);
        await expectWell(index);
      }
    },
    2 * CLUSTER_TEST_MS,
  );

  it.skipIf(!HAS_UPGRADE)(
    'end with the data of one undisturbed process, and with each step once in the stream',
    () => expectUndisturbed(cluster),
    CLUSTER_TEST_MS,
  );
});
