import { isBase58Of32Bytes } from '../../lib/base58.ts';
import { UUID } from '../../lib/uuid.ts';
import { ApiError } from '../../model/errors.ts';
import type { Address } from '../../model/units.ts';

/** Name of a parameter, and the status for an invalid value. */
export interface Parameter {
  readonly name: string;
  readonly status: 400 | 422;
}

/** Parses an address. An empty text counts as missing and is always a 400. */
export function parseAddress(text: string, parameter: Parameter): Address {
  if (text === '') throw new ApiError(400, `${parameter.name} is empty.`);
  if (!isBase58Of32Bytes(text)) throw refusal(parameter, 'the base58 text of a 32-byte address');
  return text as Address;
}

/** Parses a UUID of any version in either case; returns it in lower case. */
export function parseUuid(text: string, parameter: Parameter): string {
  const small = text.toLowerCase();
  if (UUID.test(small)) return small;
  throw refusal(parameter, 'a UUID');
}

/** Parses a whole number of plain ASCII digits, without sign, exponent, point or spaces. */
export function parseInteger(
  text: string,
  range: { readonly least: number; readonly most: number },
  parameter: Parameter,
): number {
  const value = /^[0-9]{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= range.least && value <= range.most) return value;
  throw refusal(parameter, `a whole number from ${range.least} to ${range.most}`);
}

/** Parses one of the given values, case-sensitively. */
export function parseChoice(
  text: string,
  choices: readonly string[],
  parameter: Parameter,
): string {
  if (choices.includes(text)) return text;
  throw refusal(parameter, `one of ${choices.join(', ')}`);
}

/** Parses a comma-separated list of the given values, case-sensitively. Duplicates are removed. */
export function parseList(
  text: string,
  choices: readonly string[],
  parameter: Parameter,
): readonly string[] {
  const words = text.split(',', choices.length + 1);
  if (words.length <= choices.length && words.every((word) => choices.includes(word))) {
    return [...new Set(words)];
  }
  throw refusal(parameter, `a comma-separated list of ${choices.join(', ')}`);
}

/** Parses a text of 1 to `most` characters, without control characters and unpaired surrogates. */
export function parseText(text: string, most: number, parameter: Parameter): string {
  if (text !== '' && [...text].length <= most && !/[\p{Cc}\p{Cs}]/u.test(text)) return text;
  throw refusal(parameter, `a text of 1 to ${most} characters`);
}

/** The error for an invalid value. The value itself is never repeated. */
export function refusal({ name, status }: Parameter, expected: string): ApiError {
  return new ApiError(status, `${name} must be ${expected}.`);
}
