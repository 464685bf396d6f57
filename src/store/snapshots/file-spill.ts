import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { isSystemError, isTransientError } from '../../lib/transient-error.ts';
import { StoreError } from '../../model/errors.ts';
import type { RowSpill } from '../../model/row-spill.ts';

/** Rows read at a time by `entries`. */
const ROWS_PER_READ = 512;
const MARKS_MIN = 1_024;

/**
 * Rows of fixed length in a sparse file, each at its number times the length: there is no index and
 * no list of free cells, and cells that were never written use no disk space. The operating system
 * caches the file in otherwise unused memory. Nothing is made durable: the file is useless without
 * the marks in memory that say which cells are in use, and is removed with them.
 */
export class FileSpill implements RowSpill {
  private readonly path: string;
  private readonly rowBytes: number;
  /** Created with the first row, because many engines spill nothing. */
  private file: number | null = null;
  /** A bit for each cell in use. */
  private marks = new Uint8Array(MARKS_MIN);
  private count = 0;
  /** Rows that could not be written yet. */
  private readonly unwritten = new Map<number, Uint8Array>();

  /** A file that already exists at `path` is left over and is replaced. */
  constructor(path: string, rowBytes: number) {
    this.path = path;
    this.rowBytes = rowBytes;
  }

  get size(): number {
    return this.count;
  }

  /**
   * Stores a row. When the disk is full or fails, the row stays in memory until `settle`, because
   * the caller cannot stop at this point. Throws RangeError for a row of another length, StoreError
   * for other failures.
   */
  put(id: number, bytes: Uint8Array): void {
    if (bytes.length !== this.rowBytes) {
      throw new RangeError(`a row has ${this.rowBytes} bytes, not ${bytes.length}`);
    }
    try {
      this.write(id, bytes);
      this.unwritten.delete(id);
    } catch (error) {
      if (!isTransientError(error)) throw error;
      this.unwritten.set(id, bytes.slice());
    }
    if (!this.isMarked(id)) this.mark(id);
  }

  /** Writes the rows that could not be written before. Throws StoreError while that fails. */
  settle(): void {
    for (const [id, bytes] of this.unwritten) {
      this.write(id, bytes);
      this.unwritten.delete(id);
    }
  }

  take(id: number): Uint8Array | null {
    const bytes = this.peek(id);
    if (bytes === null) return null;
    this.marks[id >>> 3] = this.marksAt(id >>> 3) & ~(1 << (id & 7));
    this.count--;
    this.unwritten.delete(id);
    return bytes;
  }

  /** Throws StoreError when the file cannot be read. */
  peek(id: number): Uint8Array | null {
    if (!this.isMarked(id)) return null;
    return this.unwritten.get(id)?.slice() ?? this.read(id, 1);
  }

  /** Throws StoreError when the file cannot be read, or when rows cannot be written to it yet. */
  *entries(): Generator<[id: number, bytes: Uint8Array]> {
    this.settle();
    const end = this.marks.length * 8;
    for (let start = 0; start < end; start += ROWS_PER_READ) {
      const ids: number[] = [];
      for (let id = start; id < start + ROWS_PER_READ; id++) if (this.isMarked(id)) ids.push(id);
      const last = ids.at(-1);
      const first = ids[0];
      if (first === undefined || last === undefined) continue;
      const bytes = this.read(first, last - first + 1);
      for (const id of ids) {
        const from = (id - first) * this.rowBytes;
        yield [id, bytes.slice(from, from + this.rowBytes)];
      }
    }
  }

  close(): void {
    const { file } = this;
    this.file = null;
    this.marks = new Uint8Array();
    this.count = 0;
    this.unwritten.clear();
    if (file === null) return;
    closeSync(file);
    rmSync(this.path, { force: true });
  }

  private write(id: number, bytes: Uint8Array): void {
    this.work('written', () => {
      this.file ??= this.openFile();
      this.writeCell(this.file, id * this.rowBytes, bytes);
    });
  }

  private openFile(): number {
    rmSync(this.path, { force: true });
    // Never follow a symbolic link.
    return openSync(this.path, 'wx+', 0o600);
  }

  private read(id: number, rows: number): Uint8Array {
    return this.work('read', () => {
      const bytes = new Uint8Array(rows * this.rowBytes);
      const { file } = this;
      let size = 0;
      while (file !== null && size < bytes.length) {
        const read = readSync(file, bytes, size, bytes.length - size, id * this.rowBytes + size);
        if (read === 0) break;
        size += read;
      }
      if (size < bytes.length) throw new StoreError(`The file ${this.path} was cut off.`);
      return bytes;
    });
  }

  private writeCell(file: number, position: number, bytes: Uint8Array): void {
    let size = 0;
    while (size < bytes.length) {
      size += writeSync(file, bytes, size, bytes.length - size, position + size);
    }
  }

  private isMarked(id: number): boolean {
    return (this.marksAt(id >>> 3) & (1 << (id & 7))) !== 0;
  }

  private marksAt(index: number): number {
    return this.marks[index] ?? 0;
  }

  private mark(id: number): void {
    const index = id >>> 3;
    if (index >= this.marks.length) {
      const larger = new Uint8Array(Math.max(MARKS_MIN, this.marks.length * 2, index + 1));
      larger.set(this.marks);
      this.marks = larger;
    }
    this.marks[index] = this.marksAt(index) | (1 << (id & 7));
    this.count++;
  }

  private work<Done>(doing: string, work: () => Done): Done {
    try {
      return work();
    } catch (error) {
      if (!isSystemError(error)) throw error;
      throw new StoreError(
        `Wallet profiles that exceed the memory limit cannot be ${doing}: ${error.message}`,
        { cause: error, isTransient: isTransientError(error) },
      );
    }
  }
}
