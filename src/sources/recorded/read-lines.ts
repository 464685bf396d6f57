import { readChunks } from './file-content.ts';

/** One line without its end, and where it stands in the decompressed content. */
export interface Line {
  readonly bytes: Buffer;
  readonly offset: number;
  /** Counted from 1. */
  readonly number: number;
}

const LINE_FEED = 10;

/** The lines of a file that are not blank. Throws ContentFault. */
export async function* readLines(path: string, decompressedBytesMax: number): AsyncGenerator<Line> {
  let begun: Buffer[] = [];
  let offset = 0;
  let number = 1;
  for await (const chunk of readChunks(path, decompressedBytesMax)) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      const line = joined(begun, chunk.subarray(start, end));
      begun = [];
      if (!isBlank(line)) yield { bytes: line, offset, number };
      offset += line.length + 1;
      number++;
      start = end + 1;
    }
    if (start < chunk.length) begun.push(chunk.subarray(start));
  }
  const last = joined(begun, Buffer.alloc(0));
  if (!isBlank(last)) yield { bytes: last, offset, number };
}

function joined(begun: readonly Buffer[], end: Buffer): Buffer {
  return begun.length === 0 ? end : Buffer.concat([...begun, end]);
}

function isBlank(line: Buffer): boolean {
  return line.every((byte) => byte === 32 || byte === 9 || byte === 13);
}
