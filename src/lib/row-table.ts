import { newPage } from './page-memory.ts';
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
 * Rows of a fixed size in pages of bytes, for tables with millions of rows: one object per row
 * would take several times the memory, and more time to collect, to undo and to write.
 *
 * Numbers are little-endian. The first change of a row within a record of changes keeps a copy of
 * the row, so an undo restores every byte. Freed rows are reused, the last freed first.
 */
export class RowTable<Spec extends RowSpec = RowSpec> {
  private readonly undo: UndoLog;
  private readonly rowBytes: number;
  /** A page has 2^pageBits rows. */
  private readonly pageBits: number;
  private readonly pages: Uint8Array[] = [];
  private readonly extent: Extent = { size: 0, end: 0, free: 0 };
  // Views derived from the pages, not part of the state.
  readonly #views: DataView[] = [];
  readonly #words: Uint32Array[] = [];
  readonly #stamps: Uint32Array[] = [];
  #record = 0;

  constructor(layout: RowLayout<Spec>, undo = new UndoLog()) {
    this.undo = undo;
    this.rowBytes = layout.rowBytes;
    this.pageBits = Math.max(0, Math.floor(Math.log2(PAGE_BYTES / layout.rowBytes)));
  }

  /** Rows in use. */
  get size(): number {
    return this.extent.size;
  }

  /** Bytes allocated for the rows, including free ones. */
  get allocatedBytes(): number {
    return this.pages.length * (this.rowBytes << this.pageBits);
  }

  /** Adds a row of zeros and returns its index. */
  add(): number {
    this.keepExtent();
    const { extent } = this;
    extent.size++;
    if (extent.free === 0) return this.append();
    const row = extent.free - 1;
    const view = this.changing(row);
    const start = this.startOf(row);
    extent.free = view.getUint32(start, true);
    view.setUint32(start, 0, true);
    return row;
  }

  /** Frees a row; its contents are lost. */
  remove(row: number): void {
    this.keepExtent();
    const view = this.changing(row);
    const start = this.startOf(row);
    this.pageOf(row).fill(0, start, start + this.rowBytes);
    view.setUint32(start, this.extent.free, true);
    this.extent.free = row + 1;
    this.extent.size--;
  }

  /** Reads a field of a row; of a field with several values, the one at `index`. */
  number(row: number, field: Field<NumberKind>, index = 0): number {
    const view = this.viewOf(row);
    const at = this.offsetOf(row, field, index);
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
    const view = this.changing(row);
    const at = this.offsetOf(row, field, index);
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
    const view = this.viewOf(row);
    const at = this.offsetOf(row, field, index);
    return field.kind === 'i64' ? view.getBigInt64(at, true) : view.getBigUint64(at, true);
  }

  /** Throws RangeError for values that exceed 64 bits. */
  setBigint(row: number, field: Field<BigintKind>, value: bigint, index = 0): void {
    const view = this.changing(row);
    const at = this.offsetOf(row, field, index);
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
    this.pageOf(row).set(bytes, this.offsetOf(row, field, 0));
  }

  /** Returns a copy of a row. */
  bytes(row: number): Uint8Array {
    return new Uint8Array(this.viewOf(row).buffer, this.startOf(row), this.rowBytes).slice();
  }

  /** Adds a row with bytes returned by `bytes`. Throws RangeError if the row size differs. */
  restore(bytes: Uint8Array): number {
    if (bytes.length !== this.rowBytes) {
      throw new RangeError(`a row has ${this.rowBytes} bytes, not ${bytes.length}`);
    }
    const row = this.add();
    this.pageOf(row).set(bytes, this.startOf(row));
    return row;
  }

  /** The offset of a row in its page: for callers that read or write many fields of one row. */
  startOf(row: number): number {
    return this.indexInPage(row) * this.rowBytes;
  }

  /** The page of a row, for immediate reading: undoing a row can drop its page. */
  pageOf(row: number): Uint8Array {
    const page = this.pages[row >>> this.pageBits];
    if (page === undefined) throw new RangeError(`there is no row ${row}`);
    return page;
  }

  /** The same page as a DataView; numbers are little-endian. */
  viewOf(row: number): DataView {
    return this.#views[row >>> this.pageBits] ?? this.openPage(row);
  }

  /**
   * Returns the page of a row that is about to change. Only this row of the page may be changed.
   */
  changing(row: number): DataView {
    const view = this.viewOf(row);
    const { record } = this.undo;
    if (record !== 0) this.keep(row, record);
    return view;
  }

  private append(): number {
    const row = this.extent.end++;
    if (row >>> this.pageBits === this.pages.length) {
      this.pages.push(newPage(this.rowBytes << this.pageBits));
    }
    const { record } = this.undo;
    // Needs no copy: rows beyond the old end are cleared when the addition is undone.
    if (record !== 0) this.stampsOf(row)[this.indexInPage(row)] = record;
    return row;
  }

  private indexInPage(row: number): number {
    return row & ((1 << this.pageBits) - 1);
  }

  private offsetOf(row: number, field: Field, index: number): number {
    const start = this.startOf(row) + field.offset;
    if (index === 0) return start;
    if (index >= field.length) throw new RangeError(`there is no value ${index} in the field`);
    return start + index * FIELD_WIDTHS[field.kind];
  }

  private stampsOf(row: number): Uint32Array {
    if (this.#views[row >>> this.pageBits] === undefined) this.openPage(row);
    return this.#stamps[row >>> this.pageBits] as Uint32Array;
  }

  private openPage(row: number): DataView {
    const page = row >>> this.pageBits;
    const { buffer } = this.pageOf(row);
    const view = new DataView(buffer);
    this.#views[page] = view;
    this.#words[page] = new Uint32Array(buffer);
    this.#stamps[page] = new Uint32Array(1 << this.pageBits);
    return view;
  }

  private keep(row: number, record: number): void {
    const page = row >>> this.pageBits;
    const index = this.indexInPage(row);
    const stamps = this.#stamps[page];
    const words = this.#words[page];
    if (stamps === undefined || words === undefined || stamps[index] === record) return;
    stamps[index] = record;
    const rowWords = this.rowBytes / WORD_BYTES;
    this.undo.words(words, index * rowWords, rowWords);
  }

  /** Keeps the extent of the table before a record's first addition or removal of a row. */
  private keepExtent(): void {
    const { record } = this.undo;
    if (record === 0 || this.#record === record) return;
    this.#record = record;
    const extent = { ...this.extent };
    this.undo.step(() => this.revert(extent));
  }

  private revert(extent: Extent): void {
    const pages = Math.ceil(extent.end / 2 ** this.pageBits);
    const last = this.pages[pages - 1];
    const used = this.indexInPage(extent.end);
    const added = this.extent.end - extent.end;
    if (used !== 0) last?.fill(0, used * this.rowBytes, (used + added) * this.rowBytes);
    Object.assign(this.extent, extent);
    this.pages.length = pages;
    for (const made of [this.#views, this.#words, this.#stamps]) {
      made.length = Math.min(made.length, pages);
    }
  }
}

/** The extent of a table. */
export interface Extent {
  /** Rows in use. */
  size: number;
  /** One more than the highest row index ever used. */
  end: number;
  /**
   * One more than the most recently freed row, 0 for none; each free row starts with the next one.
   */
  free: number;
}

const WORD_BYTES = 4;
const PAGE_BYTES = 128 * 1_024;
const I64_MIN = -(2n ** 63n);
const I64_MAX = 2n ** 63n - 1n;
const U64_MAX = 2n ** 64n - 1n;

function within(value: number, max: number): number {
  if (!Number.isInteger(value) || value < 0 || value > max) {
    throw new RangeError(`${value} is not in 0 to ${max}`);
  }
  return value;
}
