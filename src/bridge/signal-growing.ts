import { ExactColumn, NONE_WIDE, wideAmounts } from '../signals/statistics/exact-column.ts';

const INITIAL_CAPACITY = 1_024;
/** Growth factor of full buffers. */
const GROWTH = 1.25;

/** A growable column of numbers. */
export class GrowingNumbers {
  private values = new Float64Array(INITIAL_CAPACITY);

  /** The values, followed by unused capacity. Valid until the next `set`. */
  get all(): Float64Array {
    return this.values;
  }

  set(row: number, value: number): void {
    if (row >= this.values.length) {
      const values = new Float64Array(Math.ceil((row + 1) * GROWTH));
      values.set(this.values);
      this.values = values;
    }
    this.values[row] = value;
  }

  at(row: number): number {
    return this.values[row] ?? Number.NaN;
  }

  /** Removes the rows from `begin` up to `end`, given `size` rows in total; later rows move up. */
  remove(begin: number, end: number, size: number): void {
    this.values.copyWithin(begin, end, size);
  }

  /** Copies the values of some rows to `buffer`, which must be large enough. */
  pick(rows: Int32Array, buffer: Float64Array): Float64Array {
    const { values } = this;
    for (let at = 0; at < rows.length; at++) buffer[at] = values[rows[at] ?? 0] ?? Number.NaN;
    return buffer.subarray(0, rows.length);
  }
}

/**
 * A growable column of integers. Values that a double cannot represent exactly are stored
 * separately.
 */
export class GrowingColumn {
  private readonly doubles = new GrowingNumbers();
  private wide = new Map<number, bigint>();
  private buffer = new Float64Array();

  set(row: number, value: bigint): void {
    const near = Number(value);
    this.doubles.set(row, near);
    if (!Number.isSafeInteger(near)) this.wide.set(row, value);
    else if (this.wide.size > 0) this.wide.delete(row);
  }

  at(row: number): bigint {
    return this.wide.get(row) ?? BigInt(this.doubles.at(row));
  }

  /** Removes the rows from `begin` up to `end`, given `size` rows in total; later rows move up. */
  remove(begin: number, end: number, size: number): void {
    this.doubles.remove(begin, end, size);
    for (let row = begin; row < end; row++) this.wide.delete(row);
    if (end === size) return;
    const moved = new Map<number, bigint>();
    for (const [row, value] of this.wide) {
      moved.set(row < begin ? row : row - (end - begin), value);
    }
    this.wide = moved;
  }

  /** The values of some rows; valid until the next call. */
  pick(rows: Int32Array): ExactColumn {
    this.buffer = bufferOf(this.buffer, rows.length);
    const doubles = this.doubles.pick(rows, this.buffer);
    if (this.wide.size === 0) return new ExactColumn(doubles, NONE_WIDE);
    return new ExactColumn(
      doubles,
      wideAmounts(doubles, (at) => this.at(rows[at] ?? 0)),
    );
  }
}

/** A buffer for `length` numbers: the given one if it is large enough. */
export function bufferOf(
  buffer: Float64Array<ArrayBuffer>,
  length: number,
): Float64Array<ArrayBuffer> {
  return buffer.length >= length ? buffer : new Float64Array(Math.ceil(length * GROWTH));
}
