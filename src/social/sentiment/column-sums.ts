import type { FeatureBuffer } from './hashed-features.ts';
import { INDEX_BYTES } from './weight-columns.ts';

/** Columns are summed four at a time: an index takes so many groups in memory. */
const GROUPS = Math.ceil(INDEX_BYTES / 4);
const COLUMNS_MAX = GROUPS * 4;
/** Weights are stored with this added, so that none is negative. */
const OFFSET = 128;
const ALTERNATE_BYTES = 0x00ff00ff;
/** Sums of two columns share 32 bits: so many bytes fit into 16 of them. */
const CHUNK = 257;

/**
 * Sums of the columns of weights over the features of a post. Four bytes are read at once and added
 * as two pairs of 16 bits: half the time of adding byte by byte, and most of the time of a score.
 */
export class ColumnSums {
  private readonly groups: Uint32Array;
  private readonly perUnit: number;
  private readonly sums = new Float64Array(COLUMNS_MAX);
  private readonly parts = new Float64Array(COLUMNS_MAX);
  private features: FeatureBuffer | null = null;
  private wordScale = 0;
  private pieceScale = 0;

  /** `perUnit`: the reciprocal of the unit of rarities. */
  constructor(bytes: Int8Array, perUnit: number) {
    this.groups = groupsOf(bytes);
    this.perUnit = perUnit;
  }

  /** Sums the first two groups: rarities, the pooled weights and those of the gate. */
  read(features: FeatureBuffer): void {
    const { wordCount, count } = features;
    this.features = features;
    this.wordScale = this.scaleOf(features, 0, wordCount);
    this.pieceScale = this.scaleOf(features, wordCount, count);
    this.sumGroup(0);
    this.sumGroup(1);
  }

  /** Sums the groups of the columns `first` to `last`. */
  readHead(first: number, last: number): void {
    for (let group = first >> 2; group <= last >> 2; group++) this.sumGroup(group);
  }

  /** The sum of a column that was read, in units of its weights. */
  of(column: number): number {
    return this.sums[column] as number;
  }

  private scaleOf({ places }: FeatureBuffer, from: number, to: number): number {
    const { groups } = this;
    let squares = 0;
    for (let at = from; at < to; at++) {
      const rarity = (groups[(places[at] as number) * GROUPS] as number) & 0xff;
      squares += rarity * rarity;
    }
    return squares === 0 ? 0 : this.perUnit / Math.sqrt(squares);
  }

  private sumGroup(group: number): void {
    const features = this.features;
    if (features === null) return;
    const { wordCount, count } = features;
    const first = group * 4;
    this.addRange(features, group, 0, wordCount);
    for (let at = first; at < first + 4; at++) {
      this.sums[at] = (this.parts[at] as number) * this.wordScale;
    }
    this.addRange(features, group, wordCount, count);
    for (let at = first; at < first + 4; at++) {
      this.sums[at] = (this.sums[at] as number) + (this.parts[at] as number) * this.pieceScale;
    }
  }

  /** Sets the parts of a group to its sums over a range of features. */
  private addRange({ places }: FeatureBuffer, group: number, from: number, to: number): void {
    const { groups } = this;
    let [first, second, third, fourth] = [0, 0, 0, 0];
    for (let start = from; start < to; start += CHUNK) {
      const end = Math.min(to, start + CHUNK);
      let [even, odd] = [0, 0];
      for (let at = start; at < end; at++) {
        const four = groups[(places[at] as number) * GROUPS + group] as number;
        even = (even + (four & ALTERNATE_BYTES)) | 0;
        odd = (odd + ((four >>> 8) & ALTERNATE_BYTES)) | 0;
      }
      first += even & 0xffff;
      third += even >>> 16;
      second += odd & 0xffff;
      fourth += odd >>> 16;
    }
    const offset = OFFSET * (to - from);
    const column = group * 4;
    this.parts[column] = first - offset;
    this.parts[column + 1] = second - offset;
    this.parts[column + 2] = third - offset;
    this.parts[column + 3] = fourth - offset;
  }
}

/** Four bytes as one number, the first byte lowest; rarities, which are not negative, as they are. */
function groupsOf(bytes: Int8Array): Uint32Array {
  const count = bytes.length / INDEX_BYTES;
  const groups = new Uint32Array(count * GROUPS);
  for (let index = 0; index < count; index++) {
    for (let column = 0; column < INDEX_BYTES; column++) {
      const byte = (bytes[index * INDEX_BYTES + column] as number) + (column === 0 ? 0 : OFFSET);
      const at = index * GROUPS + (column >> 2);
      groups[at] = ((groups[at] as number) | (byte << ((column & 3) * 8))) >>> 0;
    }
  }
  return groups;
}
