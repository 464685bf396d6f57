/** The first bytes of the changes of one table. */
const TABLE = 0x54;
const COLUMNS_MAX = 100;
const NAME_MAX = 100;
const INSERT = 18;
const DELETE = 9;
const UPDATE = 23;

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
      if (columns < 1 || columns > COLUMNS_MAX) return NO_CHANGESET;
      reader.skip(columns);
      const table = reader.name();
      if (table === null) return NO_CHANGESET;
      if (!isAllowed(table)) return `it changes the table ${JSON.stringify(table)}`;
    } else {
      const images = first === UPDATE ? 2 : first === INSERT || first === DELETE ? 1 : 0;
      if (columns === 0 || images === 0) return NO_CHANGESET;
      reader.skip(1);
      for (let at = 0; at < columns * images; at++) reader.value();
    }
    if (reader.isBroken) return NO_CHANGESET;
  }
  return null;
}

const NO_CHANGESET = 'it is not a changeset';

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

  /** Text up to a zero byte; null if there is none. */
  name(): string | null {
    const end = this.bytes.indexOf(0, this.at);
    if (end < 0 || end - this.at > NAME_MAX) return null;
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
