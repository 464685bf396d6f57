import { DAY_MS } from '../signals/statistics/signal-statistics.ts';
import type { GrowingNumbers } from './signal-growing.ts';

const NONE = new Int32Array();

/** The rows selected by a query, and buffers for their figures that all queries share. */
export class Selection {
  private buffer = NONE;
  private count = 0;
  private dayBuffer = NONE;
  private cellBuffer = NONE;
  private modelBuffer = new Uint16Array();

  /** Clears the selection and reserves capacity for `most` rows. */
  start(most: number): void {
    this.count = 0;
    if (this.buffer.length < most) this.buffer = new Int32Array(2 * most);
  }

  add(row: number): void {
    this.buffer[this.count++] = row;
  }

  /** The selected rows, ascending. */
  get places(): Int32Array {
    return this.buffer.subarray(0, this.count);
  }

  /** Days since 1970 of the selected rows. */
  days(times: GrowingNumbers): Int32Array {
    const { buffer, count } = this;
    const { all } = times;
    if (this.dayBuffer.length < count) this.dayBuffer = new Int32Array(buffer.length);
    const days = this.dayBuffer.subarray(0, count);
    for (let at = 0; at < count; at++) days[at] = Math.floor((all[buffer[at] ?? 0] ?? 0) / DAY_MS);
    return days;
  }

  cells(cells: GrowingNumbers): Int32Array {
    const { buffer, count } = this;
    const { all } = cells;
    if (this.cellBuffer.length < count) this.cellBuffer = new Int32Array(buffer.length);
    const picked = this.cellBuffer.subarray(0, count);
    for (let at = 0; at < count; at++) picked[at] = all[buffer[at] ?? 0] ?? 0;
    return picked;
  }

  models(models: GrowingNumbers): Uint16Array {
    const { buffer, count } = this;
    const { all } = models;
    if (this.modelBuffer.length < count) this.modelBuffer = new Uint16Array(buffer.length);
    const picked = this.modelBuffer.subarray(0, count);
    for (let at = 0; at < count; at++) picked[at] = all[buffer[at] ?? 0] ?? 0;
    return picked;
  }
}
