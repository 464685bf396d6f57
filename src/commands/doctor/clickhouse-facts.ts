import type { ServerLocation } from '../../store/data-plane.ts';
import { openServerSession } from '../../store/sql/server-session.ts';
import { SqlError, type SqlSession } from '../../store/sql/sql-session.ts';

/** What is asked of a ClickHouse server. */
export type ClickHouseFacts =
  | { readonly kind: 'unreachable'; readonly reason: string }
  | {
      readonly kind: 'reached';
      readonly version: string;
      /** Null if no cluster is configured. */
      readonly cluster: ClickHouseClusterFacts | null;
    };

export interface ClickHouseClusterFacts {
  readonly hosts: readonly ClickHouseHost[];
  /** Macros of each host, by host name; null if not every host could be asked. */
  readonly macros: readonly HostMacro[] | null;
  /** Whether the server reaches its keeper, which replication needs. */
  readonly hasKeeper: boolean;
}

/** A host of the cluster as the server's configuration describes it. */
export interface ClickHouseHost {
  readonly name: string;
  readonly shard: number;
  /** Null if this version does not tell. */
  readonly hasInternalReplication: boolean | null;
}

export interface HostMacro {
  readonly host: string;
  readonly macro: string;
  readonly substitution: string;
}

interface ClusterRow {
  readonly host_name: string;
  readonly shard_num: number;
  readonly internal_replication?: number;
}

/** Asks the server about itself and its cluster, each question within a time limit. Never rejects. */
export async function readClickHouseFacts(
  location: ServerLocation,
  deadlineMs: number,
): Promise<ClickHouseFacts> {
  const { url, username, password, cluster } = location;
  const settings = { max_execution_time: Math.ceil(deadlineMs / 1_000) };
  const session = openServerSession({ url, username, password, deadlineMs }, 'default', settings);
  try {
    const [row] = await session.rows<{ version: string }>('SELECT version() AS version', {});
    const name = cluster ?? null;
    return {
      kind: 'reached',
      version: row?.version ?? 'unknown',
      cluster: name === null ? null : await clusterOf(session, name),
    };
  } catch (error) {
    if (!(error instanceof SqlError)) throw error;
    return { kind: 'unreachable', reason: reasonOf(error) };
  } finally {
    await session.close();
  }
}

async function clusterOf(session: SqlSession, cluster: string): Promise<ClickHouseClusterFacts> {
  const rows = await session.rows<ClusterRow>(
    'SELECT * FROM system.clusters WHERE cluster = {cluster:String} ORDER BY shard_num, replica_num',
    { cluster },
  );
  const hosts = rows.map(({ host_name: name, shard_num: shard, internal_replication: own }) => ({
    name,
    shard,
    hasInternalReplication: own === undefined ? null : own === 1,
  }));
  const macros = await unlessRefused(() =>
    session.rows<HostMacro>(
      'SELECT hostName() AS host, macro, substitution ' +
        'FROM clusterAllReplicas({cluster:String}, system.macros) ORDER BY host, macro',
      { cluster },
    ),
  );
  const keeper = await unlessRefused(() =>
    session.rows("SELECT name FROM system.zookeeper WHERE path = '/' LIMIT 1", {}),
  );
  return { hosts, macros, hasKeeper: keeper !== null };
}

/** Null if the server refuses the query or cannot run it. */
async function unlessRefused<Result>(query: () => Promise<Result>): Promise<Result | null> {
  try {
    return await query();
  } catch (error) {
    if (error instanceof SqlError) return null;
    throw error;
  }
}

/** Without what the server says of users and addresses. */
function reasonOf({ code }: SqlError): string {
  if (code === null) return 'no server answers';
  return code === AUTHENTICATION_FAILED
    ? 'the server refuses user or password'
    : `the server refuses the question (code ${code})`;
}

const AUTHENTICATION_FAILED = 516;
