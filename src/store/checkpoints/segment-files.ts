import { isSystemError } from '../../lib/transient-error.ts';
import { type FileAccess, type FileSpan, readFully } from './file-access.ts';

const NAME = /^segment-(\d{8})\.bin$/;

/** The name of the file of a segment. */
export function segmentName(segment: number): string {
  return `segment-${String(segment).padStart(8, '0')}.bin`;
}

/** The segment of a file; null for other files. */
export function segmentOf(name: string): number | null {
  const [, digits] = NAME.exec(name) ?? [];
  return digits === undefined ? null : Number(digits);
}

/**
 * The open files of segments. Those least recently used are closed when there are too many, except
 * for the one written last and those with bytes that are not durable yet: the operating system
 * reports a failed write to files that were open at the time.
 */
export class SegmentFiles {
  private readonly access: FileAccess;
  private readonly openMax: number;
  /** In order of use. */
  private readonly open = new Map<number, number>();
  private readonly unsynced = new Set<number>();
  private readonly syncing = new Set<number>();
  private lastWritten: number | null = null;

  constructor(access: FileAccess, openMax: number) {
    this.access = access;
    this.openMax = openMax;
  }

  /** Segments with bytes that are not durable yet. */
  get unsyncedSegments(): readonly number[] {
    return [...this.unsynced];
  }

  /** Reads a part of a segment; false if the file is shorter. */
  read(segment: number, span: FileSpan): boolean {
    return readFully(this.access, this.fileOf(segment), span);
  }

  /** Writes to a segment and returns the number of bytes written. The file is created at 0. */
  write(segment: number, span: FileSpan): number {
    if (span.position === 0 && !this.open.has(segment)) {
      this.closeBeyond(this.openMax - 1);
      const file = this.retrying(() => this.access.create(segmentName(segment)));
      this.open.set(segment, file);
    }
    this.unsynced.add(segment);
    this.lastWritten = segment;
    return this.access.write(this.fileOf(segment), span);
  }

  /**
   * Makes the bytes of a segment durable that were written before. Bytes that are written meanwhile
   * are for the next call. After a failure the segment is not tried again.
   */
  async sync(segment: number): Promise<void> {
    const file = this.fileOf(segment);
    this.unsynced.delete(segment);
    this.syncing.add(segment);
    try {
      await this.access.sync(file);
    } finally {
      this.syncing.delete(segment);
    }
  }

  remove(segment: number): void {
    const file = this.open.get(segment);
    this.open.delete(segment);
    this.unsynced.delete(segment);
    if (file !== undefined) this.access.close(file);
    this.access.remove(segmentName(segment));
  }

  close(): void {
    for (const file of this.open.values()) this.access.close(file);
    this.open.clear();
    this.unsynced.clear();
  }

  private fileOf(segment: number): number {
    let file = this.open.get(segment);
    if (file !== undefined) {
      if (this.open.size >= this.openMax) {
        this.open.delete(segment);
        this.open.set(segment, file);
      }
      return file;
    }
    this.closeBeyond(this.openMax - 1);
    file = this.retrying(() => this.access.open(segmentName(segment)));
    this.open.set(segment, file);
    return file;
  }

  /** Tries again with fewer open files when the process or the machine has too many. */
  private retrying(open: () => number): number {
    try {
      return open();
    } catch (error) {
      if (!isSystemError(error) || !['EMFILE', 'ENFILE'].includes(error.code ?? '')) throw error;
      this.closeBeyond(Math.floor(this.open.size / 2));
      return open();
    }
  }

  private closeBeyond(limit: number): void {
    for (const [segment, file] of this.open) {
      if (this.open.size <= limit) break;
      if (this.isNeeded(segment)) continue;
      this.open.delete(segment);
      this.access.close(file);
    }
  }

  private isNeeded(segment: number): boolean {
    if (segment === this.lastWritten) return true;
    return this.unsynced.has(segment) || this.syncing.has(segment);
  }
}
