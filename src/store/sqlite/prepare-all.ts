import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** Statements under the names of their texts. */
export type Prepared<Texts> = { readonly [Name in keyof Texts]: StatementSync };

/** Prepares statements, each once. Throws what SQLite says of a text that is none. */
export function prepareAll<Texts extends Readonly<Record<string, string>>>(
  database: DatabaseSync,
  texts: Texts,
): Prepared<Texts> {
  const prepared = Object.entries(texts).map(([name, sql]) => [name, database.prepare(sql)]);
  return Object.fromEntries(prepared) as Prepared<Texts>;
}
