import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Slot } from '../../model/units.ts';

const NAME = 'fold';

/** The last slot of an epoch whose tokens were processed for off-chain data. */
export class ReachedSlot {
  private readonly select: StatementSync;
  private readonly upsert: StatementSync;

  constructor(database: DatabaseSync) {
    this.select = database.prepare('SELECT epoch, slot FROM reached WHERE name = ?');
    this.upsert = database.prepare('INSERT OR REPLACE INTO reached VALUES (?, ?, ?)');
  }

  read(): { readonly epoch: number; readonly slot: Slot } | null {
    const row = this.select.get(NAME);
    return row === undefined ? null : { epoch: Number(row.epoch), slot: Number(row.slot) as Slot };
  }

  write({ epoch, slot }: { readonly epoch: number; readonly slot: Slot }): void {
    this.upsert.run(NAME, epoch, slot);
  }
}
