import { AddressIds } from '../lib/address-ids.ts';
import type { Address } from '../model/units.ts';
import { FigureArrays } from './figure-arrays.ts';
import { GrowingNumbers } from './growing-numbers.ts';
import { PassingFigures } from './passing-figures.ts';
import { type CompareRows, rowsOfRanks } from './rank-rows.ts';
import { capacityFor } from './row-capacity.ts';

/** A position in an order of rows. */
export interface FigurePosition {
  /** Null for an unknown figure. */
  readonly value: number | null;
  readonly address: Address;
}

/** Values from `min` to `max`, both included; null for no limit. Unknown values are outside. */
export interface FigureRange<Figure> {
  readonly figure: Figure;
  readonly min: number | null;
  readonly max: number | null;
}

export interface FigureSelection<Figure> {
  /** Rows of other ranges are left out. */
  readonly ranges: readonly FigureRange<Figure>[];
  /** Further conditions, by row number. */
  readonly matches: (row: number) => boolean;
  readonly orderBy: Figure;
  readonly orderDir: 'asc' | 'desc';
  /** Only rows after this position; null for all. */
  readonly after: FigurePosition | null;
  /** Number of these rows to leave out before the first. */
  readonly offset: number;
  readonly limit: number;
}

export interface SelectedRows {
  readonly rows: readonly number[];
  /** All matching rows, wherever they are in the order. */
  readonly total: number;
  /** The position of the last of the rows; null if no row follows it. */
  readonly next: FigurePosition | null;
}

/** What columns have beside the figures of all rows. */
export interface FigureColumnsOptions<Figure extends string> {
  /** Figures that few rows have at a time, with the value of the others; NaN for unknown. */
  readonly passing?: Partial<Record<Figure, number>>;
  /** Numbers of the addresses, which several columns may share. */
  readonly ids?: AddressIds<Address>;
}

/** One figure: the number of a row is at its place, which is the row itself without places. */
interface Column {
  readonly numbers: Float64Array;
  readonly placeOf: ((row: number) => number) | null;
}

/**
 * Figures of addresses as columns of numbers, to select and rank them by. Amounts are rounded to
 * the precision of a number, which only decides between nearly equal ones. Unknown figures come
 * last in both directions, ties are ordered by address.
 */
export class FigureColumns<Figure extends string> {
  private readonly ids: AddressIds<Address>;
  private readonly figures: FigureArrays<Figure>;
  private readonly passing: PassingFigures<Figure>;
  /** By id, the row plus one, and by row, the id plus one; 0 for none. */
  private readonly rowOfId = new GrowingNumbers('u32');
  private readonly idOfRow = new GrowingNumbers('u32');
  private readonly free: number[] = [];
  private rowsEnd = 0;
  private used = 0;
  /** Numbers that order addresses as far as their first characters decide. */
  private readonly ranks = new FigureArrays(['rank']);
  private found = new Int32Array(0);

  constructor(
    figures: readonly Figure[],
    { passing = {}, ids = new AddressIds() }: FigureColumnsOptions<Figure> = {},
  ) {
    this.ids = ids;
    this.passing = new PassingFigures(passing as Record<Figure, number>);
    this.figures = new FigureArrays(figures.filter((figure) => !this.passing.has(figure)));
  }

  get size(): number {
    return this.used;
  }

  /** All rows are below it, also those of no address. */
  get end(): number {
    return this.rowsEnd;
  }

  /** Bytes of the columns, without those of addresses. */
  get allocatedBytes(): number {
    const { figures, passing, rowOfId, idOfRow, ranks, found } = this;
    const parts = [figures, passing, rowOfId, idOfRow, ranks];
    return parts.reduce((sum, part) => sum + part.allocatedBytes, found.byteLength);
  }

  /** -1 if the address has no row. */
  find(address: Address): number {
    const id = this.ids.find(address);
    return id === -1 ? -1 : this.rowOfId.get(id) - 1;
  }

  /** The row of an address; a new one has no figures, and the usual ones of those that pass. */
  ensure(address: Address): number {
    const id = this.ids.idOf(address);
    const known = this.rowOfId.get(id);
    if (known !== 0) return known - 1;
    const row = this.free.pop() ?? this.rowsEnd++;
    this.rowOfId.set(id, row + 1);
    this.idOfRow.set(row, id + 1);
    this.used++;
    this.figures.clear(row);
    this.ranks.clear(row);
    this.rankNumbers()[row] = rankOf(address);
    return row;
  }

  remove(address: Address): void {
    const id = this.ids.find(address);
    const row = id === -1 ? -1 : this.rowOfId.get(id) - 1;
    if (row === -1) return;
    this.rowOfId.set(id, 0);
    this.idOfRow.set(row, 0);
    this.passing.reset(row);
    this.used--;
    this.free.push(row);
  }

  /** Throws RangeError for the row of no address. */
  addressOf(row: number): Address {
    return this.ids.addressOf(this.idAt(row));
  }

  /** The id of the address of a row. Throws RangeError for the row of no address. */
  idAt(row: number): number {
    const id = this.idOfRow.get(row) - 1;
    if (id === -1) throw new RangeError(`no address has the row ${row}`);
    return id;
  }

  /** Whether the address of a row begins with a text. Most rows are decided without the address. */
  beginsWith(prefix: string): (row: number) => boolean {
    const ranks = this.rankNumbers();
    const first = rankOf(prefix);
    const end = first + DIGITS.length ** Math.max(0, RANK_LENGTH - prefix.length);
    return (row) => {
      const rank = ranks[row] as number;
      return rank >= first && rank < end && this.addressOf(row).startsWith(prefix);
    };
  }

  set(row: number, figure: Figure, value: number | bigint | null): void {
    const number = value === null ? Number.NaN : Number(value);
    const numbers = this.figures.of(figure);
    if (numbers === undefined) this.passing.set(row, figure, number);
    else numbers[row] = number;
  }

  /** Whether a row has figures of its own among those that pass. */
  hasPassing(row: number): boolean {
    return this.passing.placeOf(row) !== 0;
  }

  /** Gives the figures of a row that pass their usual values. */
  resetPassing(row: number): void {
    this.passing.reset(row);
  }

  get(row: number, figure: Figure): number | null {
    const value = valueAt(this.column(figure), row);
    return value === undefined || Number.isNaN(value) ? null : value;
  }

  /** The rows of a selection, in its order. */
  select(selection: FigureSelection<Figure>): SelectedRows {
    const { after, offset, limit, orderBy } = selection;
    const { total, rows } = this.matching(selection);
    const compare = this.comparison(selection);
    const following = after === null ? rows : this.following(rows, after, selection);
    // One more than the limit shows whether there is a next page.
    const ranked = rowsOfRanks(following, { from: offset, to: offset + limit + 1 }, compare);
    const page = [...ranked.subarray(0, limit)];
    const last = page.at(-1);
    const isLast = ranked.length <= limit || last === undefined;
    const next = isLast ? null : { value: this.get(last, orderBy), address: this.addressOf(last) };
    return { rows: page, total, next };
  }

  private matching({ ranges, matches }: FigureSelection<Figure>) {
    const { idOfRow, end } = this;
    if (this.found.length < end) this.found = new Int32Array(capacityFor(end));
    const { found } = this;
    const limits = ranges.map(({ figure, min, max }) => ({
      column: this.column(figure),
      min: min ?? Number.NEGATIVE_INFINITY,
      max: max ?? Number.POSITIVE_INFINITY,
    }));
    let total = 0;
    rows: for (let row = 0; row < end; row++) {
      if (idOfRow.get(row) === 0) continue;
      for (const { column, min, max } of limits) {
        const value = valueAt(column, row) as number;
        if (!(value >= min && value <= max)) continue rows;
      }
      if (matches(row)) found[total++] = row;
    }
    return { total, rows: found.subarray(0, total) };
  }

  private following(
    rows: Int32Array,
    { value, address }: FigurePosition,
    { orderBy, orderDir }: FigureSelection<Figure>,
  ): Int32Array {
    const column = this.column(orderBy);
    const ranks = this.rankNumbers();
    const rank = rankOf(address);
    let count = 0;
    for (const row of rows) {
      const order =
        compareValues(valueAt(column, row) as number, value ?? Number.NaN, orderDir) ||
        (ranks[row] as number) - rank ||
        compareTexts(this.addressOf(row), address);
      if (order > 0) rows[count++] = row;
    }
    return rows.subarray(0, count);
  }

  private comparison({ orderBy, orderDir }: FigureSelection<Figure>): CompareRows {
    const column = this.column(orderBy);
    const ranks = this.rankNumbers();
    return (one, other) =>
      compareValues(valueAt(column, one) as number, valueAt(column, other) as number, orderDir) ||
      (ranks[one] as number) - (ranks[other] as number) ||
      compareTexts(this.addressOf(one), this.addressOf(other));
  }

  /** Throws RangeError for a figure that there is not. */
  private column(figure: Figure): Column {
    const numbers = this.figures.of(figure);
    if (numbers !== undefined) return { numbers, placeOf: null };
    const { passing } = this;
    const passed = passing.of(figure);
    if (passed === undefined) throw new RangeError(`there is no column ${figure}`);
    return { numbers: passed, placeOf: (row) => passing.placeOf(row) };
  }

  private rankNumbers(): Float64Array {
    return this.ranks.of('rank') ?? NO_RANKS;
  }
}

const NO_RANKS = new Float64Array(0);

function valueAt({ numbers, placeOf }: Column, row: number): number | undefined {
  return numbers[placeOf === null ? row : placeOf(row)];
}

function compareValues(one: number, other: number, orderDir: 'asc' | 'desc'): number {
  if (one === other) return 0;
  const isOneKnown = !Number.isNaN(one);
  const isOtherKnown = !Number.isNaN(other);
  if (isOneKnown !== isOtherKnown) return isOneKnown ? -1 : 1;
  if (!isOneKnown) return 0;
  return one < other === (orderDir === 'asc') ? -1 : 1;
}

function compareTexts(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** Characters of base58 in the order of their codes; nine of them fit a number exactly. */
const DIGITS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const RANK_LENGTH = 9;

/** A number that is in the same order as the first characters of an address, or of the beginning of one. */
function rankOf(address: string): number {
  let rank = 0;
  for (let at = 0; at < RANK_LENGTH; at++) {
    rank = rank * DIGITS.length + Math.max(0, DIGITS.indexOf(address.charAt(at)));
  }
  return rank;
}
