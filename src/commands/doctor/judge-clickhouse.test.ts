import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLUSTER, startClickHouseCluster } from '../../../tests/support/clickhouse-cluster.ts';
import {
  type ClickHouseClusterFacts,
  type ClickHouseFacts,
  type HostMacro,
  readClickHouseFacts,
} from './clickhouse-facts.ts';
import { judgeClickHouse } from './judge-clickhouse.ts';

const HOSTS = ['a', 'b', 'c', 'd'].map((name, index) => ({
  name,
  shard: 1 + Math.floor(index / 2),
  hasInternalReplication: true,
}));

/** Macros of hosts, written as "shard/replica". */
const macrosOf = (places: Readonly<Record<string, string>>): HostMacro[] =>
  Object.entries(places).flatMap(([host, place]) => {
    const [shard = '', replica = ''] = place.split('/');
    return [
      { host, macro: 'shard', substitution: shard },
      { host, macro: 'replica', substitution: replica },
    ];
  });

const GOOD: ClickHouseClusterFacts = {
  hosts: HOSTS,
  macros: macrosOf({ a: '1/1', b: '1/2', c: '2/1', d: '2/2' }),
  hasKeeper: true,
};

const reached = (cluster: Partial<ClickHouseClusterFacts> | null, version = '25.8.3.1') =>
  ({
    kind: 'reached',
    version,
    cluster: cluster === null ? null : { ...GOOD, ...cluster },
  }) as const;

const statuses = (facts: ClickHouseFacts) =>
  Object.fromEntries(judgeClickHouse(facts, 'prod').map(({ check, status }) => [check, status]));

const FINE = {
  version: 'ok',
  cluster: 'ok',
  internal_replication: 'ok',
  macros: 'ok',
  keeper: 'ok',
};

describe('doctor about ClickHouse', () => {
  it('accepts two shards of two replicas', () => {
    expect(statuses(reached({}))).toEqual(FINE);
  });

  it.each([
    ['23.10.5.20', 'fail'],
    ['22.12.1.1', 'fail'],
    ['23.11.1.1', 'ok'],
    ['24.1.0.1', 'ok'],
    ['unknown', 'fail'],
  ])('judges version %s of a single server: %s', (version, status) => {
    expect(statuses(reached(null, version))).toEqual({ version: status });
  });

  it('warns of a shard that one machine can take away', () => {
    const hosts = HOSTS.slice(0, 3);
    const macros = macrosOf({ a: '1/1', b: '1/2', c: '2/1' });
    expect(statuses(reached({ hosts, macros }))).toEqual({ ...FINE, cluster: 'warn' });
  });

  it.each([
    [false, 'fail'],
    [null, 'warn'],
  ])('judges a shard whose internal replication is %s: %s', (hasInternalReplication, status) => {
    const hosts = HOSTS.map((host, index) =>
      index === 3 ? { ...host, hasInternalReplication } : host,
    );
    expect(statuses(reached({ hosts }))).toEqual({ ...FINE, internal_replication: status });
  });

  it.each([
    ['two hosts are the same replica', macrosOf({ a: '1/1', b: '1/1', c: '2/1', d: '2/2' })],
    ['a host did not answer', macrosOf({ a: '1/1', b: '1/2', c: '2/1' })],
    ['a host has no replica', macrosOf({ a: '1/1', b: '1/2', c: '2/1', d: '2/2' }).slice(0, -1)],
    ['the cluster cannot be asked', null],
  ])('refuses macros when %s', (_, macros) => {
    expect(statuses(reached({ macros }))).toEqual({ ...FINE, macros: 'fail' });
  });

  it('refuses a cluster without a keeper, and one that the server does not know', () => {
    expect(statuses(reached({ hasKeeper: false }))).toEqual({ ...FINE, keeper: 'fail' });
    expect(statuses(reached({ hosts: [] }))).toEqual({ version: 'ok', cluster: 'fail' });
  });

  it('says that no server answers, and names neither user nor password', async () => {
    const location = { url: 'http://127.0.0.1:9', username: 'reader', password: 'hunter2' };
    const facts = await readClickHouseFacts({ ...location, cluster: 'prod' }, 2_000);
    const findings = judgeClickHouse(facts, 'prod');
    expect(findings).toMatchObject([{ check: 'reachable', status: 'fail' }]);
    expect(JSON.stringify([facts, findings])).not.toMatch(/hunter2|reader/);
  });

  describe('of a cluster of one host without a keeper', () => {
    let folder: string;
    let server: Awaited<ReturnType<typeof startClickHouseCluster>>;

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'clickhouse-facts-'));
      server = await startClickHouseCluster(folder);
    });

    afterAll(async () => {
      await server.close();
      rmSync(folder, { recursive: true });
    });

    const ask = (cluster: string) =>
      readClickHouseFacts({ url: server.url, username: 'default', password: '', cluster }, 60_000);

    it('reads its hosts and macros, and sees that there is no keeper', async () => {
      const facts = await ask(CLUSTER);
      expect(facts).toMatchObject({
        kind: 'reached',
        cluster: {
          hosts: [{ name: '127.0.0.1', shard: 1, hasInternalReplication: true }],
          hasKeeper: false,
        },
      });
      expect(statuses(facts)).toEqual({ ...FINE, cluster: 'warn', keeper: 'fail' });
    });

    it('knows no cluster of another name', async () => {
      expect(await ask('other')).toMatchObject({ cluster: { hosts: [] } });
    });
  });
});
