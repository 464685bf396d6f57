import type { DatabaseSync } from 'node:sqlite';
import { text } from '../sqlite/kind.ts';
import { NamedValues } from '../sqlite/named-values.ts';
import { tableRow } from '../sqlite/table-row.ts';

export const META = tableRow('meta', { name: text, value: text });

/** Small facts about the control plane. */
export function metaTexts(database: DatabaseSync): NamedValues<string> {
  return new NamedValues(database, META);
}
