import { balanceOf, HOLDER_FLAG, type HolderRows, hasFlag, setFlag } from './holder-row.ts';
import type { TopHolders } from './top-holders.ts';

/**
 * Rows that were removed from their tree because their position is about to change. They are
 * reinserted only when the order is read, because a balance may change many times in a slot. The
 * list is not undone: there must be none whenever a slot pauses for reads, and at its end.
 */
export class DetachedHolders {
  private readonly rows: HolderRows;
  private readonly order: TopHolders;
  private out: number[] = [];

  constructor({ rows, order }: { readonly rows: HolderRows; readonly order: TopHolders }) {
    this.rows = rows;
    this.order = order;
  }

  /** Removes a row from its tree if it is in one. */
  takeOut(row: number): void {
    const { rows } = this;
    if (hasFlag(rows, row, HOLDER_FLAG.out)) return;
    if (balanceOf(rows, row) > 0n) this.order.remove(row);
    this.add(row);
  }

  /**
   * Removes a row from its tree unless it keeps its position with the balance that it is about to
   * get. The largest owner is usually a pool and remains the largest: its changes write one row
   * instead of a path through the tree.
   */
  beforeBalance(row: number, balanceRaw: bigint): void {
    const { rows } = this;
    if (hasFlag(rows, row, HOLDER_FLAG.out)) return;
    if (balanceRaw === 0n || balanceOf(rows, row) === 0n) this.takeOut(row);
    else if (this.order.removeUnlessKept(row, balanceRaw)) this.add(row);
  }

  /** Reinserts all rows that have a balance. */
  putBack(): void {
    if (this.out.length === 0) return;
    for (const row of this.out) {
      setFlag(this.rows, row, HOLDER_FLAG.out, false);
      if (balanceOf(this.rows, row) > 0n) this.order.insert(row);
    }
    this.out = [];
  }

  private add(row: number): void {
    setFlag(this.rows, row, HOLDER_FLAG.out, true);
    this.out.push(row);
  }
}
