import { GrowingNumbers } from './growing-numbers.ts';

/** The pools of mints: for each mint a chain through the rows of its pools. */
export class MintPools {
  /** By id of a mint its first pool, and by row of a pool the next one: rows plus one; 0 for none. */
  private readonly first = new GrowingNumbers('u32');
  private readonly next = new GrowingNumbers('u32');

  get allocatedBytes(): number {
    return this.first.allocatedBytes + this.next.allocatedBytes;
  }

  /** Adds a pool that no mint has. */
  add(mintId: number, pool: number): void {
    this.next.set(pool, this.first.get(mintId));
    this.first.set(mintId, pool + 1);
  }

  /** Removes a pool that the mint has. */
  remove(mintId: number, pool: number): void {
    const after = this.next.get(pool);
    let before = this.first.get(mintId) - 1;
    if (before === pool) {
      this.first.set(mintId, after);
      return;
    }
    while (before !== -1 && this.next.get(before) !== pool + 1) before = this.next.get(before) - 1;
    if (before !== -1) this.next.set(before, after);
  }

  /** Rows of the pools, in no useful order. */
  *of(mintId: number): Generator<number> {
    let number = mintId === -1 ? 0 : this.first.get(mintId);
    for (; number !== 0; number = this.next.get(number - 1)) yield number - 1;
  }
}
