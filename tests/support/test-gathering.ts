import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { Gathering, type GatheringParts } from '../../src/gathering/gathering.ts';
import type { TokenUpdate } from '../../src/gathering/messages.ts';
import type { SafeFetchSettings } from '../../src/lib/safe-fetch/safe-fetch.ts';
import { createSafeFetch } from '../../src/lib/safe-fetch/safe-fetch.ts';
import type { TrackedToken } from '../../src/model/social-post.ts';
import type { Address, Slot } from '../../src/model/units.ts';
import { openOffchainPlane } from '../../src/store/offchain/offchain-plane.ts';
import { OffchainReader } from '../../src/store/offchain/offchain-reader.ts';

export const START_MS = Date.UTC(2026, 0, 15);
export const GATEWAYS = { ipfs: ['http://gateway.test:1'], arweave: ['http://arweave.test:1'] };

/** Gathering with its own clock, whose only public address is 127.0.0.1. */
export interface TestGathering {
  readonly database: DatabaseSync;
  readonly facts: OffchainReader;
  readonly gathering: Gathering;
  readonly dead: string[];
  readonly tracked: TrackedToken[];
  /** Passes tokens on, and waits until all jobs that are due were tried. */
  emit(tokens: readonly TokenUpdate[]): Promise<void>;
  /** Advances the time, and waits until all jobs that are due by then were tried. */
  pass(ms: number): Promise<void>;
  /** Number of jobs of a kind in a state. */
  jobs(kind: string, state: string): number;
}

export interface TestGatheringOptions {
  readonly path?: string;
  readonly ports: readonly number[];
  readonly hash?: GatheringParts['hash'];
  readonly fetch?: Partial<SafeFetchSettings>;
  readonly limits?: GatheringParts['limits'];
}

const NO_PICTURE = async () =>
  ({ kind: 'no-hash', fault: 'not-a-picture', thumbnails: null }) as const;

export function openTestGathering(options: TestGatheringOptions): TestGathering {
  const { path = ':memory:', ports, hash = NO_PICTURE } = options;
  const database = openOffchainPlane(path);
  let passedMs = 0;
  const dead: string[] = [];
  const tracked: TrackedToken[] = [];
  const fetch = createSafeFetch({
    isHttpAllowed: true,
    ports: [...ports],
    gateways: GATEWAYS,
    isAddressAllowed: (address) => address === '127.0.0.1',
    resolve: async () => ['127.0.0.1'],
    totalTimeoutMs: 2_000,
    ...options.fetch,
  });
  const gathering = new Gathering({
    database,
    fetch,
    hash,
    gateways: GATEWAYS,
    clock: { nowMs: () => passedMs, sleep: async () => undefined },
    nowMs: () => START_MS + passedMs,
    random: () => 0.5,
    requestsPerSecond: 1_000,
    onTracked: (tokens) => tracked.push(...tokens),
    onDead: (kind, { key }, fault) => dead.push(`${kind} ${key} ${fault}`),
    onFailure: (error) => {
      throw error;
    },
    ...(options.limits === undefined ? {} : { limits: options.limits }),
  });
  const settled = async (): Promise<void> => {
    gathering.pump();
    while (gathering.running > 0) await delay(2);
  };
  return {
    database,
    facts: new OffchainReader(database),
    gathering,
    dead,
    tracked,
    emit: async (tokens) => {
      gathering.take({ tokens, tracked: [], reached: null });
      await settled();
    },
    pass: async (ms) => {
      passedMs += ms;
      await settled();
    },
    jobs: (kind, state) => {
      const family = gathering.counts.gauges.find(({ name }) => name === 'offchain_jobs');
      const sample = family?.samples.find(
        ([labels]) => labels.kind === kind && labels.state === state,
      );
      return sample?.[1] ?? 0;
    },
  };
}

/** A token whose metadata is at `uri`. */
export function tokenAt(mint: Address, uri: string | null, createdSlot = 1): TokenUpdate {
  const createdAtMs = START_MS - 60_000;
  return { mint, uri, name: 'Cat', symbol: 'CAT', createdSlot: createdSlot as Slot, createdAtMs };
}
