import { encodeRowsInTurns } from '../sql/cell.ts';
import {
  addColumn,
  type ColumnAddition,
  changeSettings,
  createTable,
  type Deployment,
  SINGLE_NODE,
  type TableDescription,
} from '../sql/deployment.ts';
import type { Lane } from '../sql/lane.ts';
import { FIRST_TABLES } from './0001-first-tables.ts';
import { OWNERS } from './0002-owners.ts';
import { ORGANIC_SWAPS, WALLET_TABLES } from './0003-wallets.ts';
import { CLASSIFICATION_TABLES, FOUND_SLOTS } from './0004-classifications.ts';
import { SIGNAL_TABLES } from './0005-signals.ts';
import { TOLERATE_BROKEN_PARTS } from './0006-tolerate-broken-parts.ts';
import { PRICING_VOLUMES } from './0007-pricing-volumes.ts';
import { TRADED_VOLUMES } from './0008-traded-volumes.ts';
import { LOG_STARTS } from './0009-log-starts.ts';
import { BUNDLE_GROUPS } from './0010-bundle-groups.ts';
import { TRADE_COLUMNS, TRADE_TABLES } from './0011-trades.ts';
import { FINDING_TABLES, LISTED_FINDINGS } from './0012-listed-findings.ts';
import { RULE_TABLES } from './0013-rule-hits.ts';
import { RULE_HIT_CONFIDENCE } from './0014-rule-hit-confidence.ts';
import {
  type AppliedMigration,
  checksumOf,
  type Migration,
  pendingMigrations,
} from './migration.ts';
import { SLOT_TABLES } from './tables.ts';

interface TableMigration extends Migration {
  readonly change: SchemaChange;
  statementsFor(deployment: Deployment): readonly string[];
}

/** The slot tables as of migration 6. */
const SETTLED_TABLES: readonly TableDescription[] = [
  ...FIRST_TABLES,
  ...WALLET_TABLES,
  ...CLASSIFICATION_TABLES,
  ...SIGNAL_TABLES,
];

/** To change the schema, add a file in migrations/ and a line here. */
const DATA_MIGRATIONS: readonly TableMigration[] = [
  migration(1, 'first-tables', { tables: FIRST_TABLES }),
  migration(2, 'owners', { tables: [OWNERS] }),
  migration(3, 'wallets', { tables: WALLET_TABLES, columns: [ORGANIC_SWAPS] }),
  migration(4, 'classifications', { tables: CLASSIFICATION_TABLES, columns: [FOUND_SLOTS] }),
  migration(5, 'signals', { tables: SIGNAL_TABLES }),
  migration(6, 'tolerate-broken-parts', {
    tables: [],
    settings: TOLERATE_BROKEN_PARTS,
    settled: SETTLED_TABLES,
  }),
  migration(7, 'pricing-volumes', { tables: [], columns: PRICING_VOLUMES }),
  migration(8, 'traded-volumes', { tables: [], columns: TRADED_VOLUMES }),
  migration(9, 'log-starts', { tables: [LOG_STARTS] }),
  migration(10, 'bundle-groups', { tables: [], columns: BUNDLE_GROUPS }),
  migration(11, 'trades', {
    tables: TRADE_TABLES,
    columns: TRADE_COLUMNS,
    settings: TOLERATE_BROKEN_PARTS,
    settled: TRADE_TABLES,
  }),
  migration(12, 'listed-findings', {
    tables: FINDING_TABLES,
    columns: LISTED_FINDINGS,
    settings: TOLERATE_BROKEN_PARTS,
    settled: FINDING_TABLES,
  }),
  migration(13, 'rule-hits', {
    tables: RULE_TABLES,
    settings: TOLERATE_BROKEN_PARTS,
    settled: RULE_TABLES,
  }),
  migration(14, 'rule-hit-confidence', { tables: [], columns: RULE_HIT_CONFIDENCE }),
];

/** The applied migrations, in the same database as the tables. */
const journal: TableDescription = {
  name: 'schema_migrations',
  columns: [
    'number UInt32',
    'name String',
    'checksum String',
    'version UInt64',
    'applied_at DateTime DEFAULT now()',
  ],
  partitionBy: 'tuple()',
  orderBy: ['number'],
  shardBy: 'number',
};

/**
 * Applies pending migrations; without any table, all of them at once. A migration is recorded after its last statement, and its statements
 * are idempotent, so it is repeated after a crash in the middle. Throws StoreError when the data
 * are of a newer or different version.
 */
export async function migrateDataPlane(
  writer: Lane,
  deployment: Deployment,
  label: string,
): Promise<void> {
  for (const statement of createTable(journal, deployment)) await writer.command(statement);
  const applied = await writer.rows<AppliedMigration>(
    'SELECT number, name, checksum FROM schema_migrations FINAL ORDER BY number',
  );
  const pending = pendingMigrations(DATA_MIGRATIONS, applied, label);
  const present = await tableNames(writer);
  if (present.size === storedTables(journal, deployment)) {
    for (const statement of finalTables(deployment)) await writer.command(statement);
    await record(writer, pending);
    return;
  }
  for (const migration of pending) {
    for (const statement of migration.statementsFor(deployment)) await writer.command(statement);
    await record(writer, [migration]);
  }
  await createLostTables(writer, deployment);
}

async function record(writer: Lane, applied: readonly Migration[]): Promise<void> {
  if (applied.length === 0) return;
  const columns = ['number', 'name', 'checksum', 'version'];
  const rows = await encodeRowsInTurns(applied, (one) => [
    one.number,
    one.name,
    checksumOf(one),
    1,
  ]);
  await writer.insert(journal.name, columns, rows);
}

async function tableNames(writer: Lane): Promise<ReadonlySet<string>> {
  const rows = await writer.rows<{ name: string }>(
    'SELECT name FROM system.tables WHERE database = currentDatabase()',
  );
  return new Set(rows.map(({ name }) => name));
}

/** In how many tables a described one is stored: on a cluster also in a local one. */
function storedTables(table: TableDescription, deployment: Deployment): number {
  return createTable(table, deployment).length;
}

/** The statements that create every table as all migrations together leave it. */
function finalTables(deployment: Deployment): readonly string[] {
  const changes = DATA_MIGRATIONS.map(({ change }) => change);
  return changes.flatMap(({ tables }) =>
    tables.flatMap((table) => {
      const added = changes
        .flatMap(({ columns = [] }) => columns)
        .filter((addition) => addition.table === table.name)
        .map(({ column }) => column);
      const settings = changes
        .filter(({ settled = [] }) => settled.includes(table))
        .flatMap((change) => change.settings ?? []);
      const columns = [...table.columns, ...added];
      return createTable({ ...table, columns }, deployment, settings);
    }),
  );
}

/** Creates dropped tables again, empty; the verification reports the rows that they contained. */
async function createLostTables(writer: Lane, deployment: Deployment): Promise<void> {
  const present = await tableNames(writer);
  if ([...SLOT_TABLES, LOG_STARTS].every(({ name }) => present.has(name))) return;
  for (const migration of DATA_MIGRATIONS) {
    for (const statement of migration.statementsFor(deployment)) await writer.command(statement);
  }
}

interface SchemaChange {
  readonly tables: readonly TableDescription[];
  readonly columns?: readonly ColumnAddition[];
  /** New settings for the tables `settled`. */
  readonly settings?: readonly string[];
  readonly settled?: readonly TableDescription[];
}

function migration(number: number, name: string, change: SchemaChange): TableMigration {
  const { tables, columns = [], settings = [], settled = [] } = change;
  const statementsFor = (deployment: Deployment) => [
    ...tables.flatMap((table) => createTable(table, deployment)),
    ...columns.flatMap((column) => addColumn(column, deployment)),
    ...settled.map((table) => changeSettings(table.name, settings, deployment)),
  ];
  // The checksum covers the statements for a single node, for every deployment.
  return { number, name, statements: statementsFor(SINGLE_NODE), change, statementsFor };
}
