import type { ClickHouseClusterFacts, ClickHouseFacts } from './clickhouse-facts.ts';
import { type Finding, fail, ok, type Verdict, warn } from './finding.ts';

/** Earlier versions refuse the setting with which insertions wait for the shards. */
const VERSION_MIN = [23, 11] as const;
const REPLICAS_MIN = 2;

/** Judges the ClickHouse server, and the cluster that tables are spread over. */
export function judgeClickHouse(
  facts: ClickHouseFacts,
  cluster: string | null,
): readonly Finding[] {
  return verdictsOf(facts, cluster).map((verdict) => ({ ...verdict, subject: 'ClickHouse' }));
}

function verdictsOf(facts: ClickHouseFacts, name: string | null): readonly Verdict[] {
  if (facts.kind === 'unreachable') {
    const advice = 'Check address, user and password, and that this machine may reach it.';
    return [fail('reachable', facts.reason, advice)];
  }
  const version = versionOf(facts.version);
  if (facts.cluster === null || name === null) return [version];
  if (facts.cluster.hosts.length === 0) {
    const advice = 'Name one of those in its remote_servers: SELECT cluster FROM system.clusters.';
    return [version, fail('cluster', `the server knows no cluster ${name}`, advice)];
  }
  const { cluster } = facts;
  return [version, hostsOf(cluster), replicationOf(cluster), macrosOf(cluster), keeperOf(cluster)];
}

function versionOf(version: string): Verdict {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isNew = major > VERSION_MIN[0] || (major === VERSION_MIN[0] && minor >= VERSION_MIN[1]);
  if (isNew) return ok('version', version);
  const advice = `Update it to ${VERSION_MIN.join('.')} or later.`;
  return fail('version', `${version} cannot insert as this service asks it to`, advice);
}

function hostsOf({ hosts }: ClickHouseClusterFacts): Verdict {
  const replicas = new Map<number, number>();
  for (const { shard } of hosts) replicas.set(shard, (replicas.get(shard) ?? 0) + 1);
  const fewest = Math.min(...replicas.values());
  const message = `${replicas.size} shard(s) with at least ${fewest} replica(s)`;
  if (fewest >= REPLICAS_MIN) return ok('cluster', message);
  const advice = 'A shard with one replica is lost with its machine: give each two or three.';
  return warn('cluster', message, advice);
}

/** Otherwise the Distributed table writes to every replica what these already copy. */
function replicationOf({ hosts }: ClickHouseClusterFacts): Verdict {
  const check = 'internal_replication';
  if (hosts.some(({ hasInternalReplication }) => hasInternalReplication === false)) {
    const advice = 'Set <internal_replication>true</internal_replication> for every shard.';
    return fail(check, 'off for a shard: replicas would get rows twice', advice);
  }
  if (hosts.every(({ hasInternalReplication }) => hasInternalReplication === true)) {
    return ok(check, 'on for every shard');
  }
  const advice = 'Look whether remote_servers has it for every shard.';
  return warn(check, 'this version does not tell', advice);
}

/** Paths of replicated tables are made of them. */
function macrosOf({ macros, hosts }: ClickHouseClusterFacts): Verdict {
  if (macros === null) {
    const advice = 'Look whether all hosts of the cluster run and accept the user.';
    return fail('macros', 'not every host of the cluster answers', advice);
  }
  const substitutionOf = (host: string, name: string) =>
    macros.find((one) => one.host === host && one.macro === name)?.substitution;
  const names = [...new Set(macros.map(({ host }) => host))];
  const places = names.map((host) => [
    substitutionOf(host, 'shard'),
    substitutionOf(host, 'replica'),
  ]);
  const isComplete = places.every((place) => place.every((part) => part !== undefined));
  const distinct = new Set(places.map((place) => place.join('/'))).size;
  if (isComplete && names.length === hosts.length && distinct === hosts.length) {
    return ok('macros', 'every host has its shard and replica');
  }
  const advice = 'Give every host <macros> with its own <shard> and <replica>.';
  return fail('macros', 'hosts without a shard and replica of their own', advice);
}

function keeperOf({ hasKeeper }: ClickHouseClusterFacts): Verdict {
  if (hasKeeper) return ok('keeper', 'reached');
  const advice = 'Replicated tables need ClickHouse Keeper or ZooKeeper: configure <zookeeper>.';
  return fail('keeper', 'the server reaches none', advice);
}
