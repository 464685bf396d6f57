import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand, temporaryFolder } from '../support/command-line.ts';
import { HAS_NATS, warnWithoutNats } from '../support/nats.ts';
import { CLUSTER_TEST_MS, ClusterProcesses, STREAM } from './cluster-processes.ts';
import type { StormService } from './storm-service.ts';

warnWithoutNats();

/** Final slots before the backup, and of the stream that the backup makes unnecessary. */
const PAST_SLOTS = 150;
/** Slots that the stream keeps before the backup: more than are not final at a time. */
const KEPT_SLOTS = 60;
/** Final slots after the backup, which only the stream has for a new replica. */
const LATER_SLOTS = 30;

/** What both replicas must answer alike, from before the stream begins on. */
const PATHS = [
  '/v1/tokens?order_by=newest&order_dir=asc&limit=100',
  '/v1/tokens?order_by=newest&order_dir=desc&limit=100',
  '/v1/fraud/classifications?limit=100',
];

interface WireReplicas {
  readonly state: string;
  readonly slot: number;
}

describe.skipIf(!HAS_NATS)('a stream whose beginning was removed', () => {
  const place = join(temporaryFolder(), 'backups');
  let cluster: ClusterProcesses;
  let backupSlot = Number.NaN;

  beforeAll(async () => {
    cluster = await ClusterProcesses.start({
      ...{ seed: 'truncated', natsServers: 1, hasFaults: false, folds: 1 },
      environments: { 'fold-1': { MINTSCOPE_BACKUP_STORE: place } },
    });
    const first = (await cluster.heads()).find(({ final }) => final !== null);
    const begun = first?.final?.slot ?? Number.NaN;
    await cluster.untilFinal(begun + PAST_SLOTS);
    backupSlot = await storeBackup();
    await cluster.untilFinal(backupSlot + LATER_SLOTS);
    const kept = (await cluster.heads()).find(
      ({ final }) => (final?.slot ?? -1) >= backupSlot - KEPT_SLOTS,
    );
    if (kept === undefined) throw new Error('the stream does not reach the backup');
    await cluster.manager.streams.purge(STREAM, { seq: kept.seq });
    expect((await cluster.heads())[0]?.seq).toBe(kept.seq);
    expect(kept.final?.slot).toBeGreaterThan(begun);
  }, CLUSTER_TEST_MS);

  afterAll(async () => {
    await cluster?.close();
  });

  /** Beside the running replica; the slot that it is as of. */
  async function storeBackup(): Promise<number> {
    const { stdout, stderr, exitCode } = await runCommand([
      ...['backup', '--to-store', '--backup-store', place],
      ...['--data-dir', cluster.folders[0] ?? '', '--json'],
    ]);
    expect(exitCode, stderr).toBe(0);
    return (JSON.parse(stdout) as { slot: number }).slot;
  }

  /** The answers of a replica at one slot; null if it went on meanwhile. */
  async function answersOf(fold: StormService) {
    const { slot } = await fold.slotNow();
    const texts = await Promise.all(PATHS.map(async (path) => (await fold.get(path)).text));
    return (await fold.slotNow()).slot === slot ? { slot, texts } : null;
  }

  it(
    'is no obstacle to a new replica that begins with the backup of another, which then agrees and answers alike',
    async () => {
      await cluster.startFold(1);
      await cluster.untilFinal(backupSlot + LATER_SLOTS);
      const said = cluster.fold(1).process.errorOutput;
      expect(said).not.toMatch(/log-truncated/);
      const fromSlot = cluster.chain.tipSlot;
      for (const index of [0, 1]) {
        await cluster.until(`fold ${index} agrees`, async () => {
          const { text } = await cluster.fold(index).get('/v1/coverage');
          const { replicas } = JSON.parse(text) as { replicas: WireReplicas };
          return replicas.state === 'agreed' && replicas.slot >= fromSlot;
        });
      }
      cluster.chain.hold();
      await cluster.until('both answer alike', async () => {
        const [first, second] = await Promise.all([0, 1].map((i) => answersOf(cluster.fold(i))));
        if (first === null || second === null || first?.slot !== second?.slot) return false;
        expect(second).toEqual(first);
        return true;
      });
      cluster.chain.go();
    },
    CLUSTER_TEST_MS,
  );

  it(
    'stops a new replica without a backup, which says where the stream begins and what to do',
    async () => {
      await cluster.startFold(2);
      const fold = cluster.fold(2);
      await cluster.until('fold 2 refuses', async () => {
        if (fold.origin === '') return false;
        const { status, text } = await fold.get('/readyz');
        return status === 503 && text.includes('older messages were removed');
      });
      const { text } = await fold.get('/readyz');
      expect(text).toMatch(/this data folder is empty.*mintscope restore/);
      const block = (await cluster.heads()).find(({ step }) => step.kind === 'facts')?.step;
      const before = block?.kind === 'facts' ? block.parentSlot : null;
      expect(text).toContain(`begins after slot ${before},`);
    },
    CLUSTER_TEST_MS,
  );
});
