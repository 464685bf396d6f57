import { encodeRows } from './cell.ts';
import { createTable, type Deployment, SINGLE_NODE, type TableDescription } from './deployment.ts';
import type { Lane } from './lane.ts';
import { FIRST_TABLES } from './migrations/0001-first-tables.ts';
import { OWNERS } from './migrations/0002-owners.ts';
import {
  type AppliedMigration,
  checksumOf,
  type Migration,
  pendingMigrations,
} from './migrations/migration.ts';

interface TableMigration extends Migration {
  readonly tables: readonly TableDescription[];
}

/** A new change is a new file in migrations/ and a line here. */
const DATA_MIGRATIONS: readonly TableMigration[] = [
  tables(1, 'first-tables', FIRST_TABLES),
  tables(2, 'owners', [OWNERS]),
];

/** What was applied, kept beside the tables it made. */
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
 * Applies the migrations that are missing. A migration is recorded after its last statement, and
 * its statements can run twice, so a crash in the middle repeats it. Throws StoreError when the
 * data are newer or different.
 */
export async function migrateDataPlane(
  writer: Lane,
  deployment: Deployment,
  place: string,
): Promise<void> {
  for (const statement of createTable(journal, deployment)) await writer.command(statement);
  const applied = await writer.rows<AppliedMigration>(
    'SELECT number, name, checksum FROM schema_migrations FINAL ORDER BY number',
  );
  for (const migration of pendingMigrations(DATA_MIGRATIONS, applied, place)) {
    for (const table of migration.tables) {
      for (const statement of createTable(table, deployment)) await writer.command(statement);
    }
    const row = [migration.number, migration.name, checksumOf(migration), 1];
    const columns = ['number', 'name', 'checksum', 'version'];
    await writer.insert(journal.name, columns, encodeRows([row]));
  }
}

function tables(
  number: number,
  name: string,
  descriptions: readonly TableDescription[],
): TableMigration {
  // The statements of one node stand for those of every deployment.
  const statements = descriptions.flatMap((table) => createTable(table, SINGLE_NODE));
  return { number, name, statements, tables: descriptions };
}
