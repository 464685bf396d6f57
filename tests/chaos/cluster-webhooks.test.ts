import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HAS_NATS, warnWithoutNats } from '../support/nats.ts';
import { CLUSTER_TEST_MS, ClusterProcesses } from './cluster-processes.ts';
import { IN_FLIGHT_MAX, queuedDeliveries, type WireDelivery } from './queued-deliveries.ts';
import { WebhookReceiver } from './webhook-receiver.ts';

warnWithoutNats();

const LATER_SLOTS = 20;

describe.skipIf(!HAS_NATS)('webhooks of two replicas', () => {
  let cluster: ClusterProcesses;
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    receiver = await WebhookReceiver.open();
    const delivering = {
      MINTSCOPE_WEBHOOK_PRIVATE_ORIGINS: receiver.origin,
      MINTSCOPE_LOG_LEVEL: 'info',
    };
    cluster = await ClusterProcesses.start({
      ...{ seed: 'webhooks', natsServers: 1, hasFaults: false },
      environments: { 'fold-0': delivering, 'fold-1': delivering },
    });
    await receiver.subscribe(cluster.fold(0));
  }, CLUSTER_TEST_MS);

  afterAll(async () => {
    await cluster?.close();
    await receiver?.close();
  });

  const deliverers = async (): Promise<readonly number[]> => {
    const pages = await Promise.all(cluster.folds.map((fold) => fold.get('/metrics')));
    return pages.flatMap(({ text }, index) =>
      /^mintscope_replica_delivers_webhooks 1$/m.test(text) ? [index] : [],
    );
  };

  it(
    'arrive, each, while the one that delivers is stopped past its lease and wakes',
    async () => {
      await cluster.until('a delivery', () => receiver.ids.length > 0);
      let leader = 0;
      await cluster.until('one delivers', async () => {
        const [first] = await deliverers();
        leader = first ?? 0;
        return first !== undefined;
      });
      await cluster.fold(leader).freeze();
      const whenStopped = receiver.ids.length;
      await cluster.until('the other delivers', () => receiver.ids.length > whenStopped);
      cluster.fold(leader).thaw();
      const whenWoken = receiver.ids.length;
      await cluster.untilFinal(cluster.chain.tipSlot + LATER_SLOTS);
      await cluster.until('a later delivery', () => receiver.ids.length > whenWoken);
      cluster.chain.hold();
      let queued: (readonly WireDelivery[])[] = [];
      await cluster.until('both have the same, and nothing waits', async () => {
        queued = await Promise.all(cluster.folds.map(queuedDeliveries));
        const slots = cluster.folds.map(({ figures }) => figures.finalSlot);
        const counts = queued.map(({ length }) => length);
        const isOver = queued.flat().every(({ state }) => state === 'delivered');
        return slots[0] === slots[1] && counts[0] === counts[1] && isOver;
      });
      const ids = queued.map((deliveries) => deliveries.map(({ id }) => id).sort());
      // The one that was not stopped has queued what a process that nothing happened to queues.
      expect(ids[leader]).toEqual(ids[1 - leader]);
      expect([...new Set(receiver.ids)].sort()).toEqual(ids[0]);
      const logs = cluster.folds.map(({ process }) => process.errorOutput).join('');
      const tenures = logs.match(/this replica delivers webhooks/g)?.length ?? 0;
      expect(tenures).toBeGreaterThanOrEqual(2);
      const repeated = receiver.ids.length - new Set(receiver.ids).size;
      expect(repeated).toBeLessThanOrEqual(IN_FLIGHT_MAX * (tenures - 1));
    },
    CLUSTER_TEST_MS,
  );
});
