import { SLOT_TABLES } from '../migrations/tables.ts';
import type { Lane } from '../sql/lane.ts';
import { type PartName, parsePartName } from './part-name.ts';

/** A part of a table, as ClickHouse lists it. */
export interface StoredPart {
  readonly table: string;
  readonly name: string;
  readonly place: PartName;
  readonly rows: number;
  readonly bytes: number;
  /** A hash over the checksums of its files. */
  readonly hash: string;
}

interface PartRow {
  readonly table: string;
  readonly name: string;
  readonly rows: string;
  readonly bytes_on_disk: string;
  readonly hash_of_all_files: string;
}

const TABLES = SLOT_TABLES.map(({ name }) => `'${name}'`).join(', ');

/** The active parts, which queries read now. */
export async function readParts(lane: Lane): Promise<StoredPart[]> {
  const rows = await lane.rows<PartRow>(
    'SELECT table, name, rows, bytes_on_disk, hash_of_all_files FROM system.parts ' +
      `WHERE database = currentDatabase() AND active AND table IN (${TABLES})`,
  );
  return rows.flatMap((row) => {
    const part = toPart(row.table, row.name, {
      rows: Number(row.rows),
      bytes: Number(row.bytes_on_disk),
      hash: row.hash_of_all_files,
    });
    return part === null ? [] : [part];
  });
}

/** Null for an invalid part name. */
export function toPart(
  table: string,
  name: string,
  content: Pick<StoredPart, 'rows' | 'bytes' | 'hash'>,
): StoredPart | null {
  const place = parsePartName(name);
  return place === null ? null : { table, name, place, ...content };
}
