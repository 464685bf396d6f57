/** A column of numbers as it is stored. */
export type NumberColumn = Uint8Array | Uint32Array | Float64Array;

const COLUMN_TYPES = { Uint8Array, Uint32Array, Float64Array } as const;
type ColumnType = keyof typeof COLUMN_TYPES;

interface StoredColumn {
  readonly name: string;
  readonly type: ColumnType;
  readonly length: number;
}

/** Columns start at multiples of this, so that they can be read where they are. */
const ALIGNMENT = 8;

/**
 * Named columns of numbers as bytes: the length of a description in JSON (u32), the description,
 * then the columns in its order, each in the machine's byte order and aligned to eight bytes.
 */
export class Fields {
  private readonly columns = new Map<string, NumberColumn>();

  set(name: string, column: NumberColumn): void {
    this.columns.set(name, column);
  }

  /** Throws RangeError for a name that is not stored. */
  numbers(name: string): NumberColumn {
    const column = this.columns.get(name);
    if (column === undefined) throw new RangeError(`the state has no ${name}`);
    return column;
  }

  toBytes(): Uint8Array {
    const list = [...this.columns].map(
      ([name, column]): StoredColumn => ({ name, type: typeOf(column), length: column.length }),
    );
    const head = Buffer.from(JSON.stringify(list));
    let end = aligned(4 + head.length);
    for (const { byteLength } of this.columns.values()) end += aligned(byteLength);
    const bytes = new Uint8Array(end);
    new DataView(bytes.buffer).setUint32(0, head.length);
    bytes.set(head, 4);
    let at = aligned(4 + head.length);
    for (const { buffer, byteOffset, byteLength } of this.columns.values()) {
      bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at);
      at += aligned(byteLength);
    }
    return bytes;
  }

  /** Throws SyntaxError or RangeError for bytes that `toBytes` did not return. */
  static fromBytes(bytes: Uint8Array): Fields {
    const fields = new Fields();
    const copy = bytes.slice();
    const headLength = new DataView(copy.buffer).getUint32(0);
    const list: StoredColumn[] = JSON.parse(
      Buffer.from(copy.buffer, 4, headLength).toString('utf8'),
    );
    let at = aligned(4 + headLength);
    for (const { name, type, length } of list) {
      const column = new COLUMN_TYPES[type](copy.buffer, at, length);
      fields.set(name, column);
      at += aligned(column.byteLength);
    }
    return fields;
  }
}

function typeOf(column: NumberColumn): ColumnType {
  if (column instanceof Uint8Array) return 'Uint8Array';
  return column instanceof Uint32Array ? 'Uint32Array' : 'Float64Array';
}

function aligned(sizeBytes: number): number {
  return Math.ceil(sizeBytes / ALIGNMENT) * ALIGNMENT;
}
