import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HAS_NATS, warnWithoutNats } from '../support/nats.ts';
import { CLUSTER_TEST_MS, ClusterProcesses } from './cluster-processes.ts';
import { IN_FLIGHT_MAX, queuedDeliveries, type WireDelivery } from './queued-deliveries.ts';
import type { StormService } from './storm-service.ts';
import { WebhookReceiver } from './webhook-receiver.ts';

warnWithoutNats();

const FOLD = 0;
const GATHERER = 1;
const GATHERS = 'this replica gathers off-chain facts';
const DELIVERS = 'this replica delivers webhooks';
/** Slots in which something happens that a webhook is for, and longer than a lease lasts. */
const LATER_SLOTS = 100;

interface WireCoverage {
  readonly replicas: { readonly state: string; readonly slot: number | null };
  readonly gathering: {
    readonly gatherer: string | null;
    readonly is_gathering: boolean;
    readonly epoch: number | null;
    readonly stored_seq: number;
  };
}

describe.skipIf(!HAS_NATS)('a replica of the role gather beside one that only stores', () => {
  let cluster: ClusterProcesses;
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    receiver = await WebhookReceiver.open();
    const both = {
      MINTSCOPE_WEBHOOK_PRIVATE_ORIGINS: receiver.origin,
      MINTSCOPE_LOG_LEVEL: 'info',
    };
    cluster = await ClusterProcesses.start({
      ...{ seed: 'gather', natsServers: 1, hasFaults: false },
      environments: {
        [`fold-${FOLD}`]: { ...both, MINTSCOPE_OFFCHAIN: 'follow' },
        [`fold-${GATHERER}`]: { ...both, MINTSCOPE_ROLE: 'gather' },
      },
    });
    await receiver.subscribe(cluster.fold(FOLD));
  }, CLUSTER_TEST_MS);

  afterAll(async () => {
    await cluster?.close();
    await receiver?.close();
  });

  const coverageOf = async (fold: StormService): Promise<WireCoverage> =>
    JSON.parse((await fold.get('/v1/coverage')).text);

  /** The sum over all labels; 0 without any. */
  const figureOf = async (index: number, name: string): Promise<number> => {
    const { text } = await cluster.fold(index).get('/metrics');
    const lines = text.matchAll(new RegExp(`^mintscope_${name}(?:\\{.*\\})? (\\S+)$`, 'gm'));
    return [...lines].reduce((sum, [, value]) => sum + Number(value), 0);
  };

  it(
    'gathers for both, and is a replica that answers and is compared',
    async () => {
      await cluster.until('it has gathered', async () => {
        return (await figureOf(GATHERER, 'offchain_fetches_total')) > 0;
      });
      await cluster.until('both have stored the same of it, and agree', async () => {
        const [one, other] = await Promise.all(cluster.folds.map(coverageOf));
        const { stored_seq: seq, epoch } = one?.gathering ?? {};
        // More than the claim with which it began.
        const isStored = seq !== undefined && seq > (epoch ?? seq);
        const haveAgreed = one?.replicas.state === 'agreed' && other?.replicas.state === 'agreed';
        expect(one?.gathering.is_gathering).toBe(false);
        expect([one?.gathering.gatherer, other?.gathering.gatherer]).not.toContain(`fold-${FOLD}`);
        // A starved process cannot renew its lease in time, and takes it again.
        const gathers = other?.gathering.is_gathering === true;
        return isStored && seq === other?.gathering.stored_seq && haveAgreed && gathers;
      });
      const coverages = await Promise.all(cluster.folds.map(coverageOf));
      expect(coverages.map(({ gathering }) => gathering.gatherer)).toEqual(
        cluster.folds.map(() => `fold-${GATHERER}`),
      );
      expect((await cluster.fold(GATHERER).get('/v1/tokens?limit=1')).status).toBe(200);
      expect(await figureOf(FOLD, 'offchain_fetches_total')).toBe(0);
    },
    CLUSTER_TEST_MS,
  );

  it(
    'delivers no webhooks, even while nobody else does, and counts what the other delivers',
    async () => {
      await cluster.until('a delivery', () => receiver.ids.length > 0);
      await cluster.fold(FOLD).stop();
      const whenStopped = receiver.ids.length;
      const queued = (await queuedDeliveries(cluster.fold(GATHERER))).length;
      await cluster.untilFinal(cluster.chain.tipSlot + LATER_SLOTS, [cluster.fold(GATHERER)]);
      await cluster.until('something to deliver', async () => {
        return (await queuedDeliveries(cluster.fold(GATHERER))).length > queued;
      });
      expect(receiver.ids.length).toBe(whenStopped);
      expect(await figureOf(GATHERER, 'replica_delivers_webhooks')).toBe(0);
      await cluster.startFold(FOLD);
      await cluster.until('the other delivers again', () => receiver.ids.length > whenStopped);
      cluster.chain.hold();
      let both: (readonly WireDelivery[])[] = [];
      await cluster.until('both have the same, and nothing waits', async () => {
        both = await Promise.all(cluster.folds.map(queuedDeliveries));
        const slots = cluster.folds.map(({ figures }) => figures.finalSlot);
        const isOver = both.flat().every(({ state }) => state === 'delivered');
        return slots[0] === slots[1] && both[0]?.length === both[1]?.length && isOver;
      });
      const ids = both.map((deliveries) => deliveries.map(({ id }) => id).sort());
      expect(ids[GATHERER]).toEqual(ids[FOLD]);
      expect([...new Set(receiver.ids)].sort()).toEqual(ids[FOLD]);
      // What was in flight when the replica ended may have arrived.
      const repeated = receiver.ids.length - new Set(receiver.ids).size;
      expect(repeated).toBeLessThanOrEqual(IN_FLIGHT_MAX);
    },
    CLUSTER_TEST_MS,
  );

  it(
    'is waited for while it is away: the other delivers, and gathers nothing',
    async () => {
      cluster.chain.go();
      await cluster.fold(GATHERER).stop();
      const fold = cluster.fold(FOLD);
      await cluster.untilFinal(cluster.chain.tipSlot + LATER_SLOTS, [fold]);
      const { gathering } = await coverageOf(fold);
      expect(gathering).toMatchObject({ gatherer: `fold-${GATHERER}`, is_gathering: false });
      expect(await figureOf(FOLD, 'offchain_fetches_total')).toBe(0);
      await cluster.until('it delivers', async () => {
        return (await figureOf(FOLD, 'replica_delivers_webhooks')) === 1;
      });
      const [ofFold, ofGatherer] = cluster.folds.map(({ process }) => process.errorOutput);
      expect(ofFold).toContain(DELIVERS);
      expect(ofFold).not.toContain(GATHERS);
      expect(ofGatherer).toContain(GATHERS);
      expect(ofGatherer).not.toContain(DELIVERS);
    },
    CLUSTER_TEST_MS,
  );
});
