import { type Deployment, deleteRows } from './sql/deployment.ts';
import type { Lane } from './sql/lane.ts';
import type { WriteGuard } from './writes/slot-writer.ts';

/** Removes slots from the canonical log whose blocks turned out to be of an abandoned branch. */
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
}
