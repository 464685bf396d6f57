import { describe, expect, test } from 'vitest';
import { createDatabase, createTable, deleteRows, dropTable, SINGLE_NODE } from './deployment.ts';

const CLUSTER = { cluster: 'prod' };
const table = {
  name: 'swaps',
  columns: ['pool String', 'version UInt64'],
  partitionBy: 'epoch',
  orderBy: ['epoch', 'pool'],
  shardBy: 'cityHash64(pool)',
};

describe('the DDL of a table', () => {
  test('is one statement on a single node', () => {
    const [statement, ...more] = createTable(table, SINGLE_NODE);
    expect(more).toEqual([]);
    expect(statement).toContain('CREATE TABLE IF NOT EXISTS swaps (\n  pool String,');
    expect(statement).toContain('ENGINE = ReplacingMergeTree(version)\n');
    expect(statement).toContain('PARTITION BY epoch\nORDER BY (epoch, pool)\n');
  });

  test('is a replicated table and a distributed table over it on a cluster', () => {
    const [local, distributed, ...more] = createTable(table, CLUSTER);
    expect(more).toEqual([]);
    expect(local).toContain('CREATE TABLE IF NOT EXISTS swaps_local ON CLUSTER prod (');
    expect(local).toContain(
      "ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/swaps_local', " +
        "'{replica}', version)",
    );
    expect(distributed).toBe(
      'CREATE TABLE IF NOT EXISTS swaps ON CLUSTER prod AS swaps_local\n' +
        'ENGINE = Distributed(prod, currentDatabase(), swaps_local, cityHash64(pool))',
    );
  });

  test('differs between deployments only in the engine clauses', () => {
    const [single] = createTable(table, SINGLE_NODE);
    const [local] = createTable(table, CLUSTER);
    const neutral = (statement: string | undefined) =>
      statement?.replace(/^ENGINE.*$/m, '').replace(/swaps(_local ON CLUSTER prod)?/, 'swaps');
    expect(neutral(local)).toBe(neutral(single));
  });
});

test('rows are deleted from the table that stores them', () => {
  expect(deleteRows('swaps', 'epoch < 2', SINGLE_NODE, true)).toBe(
    'ALTER TABLE swaps DELETE WHERE epoch < 2 SETTINGS mutations_sync = 2',
  );
  expect(deleteRows('swaps', 'epoch < 2', CLUSTER, false)).toBe(
    'ALTER TABLE swaps_local ON CLUSTER prod DELETE WHERE epoch < 2 SETTINGS mutations_sync = 0',
  );
});

test('a database is created on every node', () => {
  expect(createDatabase('mintscope', SINGLE_NODE)).toBe('CREATE DATABASE IF NOT EXISTS mintscope');
  expect(createDatabase('mintscope', CLUSTER)).toBe(
    'CREATE DATABASE IF NOT EXISTS mintscope ON CLUSTER prod',
  );
});

test('a table is removed with the one that stores its rows', () => {
  expect(dropTable('swaps', SINGLE_NODE)).toEqual(['DROP TABLE swaps SYNC']);
  expect(dropTable('swaps', CLUSTER)).toEqual([
    'DROP TABLE swaps ON CLUSTER prod SYNC',
    'DROP TABLE swaps_local ON CLUSTER prod SYNC',
  ]);
});
