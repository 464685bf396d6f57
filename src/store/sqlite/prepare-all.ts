import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** Prepared statements by the names of their texts. */
export type Prepared<Texts> = { readonly [Name in keyof Texts]: StatementSync };

/** Prepares each statement once. Throws SQLite's error for an invalid text. */
export function prepareAll<Texts extends Readonly<Record<string, string>>>(
  database: DatabaseSync,
  texts: Texts,
): Prepared<Texts> {
  const prepared = Object.entries(texts).map(([name, sql]) => [name, database.prepare(sql)]);
  return Object.fromEntries(prepared) as Prepared<Texts>;
}
