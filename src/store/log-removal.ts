import { type Deployment, deleteRows } from './sql/deployment.ts';
import type { Lane } from './sql/lane.ts';
import type { WriteGuard } from './writes/slot-writer.ts';

/** Takes slots out of the canonical log whose blocks were of a branch that lost after all. */
export class LogRemoval {
  private readonly lane: Lane;
  private readonly deployment: Deployment;
  private readonly guard: WriteGuard;

  /** `lane`: the one that writes, so that what is written afterwards stays. */
  constructor(lane: Lane, deployment: Deployment, guard: WriteGuard = async () => undefined) {
    this.lane = lane;
    this.deployment = deployment;
    this.guard = guard;
  }

  /**
   * Slots of a range, both ends included, are gone for every reader when it returns; doing it again
   * changes nothing. Throws StoreError when this process may not write any more.
   */
  async remove(from: number, to: number): Promise<void> {
    await this.guard();
    const condition = 'slot >= {from:UInt64} AND slot <= {to:UInt64}';
    const statement = deleteRows('slot_log', condition, this.deployment, true);
    await this.lane.command(statement, { from, to });
  }
}
