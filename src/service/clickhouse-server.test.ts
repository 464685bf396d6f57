import { expect, test } from 'vitest';
import { readConfig } from '../config/config.ts';
import { UsageError } from '../model/errors.ts';
import { clickHouseServerOf } from './clickhouse-server.ts';

const serverOf = (flags: Record<string, string>) => clickHouseServerOf(readConfig({}, flags));

test('without an address the engine in the data folder is used', () => {
  expect(serverOf({})).toBeNull();
});

test('a server has a database of its own name, and no cluster unless one is named', () => {
  expect(serverOf({ clickhouseUrl: 'http://history:8123' })).toEqual({
    url: 'http://history:8123',
    username: 'default',
    password: '',
    database: 'mintscope',
    cluster: null,
  });
});

test('replicas of one cluster have databases of their own', () => {
  const clickhouseUrl = 'http://history:8123';
  const named = { clickhouseUrl, clickhouseDatabase: 'replica_2', clickhouseCluster: 'prod' };
  expect(serverOf(named)).toMatchObject({ database: 'replica_2', cluster: 'prod' });
});

test('a cluster without a server is refused with what to do', () => {
  expect(() => serverOf({ clickhouseCluster: 'prod' })).toThrow(UsageError);
  expect(() => serverOf({ clickhouseCluster: 'prod' })).toThrow(/--clickhouse-url/);
});

test.each(['prod; DROP', "p'", '1st', '', 'a-b', 'ä'])(
  'a name that is not plain in SQL is refused: %j',
  (clickhouseCluster) => {
    expect(() => readConfig({}, { clickhouseCluster })).toThrow(/clickhouse-cluster must be/);
    expect(() => readConfig({}, { clickhouseDatabase: clickhouseCluster })).toThrow(/must be/);
  },
);
