import { type ContentBounds, readChunks } from './file-content.ts';

/** One line without its terminator, with its position in the decompressed content. */
export interface Line {
  /** Null for a line longer than a document may be: it is skipped and not kept in memory. */
  readonly bytes: Buffer | null;
  readonly offset: number;
  /** Counted from 1. */
  readonly number: number;
}

const LINE_FEED = 10;

/** The lines of a file that are not blank. Throws ContentFault. */
export async function* readLines(path: string, bounds: ContentBounds): AsyncGenerator<Line> {
  const partial = new PartialLine(bounds.documentBytesMax);
  let offset = 0;
  let number = 1;
  for await (const chunk of readChunks(path, bounds.decompressedBytesMax)) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      const { bytes, length } = partial.end(chunk.subarray(start, end));
      if (!isBlank(bytes)) yield { bytes, offset, number };
      offset += length + 1;
      number++;
      start = end + 1;
    }
    partial.add(chunk.subarray(start));
  }
  const { bytes } = partial.end(Buffer.alloc(0));
  if (!isBlank(bytes)) yield { bytes, offset, number };
}

/** The part read so far of a line whose end has not been seen. */
class PartialLine {
  private readonly bytesMax: number;
  private parts: Buffer[] = [];
  private length = 0;

  constructor(bytesMax: number) {
    this.bytesMax = bytesMax;
  }

  add(part: Buffer): void {
    this.length += part.length;
    if (this.length > this.bytesMax) this.parts = [];
    else if (part.length > 0) this.parts.push(part);
  }

  /** The whole line; null for one that is too long. */
  end(part: Buffer): { readonly bytes: Buffer | null; readonly length: number } {
    const isAlone = this.length === 0;
    this.add(part);
    const { length, parts } = this;
    this.parts = [];
    this.length = 0;
    if (length > this.bytesMax) return { bytes: null, length };
    return { bytes: isAlone ? part : Buffer.concat(parts, length), length };
  }
}

function isBlank(line: Buffer | null): boolean {
  return line?.every((byte) => byte === 32 || byte === 9 || byte === 13) ?? false;
}
