/**
 * Where rows of bytes lie that memory has no room for, one to a number. Every call is immediate, and
 * what was put is given back byte for byte: the fold's answers depend on it.
 *
 * It is an extension of one engine's memory and no store: it begins empty, belongs to that engine
 * alone and outlives nothing. A snapshot of the engine holds the rows that lie here at its moment.
 */
export interface RowSpill {
  /** Rows that lie here. */
  readonly size: number;
  /** Takes the place of what lay there under the number. */
  put(id: number, bytes: Uint8Array): void;
  /** Gives the bytes and forgets them; null for a number under which nothing lies. */
  take(id: number): Uint8Array | null;
  /** Gives the bytes and changes nothing. */
  peek(id: number): Uint8Array | null;
  /** All rows by ascending number; nothing may be put or taken before the last one. */
  entries(): Iterable<readonly [id: number, bytes: Uint8Array]>;
  /** Nothing lies here any more, and nothing may be asked. */
  close(): void;
}
