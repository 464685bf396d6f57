import { readU32, readU64 } from '../../lib/little-endian.ts';
import { addressOfBytes } from '../../model/account-keys.ts';
import type { Address } from '../../model/units.ts';

/** Values by the types that a table names, as published interfaces call them. */
interface ScalarValues {
  readonly bool: boolean;
  readonly u8: number;
  readonly u16: number;
  readonly i32: number;
  readonly u64: bigint;
  readonly i64: bigint;
  readonly u128: bigint;
  readonly i128: bigint;
  readonly pubkey: Address;
  readonly string: string;
}

type FixedScalar = Exclude<keyof ScalarValues, 'string'>;

/** A type of known size: a scalar or a struct of such types. */
type FixedType = FixedScalar | { readonly [name: string]: FixedType };

/** A vector is written as a list of its one type. */
export type FieldType = FixedType | 'string' | readonly [FixedType];

/** Names and types of fields, in order. */
export type Fields = Readonly<Record<string, FieldType>>;

type ValueOf<Type> = Type extends keyof ScalarValues
  ? ScalarValues[Type]
  : Type extends readonly [infer Item]
    ? readonly ValueOf<Item>[]
    : { readonly [Name in keyof Type]: ValueOf<Type[Name]> };

type Merged<Group> = (Group extends unknown ? (group: Group) => void : never) extends (
  group: infer All,
) => void
  ? All
  : never;

/** The values of a record; those of appended fields are undefined in older records. */
export type RecordValues<First, Appended extends readonly unknown[]> = ValueOf<First> & {
  readonly [Name in keyof Merged<Appended[number]>]:
    | ValueOf<Merged<Appended[number]>[Name]>
    | undefined;
};

/** Reads records of one layout. */
export interface BorshRecord<Values> {
  /** Names and types of all fields, in order. */
  readonly types: Fields;
  /**
   * The record that begins at `offset`; more bytes may follow. Null when the data end inside the
   * first fields, or inside a group of appended ones. Never throws.
   *
   * Values are decoded when they are read, so that unread ones cost nothing: read each once, by
   * name; a spread copies none.
   */
  read(bytes: Uint8Array, offset: number): Values | null;
}

/**
 * A record as a table: the fields that it always had, then each group of fields that a later
 * version of the program appended, which is present as a whole or not at all.
 */
export function borshRecord<const First extends Fields, const Appended extends readonly Fields[]>(
  first: First,
  ...appended: Appended
): BorshRecord<RecordValues<First, Appended>> {
  const { view, groups } = compile([first, ...appended]);
  return {
    types: Object.assign({}, first, ...appended),
    read(bytes, offset) {
      const anchors = anchorsOf(groups, bytes, offset);
      if (anchors === null) return null;
      // The class has the accessors of the table's fields.
      return new view(bytes, anchors) as unknown as RecordValues<First, Appended>;
    },
  };
}

/** Fields of a known size, then one of a size that the data name, or the end of the group (null). */
interface Step {
  readonly fixedBytes: number;
  /** Bytes for each counted item of the field: 1 for texts. */
  readonly itemBytes: number | null;
}

/** A record in bytes. An anchor is the start of the record, or the end of a field of any size. */
class RecordView {
  readonly bytes: Uint8Array;
  readonly anchors: readonly number[];

  constructor(bytes: Uint8Array, anchors: readonly number[]) {
    this.bytes = bytes;
    this.anchors = anchors;
  }
}

function compile(tables: readonly Fields[]) {
  const view = class extends RecordView {};
  const groups: Step[][] = [];
  let anchor = 0;
  let offset = 0;
  for (const table of tables) {
    const steps: Step[] = [];
    let fixedBytes = 0;
    for (const [name, type] of Object.entries(table)) {
      defineField(view.prototype, name, { anchor, offset, decode: decoderOf(type) });
      const itemBytes = itemBytesOf(type);
      if (itemBytes === null) {
        const size = sizeOf(type as FixedType);
        offset += size;
        fixedBytes += size;
      } else {
        steps.push({ fixedBytes, itemBytes });
        fixedBytes = 0;
        anchor++;
        offset = 0;
      }
    }
    steps.push({ fixedBytes, itemBytes: null });
    groups.push(steps);
  }
  return { view, groups };
}

interface FieldPosition {
  readonly anchor: number;
  readonly offset: number;
  readonly decode: (bytes: Uint8Array, at: number) => unknown;
}

function defineField(view: RecordView, name: string, position: FieldPosition): void {
  const get = position.decode === readU64 ? amountAccessor(position) : accessor(position);
  Object.defineProperty(view, name, { get });
}

function accessor({ anchor, offset, decode }: FieldPosition) {
  return function (this: RecordView): unknown {
    const at = (this.anchors[anchor] as number) + offset;
    return at < this.bytes.length ? decode(this.bytes, at) : undefined;
  };
}

/** The same for a u64: most reads are of amounts, and calling the decoder by name is faster. */
function amountAccessor({ anchor, offset }: FieldPosition) {
  return function (this: RecordView): bigint | undefined {
    const at = (this.anchors[anchor] as number) + offset;
    return at < this.bytes.length ? readU64(this.bytes, at) : undefined;
  };
}

/** Positions of the anchors; null when the data end inside a group. */
function anchorsOf(
  groups: readonly (readonly Step[])[],
  bytes: Uint8Array,
  start: number,
): readonly number[] | null {
  const anchors = [start];
  let at = start;
  for (let group = 0; group < groups.length; group++) {
    const isMissing = group > 0 && at === bytes.length;
    for (const { fixedBytes, itemBytes } of groups[group] as readonly Step[]) {
      if (!isMissing) at = endOf(bytes, at + fixedBytes, itemBytes);
      if (at > bytes.length) return null;
      if (itemBytes !== null) anchors.push(at);
    }
  }
  return anchors;
}

/** The end of a counted field at `at`; past the end of the data when it is cut off. */
function endOf(bytes: Uint8Array, at: number, itemBytes: number | null): number {
  if (itemBytes === null) return at;
  const items = at + COUNT_BYTES;
  return items > bytes.length ? items : items + readU32(bytes, at) * itemBytes;
}

const COUNT_BYTES = 4;

const SIZES: Readonly<Record<FixedScalar, number>> = {
  bool: 1,
  u8: 1,
  u16: 2,
  i32: 4,
  u64: 8,
  i64: 8,
  u128: 16,
  i128: 16,
  pubkey: 32,
};

function sizeOf(type: FixedType): number {
  if (typeof type === 'string') return SIZES[type];
  return Object.values(type).reduce((size, field) => size + sizeOf(field), 0);
}

/** Null for a type of known size. */
function itemBytesOf(type: FieldType): number | null {
  if (type === 'string') return 1;
  return isVector(type) ? sizeOf(type[0]) : null;
}

function isVector(type: FieldType): type is readonly [FixedType] {
  return Array.isArray(type);
}

const text = new TextDecoder('utf-8');

type Decoders = {
  readonly [Type in keyof ScalarValues]: (bytes: Uint8Array, at: number) => ScalarValues[Type];
};

const DECODERS: Decoders = {
  bool: (bytes, at) => bytes[at] === 1,
  u8: (bytes, at) => bytes[at] as number,
  u16: (bytes, at) => (bytes[at] as number) | ((bytes[at + 1] as number) << 8),
  i32: (bytes, at) => readU32(bytes, at) | 0,
  u64: readU64,
  i64: (bytes, at) => BigInt.asIntN(64, readU64(bytes, at)),
  u128: readU128,
  i128: (bytes, at) => BigInt.asIntN(128, readU128(bytes, at)),
  pubkey: addressOfBytes,
  // Unchanged except that invalid UTF-8 becomes U+FFFD.
  string: (bytes, at) => {
    const start = at + COUNT_BYTES;
    return text.decode(bytes.subarray(start, start + readU32(bytes, at)));
  },
};

function readU128(bytes: Uint8Array, at: number): bigint {
  return (readU64(bytes, at + 8) << 64n) | readU64(bytes, at);
}

function decoderOf(type: FieldType): (bytes: Uint8Array, at: number) => unknown {
  if (typeof type === 'string') return DECODERS[type];
  if (!isVector(type)) {
    const { view } = compile([type]);
    return (bytes, at) => new view(bytes, [at]);
  }
  const decode = decoderOf(type[0]);
  const itemBytes = sizeOf(type[0]);
  return (bytes, at) =>
    Array.from({ length: readU32(bytes, at) }, (_, index) =>
      decode(bytes, at + COUNT_BYTES + index * itemBytes),
    );
}
