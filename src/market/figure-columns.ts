import type { Address } from '../model/units.ts';
import { type CompareRows, rowsOfRanks } from './rank-rows.ts';

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

const ROWS_MIN = 1_024;

/**
 * Figures of addresses as columns of numbers, to select and rank them by. Amounts are rounded to
 * the precision of a number, which only decides between nearly equal ones. Unknown figures come
 * last in both directions, ties are ordered by address.
 */
export class FigureColumns<Figure extends string> {
  private readonly figures: readonly Figure[];
  private readonly columns: Record<Figure, Float64Array>;
  private readonly rowOf = new Map<Address, number>();
  private readonly addresses: (Address | null)[] = [];
  private readonly free: number[] = [];
  /** Numbers that order addresses as far as their first characters decide. */
  private ranks = new Float64Array(ROWS_MIN);
  private found = new Int32Array(ROWS_MIN);

  constructor(figures: readonly Figure[]) {
    this.figures = figures;
    const columns = figures.map((figure) => [figure, new Float64Array(ROWS_MIN)]);
    this.columns = Object.fromEntries(columns) as Record<Figure, Float64Array>;
  }

  get size(): number {
    return this.rowOf.size;
  }

  /** Bytes of the columns. */
  get allocatedBytes(): number {
    return this.ranks.length * (8 * (this.figures.length + 1) + 4);
  }

  /** -1 if the address has no row. */
  find(address: Address): number {
    return this.rowOf.get(address) ?? -1;
  }

  /** The row of an address; a new one has no figures. */
  ensure(address: Address): number {
    const known = this.rowOf.get(address);
    if (known !== undefined) return known;
    const row = this.free.pop() ?? this.addresses.length;
    if (row >= this.ranks.length) this.grow();
    this.rowOf.set(address, row);
    this.addresses[row] = address;
    this.ranks[row] = rankOf(address);
    for (const figure of this.figures) this.columns[figure][row] = Number.NaN;
    return row;
  }

  remove(address: Address): void {
    const row = this.rowOf.get(address);
    if (row === undefined) return;
    this.rowOf.delete(address);
    this.addresses[row] = null;
    this.free.push(row);
  }

  /** Throws RangeError for the row of no address. */
  addressOf(row: number): Address {
    const address = this.addresses[row] ?? null;
    if (address === null) throw new RangeError(`no address has the row ${row}`);
    return address;
  }

  set(row: number, figure: Figure, value: number | bigint | null): void {
    this.columns[figure][row] = value === null ? Number.NaN : Number(value);
  }

  get(row: number, figure: Figure): number | null {
    const value = this.columns[figure][row];
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
    const { found, addresses } = this;
    const limits = ranges.map(({ figure, min, max }) => ({
      column: this.columns[figure],
      min: min ?? Number.NEGATIVE_INFINITY,
      max: max ?? Number.POSITIVE_INFINITY,
    }));
    let total = 0;
    rows: for (let row = 0; row < addresses.length; row++) {
      if (addresses[row] === null) continue;
      for (const { column, min, max } of limits) {
        const value = column[row] as number;
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
    const column = this.columns[orderBy];
    const rank = rankOf(address);
    let count = 0;
    for (const row of rows) {
      const order =
        compareValues(column[row] as number, value ?? Number.NaN, orderDir) ||
        (this.ranks[row] as number) - rank ||
        compareTexts(this.addressOf(row), address);
      if (order > 0) rows[count++] = row;
    }
    return rows.subarray(0, count);
  }

  private comparison({ orderBy, orderDir }: FigureSelection<Figure>): CompareRows {
    const column = this.columns[orderBy];
    const { ranks } = this;
    return (one, other) =>
      compareValues(column[one] as number, column[other] as number, orderDir) ||
      (ranks[one] as number) - (ranks[other] as number) ||
      compareTexts(this.addressOf(one), this.addressOf(other));
  }

  private grow(): void {
    const length = this.ranks.length * 2;
    const larger = (numbers: Float64Array) => {
      const copy = new Float64Array(length);
      copy.set(numbers);
      return copy;
    };
    this.ranks = larger(this.ranks);
    this.found = new Int32Array(length);
    for (const figure of this.figures) this.columns[figure] = larger(this.columns[figure]);
  }
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

/** A number that is in the same order as the first characters of an address. */
function rankOf(address: Address): number {
  let rank = 0;
  for (let at = 0; at < RANK_LENGTH; at++) {
    rank = rank * DIGITS.length + Math.max(0, DIGITS.indexOf(address.charAt(at)));
  }
  return rank;
}
