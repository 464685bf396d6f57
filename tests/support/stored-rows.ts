import { openControlPlane } from '../../src/store/control/control-plane.ts';
import { CursorTable } from '../../src/store/control/cursor.ts';
import { prepareDataFolder } from '../../src/store/data-folder.ts';
import { openDataPlane } from '../../src/store/data-plane.ts';
import { DERIVED_TABLES, SLOT_TABLES } from '../../src/store/migrations/tables.ts';
import { IS_VISIBLE, ofVisible, paramsOf } from '../../src/store/sql/visible-epoch.ts';

/**
 * For each table, the visible rows: their number, the number of distinct keys, and a hash over all.
 */
export async function storedRows(dataDir: string): Promise<Record<string, unknown>> {
  const control = openControlPlane(prepareDataFolder(dataDir).controlFile);
  const { layers } = new CursorTable(control);
  control.close();
  const plane = await openDataPlane({ dataDir: prepareDataFolder(dataDir).engineFolder });
  try {
    const tables: Record<string, unknown> = {};
    for (const { name, orderBy } of SLOT_TABLES) {
      const isDerived = DERIVED_TABLES.some((table) => table.name === name);
      const key = orderBy.filter((column) => column !== 'epoch').join(', ');
      // The epoch and the version depend on how a row was written, not on its content.
      const content = `* EXCEPT (${isDerived ? 'epoch, version' : 'version'})`;
      [tables[name]] = await plane.heavy.rows(
        `SELECT count() AS rows, uniqExact(${key}) AS keys, groupBitXor(sipHash64(*)) AS content
         FROM (SELECT ${content} FROM ${name} FINAL ${isDerived ? `WHERE ${ofVisible(IS_VISIBLE, layers)}` : ''})`,
        isDerived ? paramsOf(layers) : {},
      );
    }
    return tables;
  } finally {
    await plane.close();
  }
}
