import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { OffchainPosition } from '../../model/offchain-stream.ts';
import { integer, nullable, text } from '../sqlite/kind.ts';
import { type Prepared, prepareAll } from '../sqlite/prepare-all.ts';
import { tableRow } from '../sqlite/table-row.ts';
import { SHARED_TABLES } from './shared-changes.ts';

export const STREAM_POSITION = tableRow('stream_position', {
  name: text,
  logId: nullable(text),
  base: text,
  seq: integer,
  claim: nullable(integer),
  gatherer: nullable(text),
});

const STATEMENTS = {
  read: STREAM_POSITION.without('name').select('WHERE name = ?'),
  write: STREAM_POSITION.insertOrReplace(),
};

const NAME = 'offchain';

/** How far this store has followed the stream of off-chain data. */
export class StreamPosition {
  private readonly database: DatabaseSync;
  private readonly statements: Prepared<typeof STATEMENTS>;

  constructor(database: DatabaseSync) {
    this.database = database;
    this.statements = prepareAll(database, STATEMENTS);
  }

  /** A store that follows none yet gets its base now. */
  read(): OffchainPosition {
    const known = this.statements.read.get(NAME);
    if (known !== null) return known;
    const base = this.hasRows() ? randomUUID() : '';
    const position = { logId: null, base, seq: 0, claim: null, gatherer: null };
    this.write(position);
    return position;
  }

  /** Call it within the transaction that stores what precedes the position. */
  write(position: OffchainPosition): void {
    this.statements.write.run({ name: NAME, ...position });
  }

  private hasRows(): boolean {
    const isAny = (table: string) => this.database.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get();
    return SHARED_TABLES.some((table) => isAny(table) !== undefined);
  }
}
