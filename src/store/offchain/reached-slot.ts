import type { DatabaseSync } from 'node:sqlite';
import type { Slot } from '../../model/units.ts';
import { integer, slot, text } from '../sqlite/kind.ts';
import { type Prepared, prepareAll } from '../sqlite/prepare-all.ts';
import { tableRow } from '../sqlite/table-row.ts';

export const REACHED = tableRow('reached', { name: text, epoch: integer, slot });

const STATEMENTS = {
  read: REACHED.without('name').select('WHERE name = ?'),
  write: REACHED.insertOrReplace(),
};

const NAME = 'fold';

/** The last slot of an epoch whose tokens were processed for off-chain data. */
export class ReachedSlot {
  private readonly statements: Prepared<typeof STATEMENTS>;

  constructor(database: DatabaseSync) {
    this.statements = prepareAll(database, STATEMENTS);
  }

  read(): { readonly epoch: number; readonly slot: Slot } | null {
    return this.statements.read.get(NAME);
  }

  write({ epoch, slot }: { readonly epoch: number; readonly slot: Slot }): void {
    this.statements.write.run({ name: NAME, epoch, slot });
  }
}
