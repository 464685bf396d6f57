/**
 * Where the ClickHouse SQL runs. The queries are the same everywhere; only the engine clauses of
 * the DDL differ, and this file produces all of them.
 */
export interface Deployment {
  /** Name of the ClickHouse cluster, null for one node: embedded or a single server. */
  readonly cluster: string | null;
}

export const SINGLE_NODE: Deployment = { cluster: null };

/** A table of the data plane: rows with the same sort key replace each other by `version`. */
export interface TableDescription {
  readonly name: string;
  /** One declaration per column. They must include `version UInt64`. */
  readonly columns: readonly string[];
  readonly partitionBy: string;
  readonly orderBy: readonly string[];
  /**
   * Expression that selects the shard. Must depend only on sort key columns: rows that replace each
   * other must be on the same shard.
   */
  readonly shardBy: string;
}

/**
 * Small granules and compact parts keep point reads at a few milliseconds. Inserts are fsynced
 * because the cursor in the control plane is: after a power cut the cursor must not cover rows that
 * were lost. With these settings a broken part fails the start; migration 6 changes that.
 */
const STORAGE_SETTINGS = [
  'index_granularity = 512',
  'min_bytes_for_wide_part = 1000000000000',
  'fsync_after_insert = 1',
  'fsync_part_directory = 1',
  'max_suspicious_broken_parts = 0',
  'max_suspicious_broken_parts_bytes = 0',
];

/**
 * The statements that create a table, in order. Idempotent. `settings` (`name = value`) take the
 * place of those of the same name.
 */
export function createTable(
  table: TableDescription,
  deployment: Deployment,
  settings: readonly string[] = [],
): string[] {
  const { cluster } = deployment;
  const body = `(\n  ${table.columns.join(',\n  ')}\n)`;
  const layout = [
    `PARTITION BY ${table.partitionBy}`,
    `ORDER BY (${table.orderBy.join(', ')})`,
    `SETTINGS ${withChanged(STORAGE_SETTINGS, settings).join(', ')}`,
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

function withChanged(settings: readonly string[], changed: readonly string[]): readonly string[] {
  const nameOf = (setting: string) => setting.split(' = ', 1)[0];
  const names = new Set(changed.map(nameOf));
  return [...settings.filter((setting) => !names.has(nameOf(setting))), ...changed];
}

/** A column added to a table of an earlier migration; its declaration has a default. */
export interface ColumnAddition {
  readonly table: string;
  readonly column: string;
}

/** The statements that add a column, in order. Idempotent. */
export function addColumn({ table, column }: ColumnAddition, deployment: Deployment): string[] {
  const local = storageTable(table, deployment);
  const tables = local === table ? [table] : [local, table];
  return tables.map(
    (name) => `ALTER TABLE ${name}${onCluster(deployment)} ADD COLUMN IF NOT EXISTS ${column}`,
  );
}

/** The statement that changes the settings of a table. Idempotent. */
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

/** Deletes rows. `isAwaited`: the statement returns only once all replicas have deleted them. */
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

/** Removes a partition by the value of its key, with all its rows. Returns once they are removed. */
export function dropPartition(table: string, value: string, deployment: Deployment): string {
  const target = `${storageTable(table, deployment)}${onCluster(deployment)}`;
  return `ALTER TABLE ${target} DROP PARTITION ${value}`;
}

/** The statements that remove a table at once, with its rows. */
export function dropTable(table: string, deployment: Deployment): string[] {
  const tables = new Set([table, storageTable(table, deployment)]);
  return [...tables].map((name) => `DROP TABLE ${name}${onCluster(deployment)} SYNC`);
}

/** The table that stores the rows: for a Distributed table, its local table. */
function storageTable(name: string, deployment: Deployment): string {
  return deployment.cluster === null ? name : `${name}_local`;
}

function onCluster(deployment: Deployment): string {
  return deployment.cluster === null ? '' : ` ON CLUSTER ${deployment.cluster}`;
}
