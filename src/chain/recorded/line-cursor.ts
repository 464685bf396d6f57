import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ContentBounds, ContentFault, isCompressed, readChunks } from './file-content.ts';
import type { InputFile } from './input-files.ts';
import { type Line, readLines } from './read-lines.ts';

/** The position of a line in its file. */
export interface LinePosition {
  readonly offset: number;
  /** Counted from 1. */
  readonly number: number;
  readonly sizeBytes: number;
}

/**
 * Reads single lines of a file. A compressed file can only be read forward; the first request for
 * an earlier line decompresses it into a temporary file, which `close` removes.
 */
export class LineCursor {
  readonly file: InputFile;
  private readonly bounds: ContentBounds;
  /** A file that can be read at any offset, once known. */
  private plainPath: string | null = null;
  private isInspected = false;
  private spillFolder: string | null = null;
  private lines: AsyncGenerator<Line> | null = null;
  private next = 0;

  constructor(file: InputFile, bounds: ContentBounds) {
    this.file = file;
    this.bounds = bounds;
  }

  async read(position: LinePosition): Promise<Buffer> {
    if (!this.isInspected) {
      this.isInspected = true;
      if (!(await isCompressed(this.file.origin))) this.plainPath = this.file.origin;
    }
    if (this.plainPath === null && position.offset < this.next) this.plainPath = await this.spill();
    if (this.plainPath === null) return this.seek(position.offset);
    return readAt(this.plainPath, position);
  }

  async close(): Promise<void> {
    await this.lines?.return(undefined);
    this.lines = null;
    if (this.spillFolder !== null) await rm(this.spillFolder, { recursive: true, force: true });
  }

  private async seek(offset: number): Promise<Buffer> {
    this.lines ??= readLines(this.file.origin, this.bounds);
    for (;;) {
      const step = await this.lines.next();
      if (step.done === true) throw new ContentFault('unreadable', null, 'the file has changed');
      this.next = step.value.offset + 1;
      const { bytes } = step.value;
      if (step.value.offset === offset && bytes !== null) return bytes;
    }
  }

  /** Writes as much as can be decompressed; the first pass has reported the fault. */
  private async spill(): Promise<string> {
    await this.lines?.return(undefined);
    this.lines = null;
    this.spillFolder = await mkdtemp(join(tmpdir(), 'mintscope-'));
    const path = join(this.spillFolder, 'lines');
    await writeFile(
      path,
      untilFault(readChunks(this.file.origin, this.bounds.decompressedBytesMax)),
    );
    return path;
  }
}

async function* untilFault(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* chunks;
  } catch (error) {
    if (!(error instanceof ContentFault)) throw error;
  }
}

async function readAt(path: string, { offset, sizeBytes }: LinePosition): Promise<Buffer> {
  const handle = await open(path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(sizeBytes), 0, sizeBytes, offset);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
