import { StoreError } from '../model/errors.ts';
import { OWNERS } from './migrations/0002-owners.ts';
import { encodeRow } from './sql/cell.ts';
import type { Lane } from './sql/lane.ts';

/**
 * Whose a ClickHouse database is. A server can be reached from several machines, but cursor, gaps
 * and keys are in one data folder: the first folder to claim the database keeps it, others are
 * refused. Within a folder the lock and the writer's epoch hold.
 */
export class StoreOwner {
  private readonly lane: Lane;
  private readonly storeId: string;
  private readonly place: string;

  constructor(lane: Lane, storeId: string, place: string) {
    this.lane = lane;
    this.storeId = storeId;
    this.place = place;
  }

  /** Claims a database that nobody has. Throws StoreError when another folder has it. */
  async claim(): Promise<void> {
    if ((await this.read()) === null) {
      await this.lane.insert(OWNERS.name, ['owner', 'version'], encodeRow([this.storeId, 1]));
    }
    await this.assertHeld();
  }

  /** Asked again before writes: of two that claimed in the same moment one learns it here. */
  async assertHeld(): Promise<void> {
    const owner = await this.read();
    if (owner === this.storeId) return;
    throw new StoreError(
      `${this.place} belongs to another data folder (store ${owner}, this is ${this.storeId}): ` +
        'start with that folder, or name another server.',
    );
  }

  /** The first to have claimed it, null while nobody has. */
  private async read(): Promise<string | null> {
    const [row] = await this.lane.rows<{ owner: string }>(
      `SELECT owner FROM ${OWNERS.name} ORDER BY claimed_at, owner LIMIT 1`,
    );
    return row?.owner ?? null;
  }
}
