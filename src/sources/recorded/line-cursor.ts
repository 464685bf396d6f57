import { open } from 'node:fs/promises';
import { ContentFault, isCompressed, textOf } from './file-content.ts';
import type { InputFile } from './input-files.ts';
import { type Line, readLines } from './read-lines.ts';

/** Where a line stands in its file. */
export interface LinePlace {
  readonly offset: number;
  /** Counted from 1. */
  readonly number: number;
  readonly sizeBytes: number;
}

/**
 * Reads single lines of a file. A compressed file has to be read from its start, so lines behind
 * the last one cost a new start.
 */
export class LineCursor {
  readonly file: InputFile;
  private readonly decompressedBytesMax: number;
  private isCompressed: boolean | null = null;
  private lines: AsyncGenerator<Line> | null = null;
  private next = 0;

  constructor(file: InputFile, decompressedBytesMax: number) {
    this.file = file;
    this.decompressedBytesMax = decompressedBytesMax;
  }

  async close(): Promise<void> {
    await this.lines?.return(undefined);
    this.lines = null;
  }

  async read(line: LinePlace): Promise<string> {
    this.isCompressed ??= await isCompressed(this.file.origin);
    return textOf(this.isCompressed ? await this.seek(line.offset) : await this.readAt(line));
  }

  private async readAt({ offset, sizeBytes }: LinePlace): Promise<Buffer> {
    const handle = await open(this.file.origin);
    try {
      const { buffer, bytesRead } = await handle.read(
        Buffer.alloc(sizeBytes),
        0,
        sizeBytes,
        offset,
      );
      return buffer.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  }

  private async seek(offset: number): Promise<Buffer> {
    if (offset < this.next) await this.close();
    this.lines ??= readLines(this.file.origin, this.decompressedBytesMax);
    for (;;) {
      const step = await this.lines.next();
      if (step.done === true) throw new ContentFault('unreadable', null, 'the file has changed');
      this.next = step.value.offset + 1;
      if (step.value.offset === offset) return step.value.bytes;
    }
  }
}
