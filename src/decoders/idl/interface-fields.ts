import { InterfaceError } from './interface-error.ts';

/**
 * Maximum instructions, events or types. Large programs have a few hundred; more is not a genuine
 * interface.
 */
export const ENTRIES_MAX = 4_096;
/** Maximum accounts of one instruction, or fields of one event. */
export const PARTS_MAX = 1_024;
const NAME_LENGTH_MAX = 200;
const BYTES_MAX = 64;

type Fields = Readonly<Record<string, unknown>>;

/**
 * Readers of the parts of an interface. Each throws an InterfaceError that names the invalid part.
 */
export function asObject(value: unknown, where: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw new InterfaceError(`${where} is not an object`);
}

/** A missing list is empty. */
export function asList(value: unknown, where: string, most: number): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new InterfaceError(`${where} is not a list`);
  if (value.length > most) throw new InterfaceError(`${where} has more than ${most} entries`);
  return value;
}

export function asName(value: unknown, where: string): string {
  if (typeof value === 'string' && value.length <= NAME_LENGTH_MAX && /^\w+$/.test(value)) {
    return value;
  }
  throw new InterfaceError(`${where} has no name made of letters, digits and underscores`);
}

/** A list of numbers as bytes, in hex. */
export function asHexOfBytes(value: unknown, where: string): string {
  const bytes = asList(value, where, BYTES_MAX);
  const isBytes = bytes.every((byte) => Number.isInteger(byte) && Number(byte) >> 8 === 0);
  if (!isBytes || bytes.length === 0) throw new InterfaceError(`${where} is not a list of bytes`);
  return bytes.map((byte) => Number(byte).toString(16).padStart(2, '0')).join('');
}

/** Null for a value that is not a text. */
export function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value.length <= NAME_LENGTH_MAX ? value : null;
}
