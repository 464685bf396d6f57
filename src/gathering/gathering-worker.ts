/**
 * The thread that gathers off-chain facts. It contacts third-party servers and has no access to
 * keys.
 */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { createLogger } from '../api/logger.ts';
import { monotonicClock } from '../lib/clock.ts';
import { DeferredWrites } from '../lib/deferred-writes.ts';
import { isPublicAddress } from '../lib/safe-fetch/public-address.ts';
import { createSafeFetch, SAFE_FETCH_DEFAULTS } from '../lib/safe-fetch/safe-fetch.ts';
import { isTransientError } from '../lib/transient-error.ts';
import { PictureHasher } from '../offchain/images/picture-hasher.ts';
import { dataFolderAt } from '../store/data-folder.ts';
import { openOffchainPlane } from '../store/offchain/offchain-plane.ts';
import { Gathering } from './gathering.ts';
import type { FromGathering, GatheringCounts, GatheringSettings, ToGathering } from './messages.ts';
import { openSocial } from './open-social.ts';
import { createSimulatedFetch } from './simulated-fetch.ts';

/** Intervals of checking for due jobs and of reporting counts. */
const PUMP_MS = 250;
const COUNTS_MS = 2_000;

if (parentPort !== null) gather(parentPort, workerData as GatheringSettings);

function gather(port: MessagePort, settings: GatheringSettings): void {
  const post = (message: FromGathering) => port.postMessage(message);
  const logger = createLogger({
    level: settings.logLevel,
    onUnread: () => post({ kind: 'unread' }),
  });
  const database = openOffchainPlane(dataFolderAt(settings.dataDir).offchainFile);
  const hasher = new PictureHasher();
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
  let isRefused = false;
  /** Writes refused by the database are retried in the next turn. The failure is logged once. */
  const turn = () => {
    try {
      writes.settle();
      gathering.pump();
      if (isRefused) logger.info('gathered data is being stored again');
      isRefused = false;
    } catch (error) {
      if (!isTransientError(error)) throw error;
      if (!isRefused) logger.warn({ err: error }, 'gathered data cannot be stored at the moment');
      isRefused = true;
    }
  };
  const timers = [
    setInterval(turn, PUMP_MS),
    setInterval(
      () => post({ kind: 'counts', counts: joined(gathering.counts, social.counts) }),
      COUNTS_MS,
    ),
  ];
  const close = (): void => {
    for (const timer of timers) clearInterval(timer);
    gathering.close();
    social.close();
    hasher.close();
    database.close();
    // Connections of released jobs are no longer needed: end them with the process of the thread.
    process.exit(0);
  };
  port.on('message', (message: ToGathering) => {
    if (message.kind === 'close') {
      close();
      return;
    }
    writes.add(() => {
      gathering.take(message);
      post({ kind: 'taken', number: message.number });
    });
  });
  post({ kind: 'ready', reached: gathering.reached, tracked: gathering.tracked });
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
