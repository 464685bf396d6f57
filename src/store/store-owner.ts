import { StoreError } from '../model/errors.ts';
import { OWNERS } from './migrations/0002-owners.ts';
import { encodeRow } from './sql/cell.ts';
import type { Lane } from './sql/lane.ts';

/**
 * Binds a ClickHouse database to one data folder. A server can be reached from several machines,
 * but the cursor, gaps and keys are in one data folder: the first folder that claims the database
 * keeps it, and others are refused. Within a folder, the lock and the writer epoch protect it.
 */
export class StoreOwner {
  private readonly lane: Lane;
  private readonly storeId: string;
  private readonly label: string;

  constructor(lane: Lane, storeId: string, label: string) {
    this.lane = lane;
    this.storeId = storeId;
    this.label = label;
  }

  /** Claims the database if it has no owner. Throws StoreError when another folder owns it. */
  async claim(): Promise<void> {
    if ((await this.read()) === null) {
      await this.lane.insert(OWNERS.name, ['owner', 'version'], encodeRow([this.storeId, 1]));
    }
    await this.assertHeld();
  }

  /** Called again before writes: when two folders claim at the same moment, one fails here. */
  async assertHeld(): Promise<void> {
    const owner = await this.read();
    if (owner === this.storeId) return;
    throw new StoreError(
      `${this.label} belongs to another data folder (store ${owner}, this is ${this.storeId}): ` +
        'start with that folder, or name another server.',
    );
  }

  /** The folder that claimed the database first, or null. */
  private async read(): Promise<string | null> {
    const [row] = await this.lane.rows<{ owner: string }>(
      `SELECT owner FROM ${OWNERS.name} ORDER BY claimed_at, owner LIMIT 1`,
    );
    return row?.owner ?? null;
  }
}
