import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/command-line.ts';
import { HAS_NATS, warnWithoutNats } from '../support/nats.ts';
import { CLUSTER_FAULTS } from './cluster-faults.ts';
import { CLUSTER_TEST_MS, ClusterProcesses, writerOf } from './cluster-processes.ts';
import type { StormService } from './storm-service.ts';
import { streamOffences } from './stream-laws.ts';
import { WebhookReceiver } from './webhook-receiver.ts';

warnWithoutNats();

const HOUR_MS = 3_600_000;
/** Slots after a fault in which everything must be as before. */
const LATER_SLOTS = 20;

/** The part of the answer that is asked for. */
interface WireReplicas {
  readonly state: string;
  readonly slot: number;
  readonly agreed_slot: number | null;
  readonly contradicted_slot: number | null;
  readonly rebuilds: number;
}

const preloaded = (name: string) =>
  `--import=${fileURLToPath(new URL(`../support/${name}.ts`, import.meta.url))}`;

describe.skipIf(!HAS_NATS)('replicas of one stream', () => {
  const folder = temporaryFolder();
  const clockFile = join(folder, 'clock');
  const damageFile = join(folder, 'damage');
  const jumping = (stepMs: number) => ({
    NODE_OPTIONS: preloaded('skewed-clock'),
    CLOCK_STEP_FILE: clockFile,
    CLOCK_STEP_MS: String(stepMs),
  });
  let cluster: ClusterProcesses;
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    receiver = await WebhookReceiver.open();
    const delivering = {
      ...jumping(HOUR_MS),
      MINTSCOPE_WEBHOOK_PRIVATE_ORIGINS: receiver.origin,
    };
    cluster = await ClusterProcesses.start({
      ...{ seed: 'replicas', natsServers: 1, hasFaults: false, folds: 3, hasOwnNodes: true },
      environments: {
        'ingest-a': jumping(HOUR_MS),
        'ingest-b': jumping(-HOUR_MS),
        'fold-0': delivering,
        'fold-1': { ...delivering, ...jumping(-HOUR_MS) },
        'fold-2': { NODE_OPTIONS: preloaded('damaged-memory'), DAMAGE_FILE: damageFile },
      },
    });
    await receiver.subscribe(cluster.fold(0));
  }, CLUSTER_TEST_MS);

  afterAll(async () => {
    await cluster?.close();
    await receiver?.close();
  });

  const replicasOf = async (fold: StormService) => {
    const { text } = await fold.get('/v1/coverage');
    return (JSON.parse(text) as { replicas: WireReplicas }).replicas;
  };
  const figureOf = async (fold: StormService, name: string) => {
    const { text } = await fold.get('/metrics');
    return Number(new RegExp(`^mintscope_${name} (\\S+)$`, 'm').exec(text)?.[1] ?? 'NaN');
  };
  /** The replica that delivers webhooks: a starved process may have no lease for a moment. */
  const holderOf = async (what: string) => {
    let holding: readonly number[] = [];
    await cluster.until(what, async () => {
      const figures = await Promise.all(
        cluster.folds.map((fold) => figureOf(fold, 'replica_delivers_webhooks')),
      );
      holding = figures.flatMap((figure, index) => (figure === 1 ? [index] : []));
      return holding.length === 1;
    });
    return holding[0];
  };
  /** Once they have compared a slot that came later than now. */
  const untilAgreed = async (...indexes: readonly number[]) => {
    const from = cluster.chain.tipSlot;
    for (const index of indexes) {
      await cluster.until(`fold ${index} agrees`, async () => {
        const { state, slot } = await replicasOf(cluster.fold(index));
        return state === 'agreed' && slot >= from;
      });
    }
  };

  it(
    'leave the branch of a writer whose node was on another fork than that of the next',
    async () => {
      const { chain } = cluster;
      // Only this node shows branches that the chain leaves.
      chain.spoil(0, { confirmsDropped: true });
      chain.spoil(1, { confirmsDropped: false });
      if ((await cluster.writer()) === 'ingest-b') await CLUSTER_FAULTS['stopped-writer'](cluster);
      const dropped = await killOnFork(cluster);
      const ms = await cluster.follows(dropped.seq, (head) => writerOf(head) === 'ingest-b');
      expect(ms).toBeGreaterThan(0);
      await cluster.untilFinal(chain.tipSlot + LATER_SLOTS);
      const heads = await cluster.heads();
      const after = heads.filter(({ seq }) => seq > dropped.seq);
      const undo = after.find(({ step }) => step.kind === 'undo');
      expect(undo?.step).toMatchObject({ kind: 'undo' });
      expect(undo?.step.kind === 'undo' ? undo.step.toSlot : Number.NaN).toBeLessThan(dropped.slot);
      const finals = new Set(heads.map(({ final }) => final?.blockhash ?? ''));
      expect([...finals].filter((hash) => chain.droppedHashes.has(hash))).toEqual([]);
      expect(streamOffences(heads)).toEqual([]);
      await cluster.startIngester('ingest-a');
    },
    CLUSTER_TEST_MS,
  );

  it(
    'have the same writer and the same holder of the lease when their clocks jump by hours',
    async () => {
      const { seq } = await cluster.lastHead();
      const writer = await cluster.writer();
      const before = await holderOf('the lease is held');
      writeFileSync(clockFile, '');
      for (const [index, seconds] of [HOUR_MS, -HOUR_MS].map((ms) => ms / 1_000).entries()) {
        await cluster.until(`the clock of fold ${index} jumped`, async () => {
          const stepped = await figureOf(cluster.fold(index), 'clock_step_seconds');
          return Math.abs(stepped - seconds) < 60;
        });
      }
      await cluster.untilFinal(cluster.chain.tipSlot + LATER_SLOTS);
      const heads = await cluster.heads();
      const writers = new Set(heads.filter((head) => head.seq > seq).map(writerOf));
      expect([...writers]).toEqual([writer]);
      expect(await holderOf('the lease is held still')).toBe(before);
      await untilAgreed(0, 1, 2);
    },
    CLUSTER_TEST_MS,
  );

  /** Once it answers no more; resolves with the slot after which it was contradicted. */
  const untilContradicted = async (index: number, state: RegExp) => {
    const fold = cluster.fold(index);
    await cluster.until(`fold ${index} is contradicted`, async () => {
      return state.test((await replicasOf(fold)).state);
    });
    return (await replicasOf(fold)).contradicted_slot ?? Number.NaN;
  };

  it(
    'compute a state again that was damaged before its checkpoint was made, and agree again',
    async () => {
      await untilAgreed(0, 1, 2);
      const agreed = (await replicasOf(cluster.fold(2))).agreed_slot ?? Number.NaN;
      for (const index of [0, 1]) await cluster.fold(index).kill();
      writeFileSync(damageFile, '');
      // Slots that it has applied already are right, and an orderly stop undoes those not final.
      await cluster.untilFinal(cluster.chain.tipSlot + LATER_SLOTS, [cluster.fold(2)]);
      rmSync(damageFile);
      // It makes a checkpoint, and nobody has contradicted its state.
      await cluster.fold(2).stop();
      const damagedThrough = cluster.fold(2).figures.finalSlot ?? Number.NaN;
      for (const index of [0, 1, 2]) await cluster.startFold(index);
      await cluster.untilFinal(0);
      await untilAgreed(0, 1, 2);
      const { contradicted_slot, rebuilds, agreed_slot } = await replicasOf(cluster.fold(2));
      expect({ contradicted_slot, rebuilds }).toEqual({ contradicted_slot: null, rebuilds: 1 });
      expect(agreed_slot).toBeGreaterThan(damagedThrough);
      expect(await figureOf(cluster.fold(2), 'replica_rebuilds_total')).toBe(1);
      expect((await cluster.fold(2).get('/v1/tokens?limit=1')).status).toBe(200);
      const said = cluster.fold(2).process.errorOutput;
      const [, begin = '', until = ''] =
        /computes its state again (.*), since they agreed until slot (\d+)/.exec(said) ?? [];
      expect(begin).toMatch(/^from (its checkpoint after slot \d+|the start of its log)$/);
      expect(Number(until)).toBeGreaterThanOrEqual(agreed - LATER_SLOTS);
      expect(Number(until)).toBeLessThan(damagedThrough);
    },
    // Three processes start, and one of them folds its log twice.
    2 * CLUSTER_TEST_MS,
  );

  it(
    'stay stopped when their memory stays damaged, while the others agree',
    async () => {
      const damaged = cluster.fold(2);
      // It may be far behind the chain on a busy machine.
      const fromSlot = damaged.figures.finalSlot ?? 0;
      writeFileSync(damageFile, '');
      // One rebuild was before; each of the others takes its time on a busy machine.
      for (const count of [2, 3]) {
        await cluster.until(`rebuild ${count} of fold 2`, async () => {
          const { rebuilds, state } = await replicasOf(damaged);
          return rebuilds >= count || state === 'minority';
        });
      }
      const slot = await untilContradicted(2, /minority/);
      await cluster.until('fold 2 answers no more', async () => {
        return (await damaged.get('/v1/tokens?limit=1')).status === 503;
      });
      const ready = await damaged.get('/readyz');
      expect([ready.status, ready.text]).toEqual([
        503,
        expect.stringMatching(
          /differs from that of most replicas \(fold-0, fold-1\).*mintscope restore/,
        ),
      ]);
      expect(slot).toBeGreaterThanOrEqual(fromSlot);
      // A restart would not help.
      expect((await damaged.get('/livez')).status).toBe(200);
      await untilAgreed(0, 1);
    },
    2 * CLUSTER_TEST_MS,
  );
});

/** Kills the first ingester while the last block of the stream is on a branch that the chain leaves. */
async function killOnFork(cluster: ClusterProcesses) {
  const { chain } = cluster;
  await chain.holdOnFork();
  const lastDropped = async () => {
    const moves = (await cluster.heads()).filter(({ step: { kind } }) => /facts|undo/.test(kind));
    const last = moves.at(-1);
    if (last?.step.kind !== 'facts') return null;
    const { slot, blockhash } = last.step;
    return chain.droppedHashes.has(blockhash) ? { seq: last.seq, slot } : null;
  };
  await cluster.until('the stream has the branch', async () => (await lastDropped()) !== null);
  const { process, finished } = cluster.ingester('ingest-a');
  process.kill('SIGKILL');
  await finished;
  const last = await lastDropped();
  chain.go();
  if (last === null) throw new Error('the branch was left while the chain was held');
  return last;
}
