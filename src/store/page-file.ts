import { closeSync, mkdirSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { packedLengthMax } from '../lib/pages/packed-bytes.ts';
import { PAGE_BYTES } from '../lib/pages/page-layout.ts';
import type { PageStore } from '../lib/pages/page-store.ts';
import { isSystemError } from '../lib/transient-error.ts';
import { StoreError } from '../model/errors.ts';

/** Length and checksum of the packed page, as words in little-endian order. */
const HEADER_BYTES = 8;
const CELL_BYTES = HEADER_BYTES + packedLengthMax(PAGE_BYTES);
const ABSENT = -1;

/** By page of a space: its cell in the file. */
interface PageCells {
  cells: Int32Array;
}

/**
 * Pages that have no room in memory and can be computed again, in one file: each has a cell of its
 * own, which is overwritten in place. Nothing is made durable, and the file begins empty.
 *
 * A page that the device does not take stays in memory until it does.
 */
export class PageFile implements PageStore {
  private readonly path: string;
  private readonly spaces: PageCells[] = [];
  private readonly cell = Buffer.alloc(CELL_BYTES);
  private readonly unwritten = new Map<number, Buffer>();
  private cellCount = 0;
  private file: number | null = null;
  private isClosed = false;

  /** The file is created when the first page is stored. One of an earlier use is removed. */
  constructor(path: string) {
    this.path = path;
    ifPossible(() => rmSync(path, { force: true }));
  }

  /** Bytes of the file. */
  get sizeBytes(): number {
    return this.cellCount * CELL_BYTES;
  }

  /** Pages that the device did not take yet. */
  get unwrittenPages(): number {
    return this.unwritten.size;
  }

  /** Throws StoreError if the page cannot be read, or is not what was stored. */
  read(space: number, id: number): Uint8Array | null {
    const cell = this.spaces[space]?.cells[id] ?? ABSENT;
    if (cell === ABSENT) return null;
    return contentOf(this.unwritten.get(cell) ?? this.readCell(cell), this.path);
  }

  /** Throws RangeError for what is no packed page. */
  put(space: number, id: number, bytes: Uint8Array | null): void {
    if (bytes === null || bytes.length > CELL_BYTES - HEADER_BYTES) {
      throw new RangeError('only packed pages are stored');
    }
    this.cell.writeUInt32LE(bytes.length, 0);
    this.cell.writeUInt32LE(crc32(bytes), 4);
    this.cell.set(bytes, HEADER_BYTES);
    this.write(this.cellOf(space, id), this.cell.subarray(0, HEADER_BYTES + bytes.length));
    this.writeAgain();
  }

  /** There are no checkpoints of them. */
  putAsOf(space: number, id: number, bytes: Uint8Array | null): void {
    this.put(space, id, bytes);
  }

  /** Removes the file. Later pages are in memory only. */
  close(): void {
    const { file } = this;
    this.file = null;
    this.isClosed = true;
    ifPossible(() => {
      if (file !== null) closeSync(file);
      rmSync(this.path, { force: true });
    });
  }

  private cellOf(space: number, id: number): number {
    this.spaces[space] ??= { cells: new Int32Array(0) };
    const of = this.spaces[space];
    if (id >= of.cells.length) {
      const larger = new Int32Array(2 ** Math.ceil(Math.log2(id + 2))).fill(ABSENT);
      larger.set(of.cells);
      of.cells = larger;
    }
    if (of.cells[id] === ABSENT) of.cells[id] = this.cellCount++;
    return of.cells[id] as number;
  }

  private readCell(cell: number): Buffer {
    const { file } = this;
    let read = 0;
    try {
      if (file !== null) read = readSync(file, this.cell, 0, CELL_BYTES, cell * CELL_BYTES);
    } catch (error) {
      const message = `${this.path} cannot be read`;
      throw new StoreError(message, { cause: error, isTransient: true });
    }
    return this.cell.subarray(0, read);
  }

  private write(cell: number, bytes: Buffer): void {
    if (this.writeCell(cell, bytes)) this.unwritten.delete(cell);
    else this.unwritten.set(cell, Buffer.from(bytes));
  }

  /** With each page that is stored, one that waits. */
  private writeAgain(): void {
    const [waiting] = this.unwritten;
    if (waiting !== undefined && this.writeCell(...waiting)) this.unwritten.delete(waiting[0]);
  }

  private writeCell(cell: number, bytes: Buffer): boolean {
    if (this.isClosed) return false;
    return ifPossible(() => {
      this.file ??= create(this.path);
      return writeSync(this.file, bytes, 0, bytes.length, cell * CELL_BYTES) === bytes.length;
    });
  }
}

function create(path: string): number {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return openSync(path, 'w+', 0o600);
}

function contentOf(cell: Buffer, path: string): Uint8Array {
  const length = cell.length < HEADER_BYTES ? 0 : cell.readUInt32LE(0);
  const bytes = cell.subarray(HEADER_BYTES, HEADER_BYTES + length);
  if (length > 0 && bytes.length === length && crc32(bytes) === cell.readUInt32LE(4)) return bytes;
  throw new StoreError(`A page in ${path} is not what was stored`, { isTransient: true });
}

/** False if the device fails. */
function ifPossible(work: () => unknown): boolean {
  try {
    return work() !== false;
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return false;
  }
}
