import { LOG_PARTITION_SLOTS } from './migrations/0001-first-tables.ts';
import { type Deployment, deleteRows, dropPartition } from './sql/deployment.ts';
import type { Lane } from './sql/lane.ts';
import type { WriteGuard } from './writes/slot-writer.ts';

/**
 * Removes slots from the canonical log: those whose blocks turned out to be of an abandoned branch,
 * and old ones.
 */
export class LogRemoval {
  private readonly lane: Lane;
  private readonly deployment: Deployment;
  private readonly guard: WriteGuard;

  /** `lane`: the writer lane, so that rows written after the removal are kept. */
  constructor(lane: Lane, deployment: Deployment, guard: WriteGuard = async () => undefined) {
    this.lane = lane;
    this.deployment = deployment;
    this.guard = guard;
  }

  /**
   * Removes the slots of a range, both ends included. No reader sees them once it returns.
   * Idempotent. Throws StoreError when this process may no longer write.
   */
  async remove(from: number, to: number): Promise<void> {
    await this.guard();
    const condition = 'slot >= {from:UInt64} AND slot <= {to:UInt64}';
    const statement = deleteRows('slot_log', condition, this.deployment, true);
    await this.lane.command(statement, { from, to });
  }

  /**
   * Removes all slots before one, which the log must not show any more (store/log-start.ts): whole
   * partitions at once, the rest in the background, because it rewrites the part of a partition that
   * stays. Idempotent. Throws StoreError when this process may no longer write.
   */
  async removeBefore(slot: number): Promise<void> {
    await this.guard();
    for (let next = 0; ; ) {
      const first = await this.firstSlot(next);
      if (first === null || first >= slot) return;
      const partition = Math.floor(first / LOG_PARTITION_SLOTS);
      next = (partition + 1) * LOG_PARTITION_SLOTS;
      if (next > slot) break;
      await this.lane.command(dropPartition('slot_log', String(partition), this.deployment));
    }
    const statement = deleteRows('slot_log', 'slot < {before:UInt64}', this.deployment, false);
    await this.lane.command(statement, { before: slot });
  }

  private async firstSlot(from: number): Promise<number | null> {
    const [row] = await this.lane.rows<{ slot: string }>(
      'SELECT slot FROM slot_log WHERE slot >= {from:UInt64} ORDER BY slot LIMIT 1',
      { from },
    );
    return row === undefined ? null : Number(row.slot);
  }
}
