import { ByteWriter } from './byte-writer.ts';
import { ImpreciseInteger, isObject, type JsonObject, unsigned } from './json-value.ts';
import type { ParsedArgument } from './parsed-layout.ts';
import { ACCOUNT_STATES, AUTHORITY_TYPES, EXTENSION_TYPES } from './parsed-names.ts';

/** Writes one value of the record; false when it is missing or of another type. */
type WriteArgument = (writer: ByteWriter, value: unknown, source: string) => boolean;

/**
 * Writers for the argument types of a layout, integers little endian. A type that ends in `?` has a
 * flag byte, then the value if present; one that ends in `0` is zeros when absent.
 */
const WRITERS: Readonly<Record<string, WriteArgument>> = {
  u8: writesUnsigned(1),
  u16: writesUnsigned(2),
  u32: writesUnsigned(4),
  u64: writesUnsigned(8),
  i16: writesSigned(2),
  i64: writesSigned(8),
  u64or0: (writer, value, source) => writeUnsigned(writer, value ?? 0, 8, source),
  'u64?': optional(writesUnsigned(8)),
  f64: writeFloat,
  bool: writeFlag,
  key: writeKey,
  'key?': optional(writeKey),
  key0: (writer, value) => (isAbsent(value) ? writeZeros(writer) : writeKey(writer, value)),
  /** An ElGamal public key of 32 bytes, given in base64. */
  elgamal0: (writer, value) => (isAbsent(value) ? writeZeros(writer) : writeElGamal(writer, value)),
  /** UTF-8 to the end of the data, or UTF-8 after its length, an integer of that many bytes. */
  text: writesText(0),
  text4: writesText(4),
  text8: writesText(8),
  /** Discriminators, given in the layout itself. */
  hex: (writer, _, source) => {
    writer.raw(Buffer.from(source, 'hex'));
    return true;
  },
  /** The number of entries of a list. */
  count: (writer, value) => Array.isArray(value) && writeUnsigned(writer, value.length, 1, 'count'),
  authority: (writer, value) => writeName(writer, value, AUTHORITY_TYPES, 1),
  state: (writer, value) => writeName(writer, value, ACCOUNT_STATES, 1),
  'extension*': (writer, value) =>
    !Array.isArray(value) || value.every((name) => writeName(writer, name, EXTENSION_TYPES, 2)),
  field: writeMetadataField,
};

/** The data of an instruction, rebuilt from its record; null when the record lacks an argument. */
export function argumentBytes(
  layout: readonly ParsedArgument[],
  info: JsonObject,
): Uint8Array | null {
  const writer = new ByteWriter();
  for (const { source, type } of layout) {
    const value = /^\d+$/.test(source) ? Number(source) : valueAt(info, source);
    if (WRITERS[type]?.(writer, value, source) !== true) return null;
  }
  return writer.toBytes();
}

function valueAt(info: JsonObject, path: string): unknown {
  const dot = path.indexOf('.');
  if (dot < 0) return info[path];
  const outer = info[path.slice(0, dot)];
  return isObject(outer) ? outer[path.slice(dot + 1)] : undefined;
}

function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

function optional(write: WriteArgument): WriteArgument {
  return (writer, value, source) => {
    const isPresent = !isAbsent(value);
    writer.integer(isPresent ? 1n : 0n, 1);
    return !isPresent || write(writer, value, source);
  };
}

function writesUnsigned(size: number): WriteArgument {
  return (writer, value, source) => writeUnsigned(writer, value, size, source);
}

function writeUnsigned(writer: ByteWriter, value: unknown, size: number, source: string): boolean {
  if (typeof value !== 'number' && typeof value !== 'string') return false;
  const integer = unsigned(value, source);
  if (integer >= 1n << BigInt(8 * size)) return false;
  writer.integer(integer, size);
  return true;
}

const INTEGER_TEXT = /^-?\d{1,20}$/;

/** Two's complement. */
function writesSigned(size: number): WriteArgument {
  const bits = 8 * size;
  return (writer, value, source) => {
    const isText = typeof value === 'string' && INTEGER_TEXT.test(value);
    if (!isText && !Number.isInteger(value)) return false;
    if (!isText && !Number.isSafeInteger(value)) throw new ImpreciseInteger(source);
    const integer = BigInt(value as string | number);
    if (BigInt.asIntN(bits, integer) !== integer) return false;
    writer.integer(BigInt.asUintN(bits, integer), size);
    return true;
  };
}

/** A finite number, given as text. */
function writeFloat(writer: ByteWriter, value: unknown): boolean {
  if (typeof value !== 'string' || value === '' || !Number.isFinite(Number(value))) return false;
  const bytes = new DataView(new ArrayBuffer(8));
  bytes.setFloat64(0, Number(value), true);
  writer.raw(new Uint8Array(bytes.buffer));
  return true;
}

function writeFlag(writer: ByteWriter, value: unknown): boolean {
  if (typeof value !== 'boolean') return false;
  writer.integer(value ? 1n : 0n, 1);
  return true;
}

const KEY_BYTES = 32;

function writeZeros(writer: ByteWriter): boolean {
  writer.raw(new Uint8Array(KEY_BYTES));
  return true;
}

function writeKey(writer: ByteWriter, value: unknown): boolean {
  return typeof value === 'string' && writer.key(value);
}

function writeElGamal(writer: ByteWriter, value: unknown): boolean {
  const bytes = typeof value === 'string' ? Buffer.from(value, 'base64') : null;
  if (bytes?.length !== KEY_BYTES) return false;
  writer.raw(bytes);
  return true;
}

function writesText(lengthSize: number): WriteArgument {
  return (writer, value) => {
    if (typeof value !== 'string') return false;
    writer.text(value, lengthSize);
    return true;
  };
}

/** The index of a name in its enumeration. */
function writeName(
  writer: ByteWriter,
  name: unknown,
  names: readonly string[],
  size: number,
): boolean {
  const index = typeof name === 'string' ? names.indexOf(name) : -1;
  if (index < 0) return false;
  writer.integer(BigInt(index), size);
  return true;
}

const METADATA_FIELDS = ['name', 'symbol', 'uri'];

/** One of the three fixed fields by number, any other by number 3 and its name. */
function writeMetadataField(writer: ByteWriter, value: unknown): boolean {
  if (typeof value !== 'string') return false;
  const index = METADATA_FIELDS.indexOf(value);
  writer.integer(BigInt(index < 0 ? METADATA_FIELDS.length : index), 1);
  if (index < 0) writer.text(value, 4);
  return true;
}
