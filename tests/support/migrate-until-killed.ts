/**
 * Opens a store and kills itself at a step of the schema migrations: a statement of SQLite, a
 * statement of ClickHouse, or a line of the journal. A process that survives prints the number of
 * steps and the schemas of all tables. Arguments: the folder, the step.
 */
import { DatabaseSync } from 'node:sqlite';
import { prepareDataFolder } from '../../src/store/data-folder.ts';
import { openDataPlane } from '../../src/store/data-plane.ts';
import { Lane } from '../../src/store/sql/lane.ts';
import { openStore } from '../../src/store/store.ts';

const [dataDir = '', killAt = '0'] = process.argv.slice(2);
let steps = 0;

function step(): void {
  if (++steps === Number(killAt)) process.kill(process.pid, 'SIGKILL');
}

const { exec } = DatabaseSync.prototype;
DatabaseSync.prototype.exec = function (this: DatabaseSync, sql: string) {
  step();
  exec.call(this, sql);
};
const { command, insert } = Lane.prototype;
Lane.prototype.command = function (this: Lane, ...given: Parameters<typeof command>) {
  step();
  return command.apply(this, given);
};
Lane.prototype.insert = function (this: Lane, ...given: Parameters<typeof insert>) {
  step();
  return insert.apply(this, given);
};

const store = await openStore({ dataDir });
const stepsOfOpening = steps;
await store.close();

const { controlFile, engineFolder } = prepareDataFolder(dataDir);
const control = new DatabaseSync(controlFile, { readOnly: true });
const plane = await openDataPlane({ dataDir: engineFolder });
const schema = {
  controlTables: control.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY name').all(),
  controlJournal: control.prepare('SELECT * FROM schema_migrations ORDER BY number').all(),
  tables: await plane.heavy.rows(
    "SELECT name, create_table_query FROM system.tables WHERE database = 'mintscope' ORDER BY name",
  ),
  journal: await plane.heavy.rows(
    'SELECT number, name, checksum FROM schema_migrations FINAL ORDER BY number',
  ),
};
await plane.close();
control.close();
process.stdout.write(JSON.stringify({ steps: stepsOfOpening, schema }));
