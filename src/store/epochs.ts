import { DERIVED_TABLES } from './migrations/tables.ts';
import { type Deployment, deleteRows } from './sql/deployment.ts';
import type { Lane } from './sql/lane.ts';

/**
 * Removes derived rows by epoch, the number of the fold that wrote them. A re-fold writes under a
 * new epoch next to the visible one; the epoch is part of every sort key, so the two never replace
 * each other's rows.
 */
export class Epochs {
  private readonly lane: Lane;
  private readonly deployment: Deployment;

  constructor(lane: Lane, deployment: Deployment) {
    this.lane = lane;
    this.deployment = deployment;
  }

  /**
   * Prepares for a fold under `epoch`: when it returns, rows of abandoned folds with this epoch or
   * a later one are removed.
   */
  async prepare(epoch: number): Promise<void> {
    for (const { name } of DERIVED_TABLES) {
      const statement = deleteRows(name, 'epoch >= {epoch:UInt32}', this.deployment, true);
      await this.lane.command(statement, { epoch });
    }
  }
}
