import { DAY_MS } from '../signals/statistics/signal-statistics.ts';
import type { GrowingNumbers } from './signal-growing.ts';

const NONE = new Int32Array();

/** Places of the rows that an answer is about, and memory for their figures that all answers share. */
export class Selection {
  private room = NONE;
  private count = 0;
  private dayRoom = NONE;
  private cellRoom = NONE;
  private modelCapacity = new Uint8Array();

  /** Empties it, for at most so many rows. */
  start(most: number): void {
    this.count = 0;
    if (this.room.length < most) this.room = new Int32Array(2 * most);
  }

  add(place: number): void {
    this.room[this.count++] = place;
  }

  /** Ascending, in the order in which they were added. */
  get places(): Int32Array {
    return this.room.subarray(0, this.count);
  }

  /** Whole days since 1970. */
  days(times: GrowingNumbers): Int32Array {
    const { room, count } = this;
    const { all } = times;
    if (this.dayRoom.length < count) this.dayRoom = new Int32Array(room.length);
    const days = this.dayRoom.subarray(0, count);
    for (let at = 0; at < count; at++) days[at] = Math.floor((all[room[at] ?? 0] ?? 0) / DAY_MS);
    return days;
  }

  cells(cells: GrowingNumbers): Int32Array {
    const { room, count } = this;
    const { all } = cells;
    if (this.cellRoom.length < count) this.cellRoom = new Int32Array(room.length);
    const picked = this.cellRoom.subarray(0, count);
    for (let at = 0; at < count; at++) picked[at] = all[room[at] ?? 0] ?? 0;
    return picked;
  }

  models(models: GrowingNumbers): Uint8Array {
    const { room, count } = this;
    const { all } = models;
    if (this.modelCapacity.length < count) this.modelCapacity = new Uint8Array(room.length);
    const picked = this.modelCapacity.subarray(0, count);
    for (let at = 0; at < count; at++) picked[at] = all[room[at] ?? 0] ?? 0;
    return picked;
  }
}
