/** A line of a byte stream, or a marker for a line that is too long. */
export type Line =
  | { readonly kind: 'line'; readonly text: string }
  /** Longer than allowed: it was skipped. */
  | { readonly kind: 'too-long' };

const LINE_FEED = 10;

/**
 * Lines of a stream as UTF-8, without their ends (`\n` or `\r\n`), in batches as bytes arrive. A
 * line of more than `lineBytesMax` bytes is never kept in memory. The last line needs no end.
 */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  lineBytesMax: number,
): AsyncGenerator<readonly Line[]> {
  const partial = new PartialLine(lineBytesMax);
  for await (const chunk of chunks) {
    const lines: Line[] = [];
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      partial.add(chunk.subarray(start, end));
      lines.push(partial.take());
      start = end + 1;
    }
    partial.add(chunk.subarray(start));
    if (lines.length > 0) yield lines;
  }
  if (!partial.isEmpty) yield [partial.take()];
}

/** The line whose end was not received yet. */
class PartialLine {
  private readonly bytesMax: number;
  private parts: Uint8Array[] = [];
  private length = 0;

  constructor(bytesMax: number) {
    this.bytesMax = bytesMax;
  }

  get isEmpty(): boolean {
    return this.length === 0;
  }

  add(part: Uint8Array): void {
    this.length += part.length;
    if (this.length > this.bytesMax) this.parts = [];
    else if (part.length > 0) this.parts.push(Uint8Array.from(part));
  }

  take(): Line {
    const isTooLong = this.length > this.bytesMax;
    const text = isTooLong ? '' : Buffer.concat(this.parts).toString('utf8');
    this.parts = [];
    this.length = 0;
    return isTooLong ? { kind: 'too-long' } : { kind: 'line', text: text.replace(/\r$/, '') };
  }
}
