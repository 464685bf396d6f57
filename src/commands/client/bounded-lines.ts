import type { Readable } from 'node:stream';

const LINE_FEED = 10;

/** Lines that are not empty, without their end; null for one of more bytes, which is not kept. */
export async function* boundedLines(
  input: Readable,
  bytesMax: number,
): AsyncGenerator<string | null> {
  const line = new PendingLine(bytesMax);
  for await (const chunk of input) {
    let rest = Buffer.from(chunk);
    for (let end = rest.indexOf(LINE_FEED); end !== -1; end = rest.indexOf(LINE_FEED)) {
      line.add(rest.subarray(0, end));
      const text = line.take();
      if (text !== '') yield text;
      rest = rest.subarray(end + 1);
    }
    line.add(rest);
  }
}

class PendingLine {
  private readonly bytesMax: number;
  private parts: Buffer[] = [];
  private bytes = 0;

  constructor(bytesMax: number) {
    this.bytesMax = bytesMax;
  }

  add(part: Buffer): void {
    this.bytes += part.length;
    if (this.bytes <= this.bytesMax) this.parts.push(part);
    else this.parts = [];
  }

  take(): string | null {
    const text = this.bytes > this.bytesMax ? null : Buffer.concat(this.parts).toString().trim();
    this.parts = [];
    this.bytes = 0;
    return text;
  }
}
