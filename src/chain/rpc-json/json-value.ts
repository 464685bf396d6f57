import type { SourceProblemCode } from '../../model/errors.ts';
import { type Address, isAddress, isSlot, type Slot } from '../../model/units.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** Thrown for an invalid record within the readers; entry points turn it into a value. */
export class RecordRefusal extends Error {
  override readonly name = 'RecordRefusal';
  readonly code: SourceProblemCode;
  /** The transaction at fault, if known. */
  signature: string | null = null;
  txIndex: number | null = null;

  constructor(code: SourceProblemCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** `JSON.parse` rounded an integer that matters: the text must be parsed losslessly. */
export class ImpreciseInteger extends Error {
  override readonly name = 'ImpreciseInteger';
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the array, or refuses the record. */
export function arrayOf(value: unknown, field: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new RecordRefusal('bad-transaction', `${field} is not an array`);
}

export function objectOf(value: unknown, field: string): JsonObject {
  if (isObject(value)) return value;
  throw new RecordRefusal('bad-transaction', `${field} is not an object`);
}

/** Returns the address, or refuses the record. */
export function addressOf(value: unknown, field: string): Address {
  if (typeof value === 'string' && isAddress(value)) return value;
  const shown = typeof value === 'string' ? `"${value.slice(0, 60)}"` : typeof value;
  throw new RecordRefusal('bad-address', `${field} is not an address: ${shown}`);
}

const U64_MAX = 2n ** 64n - 1n;
const U64_TEXT = /^\d{1,20}$/;

/** An unsigned 64-bit integer, from a number or from decimal text. */
export function unsigned(value: unknown, field: string): bigint {
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value) && value >= 0) return BigInt(value);
    if (Number.isInteger(value) && value > 0) throw new ImpreciseInteger(field);
  } else if (typeof value === 'string') {
    const small = smallInteger(value);
    if (small >= 0) return BigInt(small);
    if (U64_TEXT.test(value) && BigInt(value) <= U64_MAX) return BigInt(value);
  }
  throw new RecordRefusal('bad-transaction', `${field} is not an unsigned 64-bit integer`);
}

const SMALL_DIGITS = 15;
const ZERO = 48;

/**
 * The value of up to 15 digits, which a number represents exactly and much faster; -1 for other
 * text.
 */
function smallInteger(text: string): number {
  if (text.length === 0 || text.length > SMALL_DIGITS) return -1;
  let value = 0;
  for (let at = 0; at < text.length; at++) {
    const digit = text.charCodeAt(at) - ZERO;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}

/** A non-negative safe integer: a slot, a time, an index. Decimal text is accepted too. */
export function count(value: unknown, field: string): number {
  const number = typeof value === 'string' && U64_TEXT.test(value) ? Number(value) : value;
  if (typeof number === 'number' && Number.isSafeInteger(number) && number >= 0) return number;
  throw new RecordRefusal('bad-transaction', `${field} is not a whole number`);
}

/** Like `count`; null where the field is absent. */
export function countOrNull(value: unknown, field: string): number | null {
  return value === undefined || value === null ? null : count(value, field);
}

/** A slot; null where the field is absent. */
export function slotOrNull(value: unknown, field: string): Slot | null {
  if (value === undefined || value === null) return null;
  const slot = count(value, field);
  if (isSlot(slot)) return slot;
  throw new RecordRefusal('bad-transaction', `${field} is not a slot`);
}
