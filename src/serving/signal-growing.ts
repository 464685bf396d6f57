import { ExactColumn, NONE_WIDE, wideAmounts } from '../signals/statistics/exact-column.ts';

const FIRST_ROOM = 1_024;
/** How much larger the next memory is than what is full. */
const GROWTH = 1.25;

/** Numbers by place, in memory that grows. */
export class GrowingNumbers {
  private held = new Float64Array(FIRST_ROOM);

  /** By place, and memory that is not used yet behind; good until anything is set. */
  get all(): Float64Array {
    return this.held;
  }

  set(place: number, value: number): void {
    if (place >= this.held.length) {
      const held = new Float64Array(Math.ceil((place + 1) * GROWTH));
      held.set(this.held);
      this.held = held;
    }
    this.held[place] = value;
  }

  at(place: number): number {
    return this.held[place] ?? Number.NaN;
  }

  /** Takes away all places from `begin` up to `end` of `size`; those behind move up. */
  remove(begin: number, end: number, size: number): void {
    this.held.copyWithin(begin, end, size);
  }

  /** Those at the places, in `room`, where there has to be as much. */
  pick(places: Int32Array, room: Float64Array): Float64Array {
    const { held } = this;
    for (let at = 0; at < places.length; at++) room[at] = held[places[at] ?? 0] ?? Number.NaN;
    return room.subarray(0, places.length);
  }
}

/** Whole numbers by place; what a double does not hold exactly is kept beside it. */
export class GrowingColumn {
  private readonly doubles = new GrowingNumbers();
  private wide = new Map<number, bigint>();
  private room = new Float64Array();

  set(place: number, value: bigint): void {
    const near = Number(value);
    this.doubles.set(place, near);
    if (!Number.isSafeInteger(near)) this.wide.set(place, value);
    else if (this.wide.size > 0) this.wide.delete(place);
  }

  at(place: number): bigint {
    return this.wide.get(place) ?? BigInt(this.doubles.at(place));
  }

  /** Takes away all places from `begin` up to `end` of `size`; those behind move up. */
  remove(begin: number, end: number, size: number): void {
    this.doubles.remove(begin, end, size);
    for (let place = begin; place < end; place++) this.wide.delete(place);
    if (end === size) return;
    const moved = new Map<number, bigint>();
    for (const [place, value] of this.wide) {
      moved.set(place < begin ? place : place - (end - begin), value);
    }
    this.wide = moved;
  }

  /** Good until others are picked. */
  pick(places: Int32Array): ExactColumn {
    this.room = roomOf(this.room, places.length);
    const doubles = this.doubles.pick(places, this.room);
    if (this.wide.size === 0) return new ExactColumn(doubles, NONE_WIDE);
    return new ExactColumn(
      doubles,
      wideAmounts(doubles, (at) => this.at(places[at] ?? 0)),
    );
  }
}

/** Memory for so many numbers: what there is, if it is enough. */
export function roomOf(room: Float64Array<ArrayBuffer>, length: number): Float64Array<ArrayBuffer> {
  return room.length >= length ? room : new Float64Array(Math.ceil(length * GROWTH));
}
