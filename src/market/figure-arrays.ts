import { capacityFor } from './row-capacity.ts';

/** Numbers by name and row, NaN where nothing was set, in arrays that grow together. */
export class FigureArrays<Name extends string> {
  readonly names: readonly Name[];
  private readonly arrays: Map<Name, Float64Array>;
  private capacity = 0;

  constructor(names: readonly Name[]) {
    this.names = names;
    this.arrays = new Map(names.map((name) => [name, new Float64Array(0)]));
  }

  get allocatedBytes(): number {
    return this.capacity * this.names.length * Float64Array.BYTES_PER_ELEMENT;
  }

  /** The numbers of a name by row, until the arrays grow; undefined for another name. */
  of(name: Name): Float64Array | undefined {
    return this.arrays.get(name);
  }

  /** Makes room for a row and forgets what it had. */
  clear(row: number): void {
    if (row >= this.capacity) this.grow(capacityFor(row + 1));
    for (const numbers of this.arrays.values()) numbers[row] = Number.NaN;
  }

  private grow(capacity: number): void {
    this.capacity = capacity;
    for (const [name, numbers] of this.arrays) {
      const larger = new Float64Array(capacity);
      larger.set(numbers);
      this.arrays.set(name, larger);
    }
  }
}
