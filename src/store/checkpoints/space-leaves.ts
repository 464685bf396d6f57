import {
  LOCATION_WORDS,
  type RecordLocation,
  readLocation,
  wordsOf,
  writeLocation,
} from './record-location.ts';

const LEAVES_MIN = 16;

/** What is known of each leaf of a space: where it is stored, its cell in memory, its state. */
export class SpaceLeaves {
  /** Number of leaves, stored or not. */
  length = 0;
  private locations = new Uint32Array();
  /** Cell + 1; 0 if the leaf is not in memory. */
  private cells = new Uint32Array();
  private states = new Uint8Array();

  /** Locations as `encode` returned them. */
  static decode(bytes: Uint8Array): SpaceLeaves {
    const leaves = new SpaceLeaves();
    const words = wordsOf(bytes);
    leaves.extend(words.length / LOCATION_WORDS - 1);
    leaves.locations.set(words);
    return leaves;
  }

  /** The stored locations as bytes. */
  encode(): Uint8Array {
    return new Uint8Array(this.locations.slice(0, this.length * LOCATION_WORDS).buffer);
  }

  /** Makes room for a leaf and those before it. */
  extend(leaf: number): void {
    if (leaf < this.length) return;
    if (leaf >= this.states.length) {
      const size = Math.max(LEAVES_MIN, leaf + 1, Math.ceil(this.states.length * 1.5));
      this.locations = enlarged(new Uint32Array(size * LOCATION_WORDS), this.locations);
      this.cells = enlarged(new Uint32Array(size), this.cells);
      this.states = enlarged(new Uint8Array(size), this.states);
    }
    this.length = leaf + 1;
  }

  locationOf(leaf: number): RecordLocation | null {
    return readLocation(this.locations, leaf * LOCATION_WORDS);
  }

  setLocation(leaf: number, location: RecordLocation | null): void {
    writeLocation(this.locations, leaf * LOCATION_WORDS, location);
  }

  /** The cell of a leaf; null if it is not in memory. */
  cellOf(leaf: number): number | null {
    const cell = this.cells[leaf] ?? 0;
    return cell === 0 ? null : cell - 1;
  }

  setCell(leaf: number, cell: number | null): void {
    this.cells[leaf] = cell === null ? 0 : cell + 1;
  }

  /** Bits that the index defines. */
  stateOf(leaf: number): number {
    return this.states[leaf] ?? 0;
  }

  setState(leaf: number, state: number): void {
    this.states[leaf] = state;
  }
}

function enlarged<Words extends Uint32Array | Uint8Array>(larger: Words, words: Words): Words {
  larger.set(words);
  return larger;
}
