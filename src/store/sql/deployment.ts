/**
 * Where the ClickHouse SQL runs. The queries are the same everywhere; only the engine clauses of
 * the DDL differ, and every one of them comes from this file.
 */
export interface Deployment {
  /** Name of the ClickHouse cluster, null for one node: embedded or a single server. */
  readonly cluster: string | null;
}

export const SINGLE_NODE: Deployment = { cluster: null };

/** A table of the data plane: rows with the same sort key replace each other by `version`. */
export interface TableDescription {
  readonly name: string;
  /** Column declarations, one each. A `version UInt64` must be among them. */
  readonly columns: readonly string[];
  readonly partitionBy: string;
  readonly orderBy: readonly string[];
  /**
   * Expression that picks the shard. Must depend on sort key columns only: rows that replace each
   * other have to meet on one shard.
   */
  readonly shardBy: string;
}

/**
 * Small granules and compact parts keep point reads at a few milliseconds. Inserts are fsynced
 * because the cursor in the control plane is: it must not survive a power cut that its data did
 * not. With these alone a part that is broken at start fails the start; migration 6 lifts that.
 */
const STORAGE_SETTINGS = [
  'index_granularity = 512',
  'min_bytes_for_wide_part = 1000000000000',
  'fsync_after_insert = 1',
  'fsync_part_directory = 1',
  'max_suspicious_broken_parts = 0',
  'max_suspicious_broken_parts_bytes = 0',
].join(', ');

/** The statements that create a table, in order. Running them again changes nothing. */
export function createTable(table: TableDescription, deployment: Deployment): string[] {
  const { cluster } = deployment;
  const body = `(\n  ${table.columns.join(',\n  ')}\n)`;
  const layout = [
    `PARTITION BY ${table.partitionBy}`,
    `ORDER BY (${table.orderBy.join(', ')})`,
    `SETTINGS ${STORAGE_SETTINGS}`,
  ].join('\n');
  if (cluster === null) {
    const engine = 'ENGINE = ReplacingMergeTree(version)';
    return [`CREATE TABLE IF NOT EXISTS ${table.name} ${body}\n${engine}\n${layout}`];
  }
  const local = storageTable(table.name, deployment);
  const path = `'/clickhouse/tables/{shard}/{database}/${local}'`;
  const replicated = `ENGINE = ReplicatedReplacingMergeTree(${path}, '{replica}', version)`;
  const distributed = `Distributed(${cluster}, currentDatabase(), ${local}, ${table.shardBy})`;
  return [
    `CREATE TABLE IF NOT EXISTS ${local} ON CLUSTER ${cluster} ${body}\n${replicated}\n${layout}`,
    `CREATE TABLE IF NOT EXISTS ${table.name} ON CLUSTER ${cluster} AS ${local}\n` +
      `ENGINE = ${distributed}`,
  ];
}

/** A column that a table of an earlier migration gets; its declaration has a default. */
export interface ColumnAddition {
  readonly table: string;
  readonly column: string;
}

/** The statements that add a column, in order. Running them again changes nothing. */
export function addColumn({ table, column }: ColumnAddition, deployment: Deployment): string[] {
  const local = storageTable(table, deployment);
  const places = local === table ? [table] : [local, table];
  return places.map(
    (name) => `ALTER TABLE ${name}${onCluster(deployment)} ADD COLUMN IF NOT EXISTS ${column}`,
  );
}

/** The statement that changes how a table is kept. Running it again changes nothing. */
export function changeSettings(
  table: string,
  settings: readonly string[],
  deployment: Deployment,
): string {
  const target = `${storageTable(table, deployment)}${onCluster(deployment)}`;
  return `ALTER TABLE ${target} MODIFY SETTING ${settings.join(', ')}`;
}

export function createDatabase(database: string, deployment: Deployment): string {
  return `CREATE DATABASE IF NOT EXISTS ${database}${onCluster(deployment)}`;
}

/** Removes rows for good. `isAwaited`: the statement returns only when they are gone everywhere. */
export function deleteRows(
  table: string,
  condition: string,
  deployment: Deployment,
  isAwaited: boolean,
): string {
  const target = `${storageTable(table, deployment)}${onCluster(deployment)}`;
  const sync = isAwaited ? 2 : 0;
  return `ALTER TABLE ${target} DELETE WHERE ${condition} SETTINGS mutations_sync = ${sync}`;
}

/** The table that holds the rows themselves: behind a Distributed table, its local half. */
function storageTable(name: string, deployment: Deployment): string {
  return deployment.cluster === null ? name : `${name}_local`;
}

function onCluster(deployment: Deployment): string {
  return deployment.cluster === null ? '' : ` ON CLUSTER ${deployment.cluster}`;
}
