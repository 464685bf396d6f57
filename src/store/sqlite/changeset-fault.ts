/** The first bytes of the changes of one table. */
const TABLE = 0x54;
const COLUMNS_MAX = 100;
const NAME_MAX = 100;
/** Values of an inserted, removed and changed row, by the first byte of the change. */
const VALUES_OF_CHANGE: ReadonlyMap<number, number> = new Map([
  [18, 1],
  [9, 1],
  [23, 2],
]);

/** Values of a changeset by their first byte: undefined, integer, real, text, blob, null. */
const UNDEFINED = 0;
const NULL = 5;
const INTEGER = 1;
const REAL = 2;
const NUMBER_BYTES = 8;

/**
 * Why bytes do not have the form of a changeset of SQLite's session extension, or change a table that
 * is not allowed; null otherwise. SQLite may still refuse its values. Never throws.
 */
export function changesetFault(
  bytes: Uint8Array,
  isAllowed: (table: string) => boolean,
): string | null {
  const reader = new Reader(bytes);
  let columns = 0;
  while (!reader.isAtEnd) {
    const first = reader.byte();
    if (first === TABLE) {
      columns = reader.varint();
      const table = tableAfter(reader, columns);
      if (table !== null && !isAllowed(table))
        return `it changes the table ${JSON.stringify(table)}`;
    } else skipChange(reader, first, columns);
    if (reader.isBroken) return 'it is not a changeset';
  }
  return null;
}

/** The name of a table with so many columns; null if it has none. */
function tableAfter(reader: Reader, columns: number): string | null {
  if (columns < 1 || columns > COLUMNS_MAX) reader.isBroken = true;
  reader.skip(columns);
  return reader.name();
}

function skipChange(reader: Reader, kind: number, columns: number): void {
  const values = columns * (VALUES_OF_CHANGE.get(kind) ?? 0);
  if (values === 0) reader.isBroken = true;
  reader.skip(1);
  for (let at = 0; at < values; at++) reader.value();
}

class Reader {
  private readonly bytes: Uint8Array;
  private at = 0;
  isBroken = false;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.at >= this.bytes.length;
  }

  byte(): number {
    const byte = this.bytes[this.at];
    this.skip(1);
    return byte ?? 0;
  }

  skip(count: number): void {
    this.at += count;
    if (this.at > this.bytes.length) this.isBroken = true;
  }

  /** Seven bits a byte, most significant first; longer numbers than four bytes are no lengths. */
  varint(): number {
    let value = 0;
    for (let length = 1; length <= 4; length++) {
      const byte = this.byte();
      value = value * 128 + (byte & 0x7f);
      if (byte < 0x80) return value;
    }
    this.isBroken = true;
    return 0;
  }

  /** Text up to a zero byte; null, and broken, if there is none. */
  name(): string | null {
    const end = this.bytes.indexOf(0, this.at);
    if (end < 0 || end - this.at > NAME_MAX) {
      this.isBroken = true;
      return null;
    }
    const name = Buffer.from(this.bytes.subarray(this.at, end)).toString('latin1');
    this.at = end + 1;
    return name;
  }

  value(): void {
    const kind = this.byte();
    if (kind === UNDEFINED || kind === NULL) return;
    if (kind === INTEGER || kind === REAL) this.skip(NUMBER_BYTES);
    else if (kind < NULL) this.skip(this.varint());
    else this.isBroken = true;
  }
}
