/** The value of a page that has none. */
export const ABSENT = -1;

const CHUNK_BITS = 5;
const CHUNK_PAGES = 1 << CHUNK_BITS;
const CHUNK_MASK = CHUNK_PAGES - 1;
/** The chunk that all pages share whose own chunk has no value. */
const EMPTY = 0;

/**
 * A number for each of some pages, in memory that follows from how many have one, not from how many
 * pages there are: a table in use for months has a hundred times as many pages on disk as in memory.
 * Pages without a value take an eighth of a byte, those with one 4 to 128.
 */
export class FrameMap {
  /** By page in 32: the first cell of its chunk, EMPTY for none. */
  private chunks = new Int32Array(1);
  /** The values of chunks; the first chunk stays empty. */
  private cells = new Int32Array(2 * CHUNK_PAGES).fill(ABSENT);
  /** By chunk: how many values it has. */
  private counts = new Uint8Array(2);
  /** Chunks that were given up, and the end of those that were ever used. */
  private readonly free: number[] = [];
  private end = CHUNK_PAGES;

  /** The value of a page, ABSENT for none. */
  get(page: number): number {
    const chunk = this.chunks[page >>> CHUNK_BITS] ?? EMPTY;
    return this.cells[chunk + (page & CHUNK_MASK)] as number;
  }

  /** Sets the value of a page, which is not ABSENT. */
  set(page: number, value: number): void {
    const chunk = this.chunkOf(page);
    const cell = chunk + (page & CHUNK_MASK);
    if (this.cells[cell] === ABSENT) this.addToCount(chunk, 1);
    this.cells[cell] = value;
  }

  /** Removes the value of a page that has one. */
  delete(page: number): void {
    const chunk = this.chunks[page >>> CHUNK_BITS] as number;
    this.cells[chunk + (page & CHUNK_MASK)] = ABSENT;
    if (this.addToCount(chunk, -1) > 0) return;
    this.chunks[page >>> CHUNK_BITS] = EMPTY;
    this.free.push(chunk);
  }

  /** Bytes of its arrays. */
  get allocatedBytes(): number {
    return this.chunks.byteLength + this.cells.byteLength + this.counts.byteLength;
  }

  /** The chunk of a page, which is opened if there is none. */
  private chunkOf(page: number): number {
    const index = page >>> CHUNK_BITS;
    if (index >= this.chunks.length) {
      const chunks = new Int32Array(2 ** Math.ceil(Math.log2(index + 1)));
      chunks.set(this.chunks);
      this.chunks = chunks;
    }
    const known = this.chunks[index] as number;
    if (known !== EMPTY) return known;
    const chunk = this.free.pop() ?? this.append();
    this.chunks[index] = chunk;
    return chunk;
  }

  private append(): number {
    const chunk = this.end;
    this.end += CHUNK_PAGES;
    if (this.end > this.cells.length) {
      const length = 2 * this.cells.length;
      const cells = new Int32Array(length).fill(ABSENT, this.cells.length);
      cells.set(this.cells);
      this.cells = cells;
      const counts = new Uint8Array(length >>> CHUNK_BITS);
      counts.set(this.counts);
      this.counts = counts;
    }
    return chunk;
  }

  private addToCount(chunk: number, change: number): number {
    const count = (this.counts[chunk >>> CHUNK_BITS] as number) + change;
    this.counts[chunk >>> CHUNK_BITS] = count;
    return count;
  }
}
