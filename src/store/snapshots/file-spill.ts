import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { isTransientError } from '../../lib/transient-error.ts';
import { StoreError } from '../../model/errors.ts';
import type { RowSpill } from '../../model/row-spill.ts';
import { isSystemError } from './snapshot-file.ts';

/** Rows that `entries` reads at a time. */
const ROWS_PER_READ = 512;
const MARKS_MIN = 1_024;

/**
 * Rows of one length in a file of cells, each at its number times the length: no index, no free
 * places to look for, and what was never written takes no room on the disk. The operating system
 * caches it in memory that nobody else wants, and nothing is ever made durable: the file is of no use
 * without the marks in memory that say which cells count, and goes with them.
 */
export class FileSpill implements RowSpill {
  private readonly path: string;
  private readonly rowBytes: number;
  /** Made with the first row: many an engine spills nothing. */
  private file: number | null = null;
  /** A bit for each cell that counts. */
  private marks = new Uint8Array(MARKS_MIN);
  private count = 0;
  /** Rows that the file did not take, until it does. */
  private readonly unwritten = new Map<number, Uint8Array>();

  /** A file that is at `path` already is nobody's any more. */
  constructor(path: string, rowBytes: number) {
    this.path = path;
    this.rowBytes = rowBytes;
  }

  get size(): number {
    return this.count;
  }

  /**
   * A row that a full or failing disk does not take stays in memory, for `settle`: who puts is in the
   * middle of something. Throws RangeError for a row of another length, StoreError for other failures.
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

  /** Writes the rows that the disk did not take. Throws StoreError while it still does not. */
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

  /** Throws StoreError when the file cannot be read, or does not hold all of them yet. */
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
    // Never through a link.
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

  private marksAt(place: number): number {
    return this.marks[place] ?? 0;
  }

  private mark(id: number): void {
    const place = id >>> 3;
    if (place >= this.marks.length) {
      const larger = new Uint8Array(Math.max(MARKS_MIN, this.marks.length * 2, place + 1));
      larger.set(this.marks);
      this.marks = larger;
    }
    this.marks[place] = this.marksAt(place) | (1 << (id & 7));
    this.count++;
  }

  private work<Done>(doing: string, work: () => Done): Done {
    try {
      return work();
    } catch (error) {
      if (!isSystemError(error)) throw error;
      throw new StoreError(
        `Profiles of wallets that memory has no room for cannot be ${doing}: ${error.message}`,
        { cause: error, isTransient: isTransientError(error) },
      );
    }
  }
}
