import { FullTableError } from './full-table-error.ts';
import { firstByteOf, firstWordOf, Slab } from './pages/page-frames.ts';
import { blocksOf, PAGE_BYTES } from './pages/page-layout.ts';
import type { PagePool } from './pages/page-pool.ts';
import type { PageSpace } from './pages/page-space.ts';
import {
  type BigintKind,
  FIELD_WIDTHS,
  type Field,
  type NumberKind,
  type RowLayout,
  type RowSpec,
} from './row-layout.ts';
import { UndoLog } from './undo-log.ts';

/**
 * Rows of a fixed size in the pages of a space: one object per row would take several times the
 * memory, and more time to collect, to undo and to write.
 *
 * Numbers are little-endian. Freed rows are reused, the last freed first. Row numbers are below
 * 2^32 - 1; they are not consecutive where rows do not fill a page. A table whose next page would
 * have greater ones is full.
 */
export class RowTable<Spec extends RowSpec = RowSpec> {
  private readonly space: PageSpace;
  private readonly pool: PagePool;
  private readonly rowBytes: number;
  /** Rows of a page, and the bits of a row number that count them. */
  private readonly pageRows: number;
  private readonly rowBits: number;
  private readonly rowMask: number;
  // The page of the row found last: fields of a row are read and written together. Valid for one
  // generation of the pool, in which no page moves.
  #page = -1;
  #generation = -1;
  #frame = 0;
  #start = 0;
  #slab: Slab = NO_SLAB;
  #view: DataView = NO_SLAB.view;

  /** Throws RangeError for rows larger than a page. */
  constructor(layout: RowLayout<Spec>, undo = new UndoLog(), name = 'rows') {
    const { rowBytes } = layout;
    this.rowBytes = rowBytes;
    this.pageRows = Math.floor(PAGE_BYTES / rowBytes);
    if (this.pageRows < 1) throw new RangeError(`a row has ${rowBytes} bytes, a page fewer`);
    this.rowBits = Math.ceil(Math.log2(this.pageRows));
    this.rowMask = (1 << this.rowBits) - 1;
    this.pool = undo.pages;
    this.space = this.pool.createSpace(name, `${rowBytes} ${JSON.stringify(layout.fields)}`);
  }

  /** Rows in use. */
  get size(): number {
    return this.extent(SIZE);
  }

  /** Bytes of its pages in memory. */
  get allocatedBytes(): number {
    return this.space.residentPages * PAGE_BYTES;
  }

  /** Adds a row of zeros and returns its index. Throws FullTableError. */
  add(): number {
    const free = this.extent(FREE);
    const row = free === 0 ? this.append() : this.reuse(free - 1);
    this.setExtent(SIZE, this.extent(SIZE) + 1);
    return row;
  }

  /**
   * Adds a row of zeros beside others that are read together, and returns its index. `newest` is the
   * row that was added to the group last, -1 for the first one; a group fills whole pages of its
   * own. Rows of a table that has groups cannot be removed. Throws FullTableError.
   */
  addToGroup(newest: number): number {
    const isInPage = newest !== -1 && (newest & this.rowMask) !== this.pageRows - 1;
    const row = isInPage ? newest + 1 : this.startGroupPage();
    this.setExtent(SIZE, this.extent(SIZE) + 1);
    return row;
  }

  /**
   * Frees a row; its contents are lost. Throws RangeError in a table with groups: the row after the
   * newest one of a group could be in use.
   */
  remove(row: number): void {
    if (this.extent(NEXT_PAGE) !== 0) throw new RangeError('rows of groups are not removed');
    const view = this.changing(row);
    const start = this.startOf(row);
    this.pageOf(row).fill(0, start, start + this.rowBytes);
    view.setUint32(start, this.extent(FREE), true);
    this.setExtent(FREE, row + 1);
    this.setExtent(SIZE, this.extent(SIZE) - 1);
  }

  /** Reads a field of a row; of a field with several values, the one at `index`. */
  number(row: number, field: Field<NumberKind>, index = 0): number {
    const at = this.locate(row) + offsetOf(field, index);
    const view = this.#view;
    switch (field.kind) {
      case 'f64':
        return view.getFloat64(at, true);
      case 'u32':
        return view.getUint32(at, true);
      case 'u16':
        return view.getUint16(at, true);
      case 'u8':
        return view.getUint8(at);
    }
  }

  /** Throws RangeError for values that an unsigned field cannot represent. */
  setNumber(row: number, field: Field<NumberKind>, value: number, index = 0): void {
    const at = this.locateToChange(row, offsetOf(field, index));
    const view = this.#view;
    switch (field.kind) {
      case 'f64':
        view.setFloat64(at, value, true);
        break;
      case 'u32':
        view.setUint32(at, within(value, 0xffff_ffff), true);
        break;
      case 'u16':
        view.setUint16(at, within(value, 0xffff), true);
        break;
      case 'u8':
        view.setUint8(at, within(value, 0xff));
        break;
    }
  }

  /** Reads a 64-bit field of a row; of a field with several values, the one at `index`. */
  bigint(row: number, field: Field<BigintKind>, index = 0): bigint {
    const at = this.locate(row) + offsetOf(field, index);
    const view = this.#view;
    return field.kind === 'i64' ? view.getBigInt64(at, true) : view.getBigUint64(at, true);
  }

  /** Throws RangeError for values that exceed 64 bits. */
  setBigint(row: number, field: Field<BigintKind>, value: bigint, index = 0): void {
    const at = this.locateToChange(row, offsetOf(field, index));
    const view = this.#view;
    if (field.kind === 'i64') {
      if (value < I64_MIN || value > I64_MAX) throw new RangeError(`${value} is beyond i64`);
      view.setBigInt64(at, value, true);
    } else {
      if (value < 0n || value > U64_MAX) throw new RangeError(`${value} is beyond u64`);
      view.setBigUint64(at, value, true);
    }
  }

  /** Throws RangeError unless the number of bytes is that of the field. */
  setBytes(row: number, field: Field<'u8'>, bytes: Uint8Array): void {
    if (bytes.length !== field.length) {
      throw new RangeError(`a field has ${field.length} bytes, not ${bytes.length}`);
    }
    this.changing(row);
    this.pageOf(row).set(bytes, this.startOf(row) + field.offset);
  }

  /** Returns a copy of a row. */
  bytes(row: number): Uint8Array {
    const start = this.startOf(row);
    return this.pageOf(row).slice(start, start + this.rowBytes);
  }

  /** Adds a row with bytes returned by `bytes`. Throws RangeError if the row size differs. */
  restore(bytes: Uint8Array): number {
    if (bytes.length !== this.rowBytes) {
      throw new RangeError(`a row has ${this.rowBytes} bytes, not ${bytes.length}`);
    }
    const row = this.add();
    this.changing(row);
    this.pageOf(row).set(bytes, this.startOf(row));
    return row;
  }

  /**
   * The offset of a row in what `pageOf`, `viewOf` and `changing` return: for callers that read or
   * write many fields of one row. All of them are valid until the end of the slot.
   */
  startOf(row: number): number {
    return this.locate(row);
  }

  /** Bytes that contain the row, for reading. */
  pageOf(row: number): Uint8Array {
    this.locate(row);
    return this.#slab.bytes;
  }

  /** The same bytes as a DataView; numbers are little-endian. */
  viewOf(row: number): DataView {
    this.locate(row);
    return this.#view;
  }

  /** The same for a row that is about to change. Only this row may be changed. */
  changing(row: number): DataView {
    this.locate(row);
    this.pool.change(this.#frame, blocksOf((row & this.rowMask) * this.rowBytes, this.rowBytes));
    return this.#view;
  }

  /** The offset of a row in `#slab`, which it sets. */
  private locate(row: number): number {
    const page = (row >>> this.rowBits) + 1;
    if (page !== this.#page || this.pool.generation !== this.#generation) this.open(page);
    return this.#start + (row & this.rowMask) * this.rowBytes;
  }

  /** The same, for a change of the aligned value at `offset` of the row, which it adds. */
  private locateToChange(row: number, offset: number): number {
    const at = this.locate(row) + offset;
    this.pool.change(this.#frame, 1 << ((at & PAGE_MASK) >>> BLOCK_SHIFT));
    return at;
  }

  private open(page: number): void {
    const { pool } = this;
    const frame = this.space.frameOf(page);
    this.#page = page;
    this.#generation = pool.generation;
    this.#frame = frame;
    this.#start = firstByteOf(frame);
    this.#slab = pool.frames.slabOf(frame);
    this.#view = this.#slab.view;
  }

  /** Takes a freed row, which becomes zeros. */
  private reuse(row: number): number {
    const view = this.changing(row);
    const start = this.startOf(row);
    this.setExtent(FREE, view.getUint32(start, true));
    view.setUint32(start, 0, true);
    return row;
  }

  private append(): number {
    const end = this.extent(END);
    const isLast = (end & this.rowMask) === this.pageRows - 1;
    this.setExtent(END, isLast ? this.startPage() : end + 1);
    return end;
  }

  /** The first row of a page that is now in use. */
  private startPage(): number {
    const page = this.nextPage();
    if (this.extent(NEXT_PAGE) !== 0) this.setExtent(NEXT_PAGE, page + 1);
    return (page << this.rowBits) >>> 0;
  }

  /** The first row of a page that now belongs to a group. */
  private startGroupPage(): number {
    const page = this.nextPage();
    this.setExtent(NEXT_PAGE, page + 1);
    return (page << this.rowBits) >>> 0;
  }

  /**
   * The first page, counted without the one of the extents, that neither rows nor groups use. Throws
   * FullTableError if its rows would have numbers of 2^32 - 1 or more.
   */
  private nextPage(): number {
    const next = this.extent(NEXT_PAGE);
    const page = next === 0 ? (this.extent(END) >>> this.rowBits) + 1 : next;
    if (page < 0xffff_ffff >>> this.rowBits) return page;
    const rows = page * this.pageRows;
    throw new FullTableError(`table "${this.space.name}"`, `${rows} rows`);
  }

  private extent(at: number): number {
    const frame = this.space.frameOf(0);
    const words = this.pool.frames.slabOf(frame).words;
    return words[firstWordOf(frame) + at] as number;
  }

  private setExtent(at: number, value: number): void {
    const frame = this.space.frameOf(0);
    this.pool.change(frame, 1);
    const words = this.pool.frames.slabOf(frame).words;
    words[firstWordOf(frame) + at] = within(value, 0xffff_ffff);
  }
}

/**
 * Words of the first page, which contains no rows: rows in use, the next row number that was never
 * used outside of groups, one more than the most recently freed row, 0 for none, and the next page
 * that was never used, 0 in a table without groups. Each free row starts with the next one.
 */
const SIZE = 0;
const END = 1;
const FREE = 2;
const NEXT_PAGE = 3;

const NO_SLAB = new Slab(0);
const PAGE_MASK = PAGE_BYTES - 1;
const BLOCK_SHIFT = 5;
const I64_MIN = -(2n ** 63n);
const I64_MAX = 2n ** 63n - 1n;
const U64_MAX = 2n ** 64n - 1n;

function offsetOf(field: Field, index: number): number {
  if (index === 0) return field.offset;
  if (index >= field.length) throw new RangeError(`there is no value ${index} in the field`);
  return field.offset + index * FIELD_WIDTHS[field.kind];
}

function within(value: number, max: number): number {
  if (!Number.isInteger(value) || value < 0 || value > max) {
    throw new RangeError(`${value} is not in 0 to ${max}`);
  }
  return value;
}
