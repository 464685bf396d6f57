import type { DatabaseSync } from 'node:sqlite';
import type { FastifyBaseLogger } from 'fastify';
import { monotonicClock } from '../lib/clock.ts';
import { DeferredWrites } from '../lib/deferred-writes.ts';
import { isPublicAddress } from '../lib/safe-fetch/public-address.ts';
import { createSafeFetch, SAFE_FETCH_DEFAULTS } from '../lib/safe-fetch/safe-fetch.ts';
import type { PictureHasher } from '../offchain/images/picture-hasher.ts';
import { Gathering } from './gathering.ts';
import type {
  FoldPoint,
  GatheringCounts,
  GatheringSettings,
  TokenBatch,
  TrackingUpdate,
} from './messages.ts';
import { openSocial } from './open-social.ts';
import { createSimulatedFetch } from './simulated-fetch.ts';

/** All that gathers off-chain facts into one database. */
export interface Gatherer {
  readonly reached: FoldPoint | null;
  readonly tracked: readonly TrackingUpdate[];
  readonly counts: GatheringCounts;
  /** Stores a batch, now or as soon as the database takes it; `onTaken` is called then. */
  take(batch: TokenBatch, onTaken: () => void): void;
  /** Starts what is due. Throws transient errors of the database. */
  turn(): void;
  /** The caller closes the database. */
  close(): void;
}

export interface GathererParts {
  readonly database: DatabaseSync;
  readonly hasher: PictureHasher;
  readonly settings: GatheringSettings;
  readonly logger: Pick<FastifyBaseLogger, 'debug' | 'info' | 'warn' | 'error'>;
}

/** Begins to gather, with what the database has. */
export function openGatherer({ database, hasher, settings, logger }: GathererParts): Gatherer {
  const gateways = { ipfs: settings.ipfsGateways, arweave: settings.arweaveGateways };
  const { simulatedWeb } = settings;
  const social = openSocial(database, settings, logger);
  const writes = new DeferredWrites();
  const gathering = new Gathering({
    database,
    fetch:
      simulatedWeb === undefined
        ? createSafeFetch({ gateways, ...rulesOf(settings) })
        : createSimulatedFetch(simulatedWeb),
    hash: (bytes) => hasher.hash(bytes),
    gateways,
    clock: monotonicClock,
    nowMs: Date.now,
    random: Math.random,
    requestsPerSecond: settings.requestsPerSecond,
    onTracked: (tokens) => writes.add(() => social.service.track(tokens)),
    onDead: (kind, { key }, fault) => logger.debug({ kind, key, fault }, 'given up'),
    onFailure: (error) => logger.error({ err: error }, 'gathering a fact failed'),
  });
  return {
    get reached() {
      return gathering.reached;
    },
    get tracked() {
      return gathering.tracked;
    },
    get counts() {
      return joined(gathering.counts, social.counts);
    },
    take: (batch, onTaken) =>
      writes.add(() => {
        gathering.take(batch);
        onTaken();
      }),
    turn() {
      writes.settle();
      gathering.pump();
    },
    close() {
      gathering.close();
      social.close();
    },
  };
}

function joined(one: GatheringCounts, other: GatheringCounts): GatheringCounts {
  return {
    counters: [...one.counters, ...other.counters],
    gauges: [...one.gauges, ...other.gauges],
  };
}

/** The rules for the public internet, plus explicitly allowed private addresses. */
function rulesOf({ allowedPrivate = [] }: GatheringSettings) {
  if (allowedPrivate.length === 0) return {};
  const urls = allowedPrivate.map((address) => new URL(`http://${address}`));
  const addresses = new Set(urls.map(({ hostname }) => hostname));
  const ports = urls.map(({ port }) => Number(port === '' ? 80 : port));
  return {
    isHttpAllowed: true,
    ports: [...SAFE_FETCH_DEFAULTS.ports, ...ports],
    isAddressAllowed: (address: string) => addresses.has(address) || isPublicAddress(address),
  };
}
