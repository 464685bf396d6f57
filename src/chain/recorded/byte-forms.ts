import { decodeBase58 } from '../../lib/base58.ts';
import { isObject } from '../rpc-json/json-value.ts';

export type TextEncoding = 'base58' | 'base64';

/**
 * Decodes bytes from the forms that JSON writers use: text, an array of numbers, Node's `{type:
 * 'Buffer', data}` with numbers or text, or an object with numbered fields, which may be empty.
 * Null for anything else.
 */
export function bytesOf(value: unknown, encoding: TextEncoding): Uint8Array | null {
  if (typeof value === 'string') {
    return encoding === 'base58' ? decodeBase58(value) : Buffer.from(value, 'base64');
  }
  if (Array.isArray(value)) return fromNumbers(value);
  if (!isObject(value)) return null;
  const { data } = value;
  if (Array.isArray(data)) return fromNumbers(data);
  if (typeof data === 'string') {
    return Buffer.from(data, value.encoding === 'hex' ? 'hex' : 'base64');
  }
  return data === undefined ? fromNumbers(Object.values(value)) : null;
}

function fromNumbers(values: readonly unknown[]): Uint8Array | null {
  const isByte = (value: unknown) =>
    Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 255;
  return values.every(isByte) ? Uint8Array.from(values as number[]) : null;
}
