import { availableParallelism } from 'node:os';
import { StoreError } from '../model/errors.ts';
import { migrateDataPlane } from './migrations/migrate-data-plane.ts';
import { openChdbSession } from './sql/chdb-session.ts';
import { createDatabase, type Deployment, SINGLE_NODE } from './sql/deployment.ts';
import { Lane } from './sql/lane.ts';
import { resourceRemedy } from './sql/resource-remedy.ts';
import { openServerSession, type ServerAddress } from './sql/server-session.ts';
import {
  COMMON_SETTINGS,
  type SessionSettings,
  SqlError,
  type SqlSession,
} from './sql/sql-session.ts';

/** A folder for the embedded engine, or a ClickHouse server and the cluster it belongs to. */
export type DataPlaneLocation = { readonly dataDir: string } | ServerLocation;

export interface ServerLocation extends ServerAddress {
  readonly database?: string;
  readonly cluster?: string | null;
}

/** The ClickHouse part of the store: three lanes over one set of tables. */
export interface DataPlane {
  readonly deployment: Deployment;
  /** One session, so that writes keep their order. */
  readonly writer: Lane;
  /** Queries that take a few milliseconds. */
  readonly fast: Lane;
  /** Reads of the log, checks and maintenance. */
  readonly heavy: Lane;
  close(): Promise<void>;
}

const DATABASE = 'mintscope';

/** Sessions and limits by lane. Together they leave half of Node's thread pool (16) free. */
const LANES = {
  writer: { width: 1, settings: { max_execution_time: 0, max_memory_usage: 1_000_000_000 } },
  fast: {
    width: 3,
    settings: { max_execution_time: 5, max_memory_usage: 400_000_000, max_threads: 1 },
  },
  heavy: { width: 1, settings: { max_execution_time: 600, max_memory_usage: 1_000_000_000 } },
} satisfies Record<string, { width: number; settings: SessionSettings }>;

/**
 * Fast sessions that one account may use at once: never all of them, and at most half as many as
 * the machine has processors, which leaves the rest to ingestion and to other accounts.
 */
const FAST_PER_ACCOUNT = Math.max(1, Math.min(LANES.fast.width - 1, availableParallelism() >> 1));

/**
 * Reads of replicated tables include everything that was written before: a majority of replicas has
 * a part before its insertion returns, one insertion after another, and reads ask for that. With
 * insertions in parallel (the default) the engine ignores what reads ask for, and rows that were
 * inserted without a quorum can stay invisible to them, so every session has all three. Names in
 * `IN` are read from all shards.
 */
const CLUSTER_SETTINGS: SessionSettings = {
  insert_quorum: 'auto',
  insert_quorum_parallel: 0,
  select_sequential_consistency: 1,
  distributed_product_mode: 'global',
};

/**
 * Opens the data plane and migrates its tables. Throws StoreError, with a message that says what to
 * do, when the folder is in use, damaged, or written by another version.
 */
export async function openDataPlane(location: DataPlaneLocation): Promise<DataPlane> {
  const isEmbedded = 'dataDir' in location;
  const label = isEmbedded ? `The folder ${location.dataDir}` : `The database at ${location.url}`;
  const deployment = isEmbedded ? SINGLE_NODE : { cluster: location.cluster ?? null };
  const opened: SqlSession[] = [];
  const laneOf = async (name: keyof typeof LANES, servesClients: boolean) => {
    const { width, settings } = LANES[name];
    const sessions: SqlSession[] = [];
    for (let index = 0; index < width; index++) {
      const session = await openSession(location, deployment, settings);
      sessions.push(session);
      opened.push(session);
    }
    const perAccountMax = servesClients ? FAST_PER_ACCOUNT : width;
    return new Lane(sessions, { name, waitingMax: 256, servesClients, perAccountMax });
  };
  try {
    await prepareDatabase(location, deployment);
    const writer = await laneOf('writer', false);
    const fast = await laneOf('fast', true);
    const heavy = await laneOf('heavy', false);
    const plane = { deployment, writer, fast, heavy, close: () => closeLanes(fast, heavy, writer) };
    await migrateDataPlane(writer, deployment, label);
    return plane;
  } catch (error) {
    for (const session of opened) await session.close();
    throw error instanceof SqlError ? openingFailure(error, label) : error;
  }
}

async function openSession(
  location: DataPlaneLocation,
  deployment: Deployment,
  laneSettings: SessionSettings,
): Promise<SqlSession> {
  const settings = { ...COMMON_SETTINGS, ...laneSettings };
  if (!('dataDir' in location)) {
    return openServerSession(addressOf(location), location.database ?? DATABASE, {
      ...settings,
      ...(deployment.cluster !== null && CLUSTER_SETTINGS),
    });
  }
  const session = await openChdbSession(location.dataDir, settings);
  await session.command(`USE ${DATABASE}`, {});
  return session;
}

async function prepareDatabase(location: DataPlaneLocation, deployment: Deployment): Promise<void> {
  const isEmbedded = 'dataDir' in location;
  const session = isEmbedded
    ? await openChdbSession(location.dataDir, COMMON_SETTINGS)
    : openServerSession(addressOf(location), 'default', COMMON_SETTINGS);
  const database = isEmbedded ? DATABASE : (location.database ?? DATABASE);
  try {
    await session.command(createDatabase(database, deployment), {});
  } finally {
    await session.close();
  }
}

function addressOf({ url, username, password }: ServerLocation): ServerAddress {
  return { url, username, password };
}

async function closeLanes(...lanes: readonly Lane[]): Promise<void> {
  for (const lane of lanes) await lane.close();
}

function openingFailure(error: SqlError, label: string): StoreError {
  // The embedded engine gives no reason for the most common failure, a folder in use.
  const reason =
    error.code === null
      ? `cannot be opened or is in use by another process (${error.message.slice(0, 300)})`
      : `cannot be opened (${error.message.slice(0, 300)})`;
  const remedy =
    resourceRemedy(error.message) ??
    'stop the other process, restore a copy, or name an empty folder and replay';
  return new StoreError(`${label} ${reason}: ${remedy}.`, { cause: error });
}
