import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';

/** The id of a data folder, created on first use. A folder restored from its backup has the same. */
export function storeIdOf(control: DatabaseSync): string {
  control
    .prepare("INSERT INTO meta VALUES ('store_id', ?) ON CONFLICT (name) DO NOTHING")
    .run(randomUUID());
  const row = control.prepare("SELECT value FROM meta WHERE name = 'store_id'").get();
  return String(row?.value);
}
