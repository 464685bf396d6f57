import type { RecordLocation } from './record-location.ts';

/** How many bytes of each segment are in use: records and leaves that an index refers to. */
export class SegmentUsage {
  private readonly bytes: Map<number, number>;
  /** Number of records, without leaves and pieces. */
  recordCount: number;

  constructor(bytes: Iterable<readonly [segment: number, bytes: number]> = [], recordCount = 0) {
    this.bytes = new Map(bytes);
    this.recordCount = recordCount;
  }

  get liveBytes(): number {
    let sum = 0;
    for (const bytes of this.bytes.values()) sum += bytes;
    return sum;
  }

  /** Segments in use, with their bytes in use. */
  get segments(): ReadonlyMap<number, number> {
    return this.bytes;
  }

  bytesIn(segment: number): number {
    return this.bytes.get(segment) ?? 0;
  }

  add({ segment, sizeBytes }: RecordLocation): void {
    this.bytes.set(segment, this.bytesIn(segment) + sizeBytes);
  }

  release({ segment, sizeBytes }: RecordLocation): void {
    const left = this.bytesIn(segment) - sizeBytes;
    if (left === 0) this.bytes.delete(segment);
    else this.bytes.set(segment, left);
  }

  copy(): SegmentUsage {
    return new SegmentUsage(this.bytes, this.recordCount);
  }
}
