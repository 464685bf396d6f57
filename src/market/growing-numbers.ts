import { capacityFor } from './row-capacity.ts';

const KINDS = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array } as const;

type Numbers = InstanceType<(typeof KINDS)[keyof typeof KINDS]>;

/**
 * An unsigned number for each index from 0 on, 0 where none was set, in one array that grows: for
 * facts that all of many rows have, where an object for each would take ten times as much.
 */
export class GrowingNumbers {
  private numbers: Numbers;

  constructor(kind: keyof typeof KINDS) {
    this.numbers = new KINDS[kind](0);
  }

  get allocatedBytes(): number {
    return this.numbers.byteLength;
  }

  get(at: number): number {
    return at < this.numbers.length ? (this.numbers[at] as number) : 0;
  }

  set(at: number, number: number): void {
    if (at >= this.numbers.length) {
      if (number === 0) return;
      const Kind = this.numbers.constructor as new (length: number) => Numbers;
      const larger = new Kind(capacityFor(at + 1));
      larger.set(this.numbers);
      this.numbers = larger;
    }
    this.numbers[at] = number;
  }
}
