import { isBase58Of32Bytes } from '../../lib/base58.ts';
import { UUID } from '../../lib/uuid.ts';
import { ApiError } from '../../model/errors.ts';
import type { Address } from '../../model/units.ts';

/** Where a text came from, and the status to answer when it means nothing. */
export interface Parameter {
  readonly name: string;
  readonly status: 400 | 422;
}

/** Reads an address. An empty text counts as missing and is 400 whatever the status. */
export function parseAddress(text: string, parameter: Parameter): Address {
  if (text === '') throw new ApiError(400, `${parameter.name} is empty.`);
  if (!isBase58Of32Bytes(text)) throw refusal(parameter, 'the base58 text of a 32-byte address');
  return text as Address;
}

/** Reads a UUID of any version, in letters of either case; its text in small ones. */
export function parseUuid(text: string, parameter: Parameter): string {
  const small = text.toLowerCase();
  if (UUID.test(small)) return small;
  throw refusal(parameter, 'a UUID');
}

/** Reads a whole number in plain ASCII digits: no sign, exponent, point, space or other script. */
export function parseInteger(
  text: string,
  range: { readonly least: number; readonly most: number },
  parameter: Parameter,
): number {
  const value = /^[0-9]{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= range.least && value <= range.most) return value;
  throw refusal(parameter, `a whole number from ${range.least} to ${range.most}`);
}

/** Reads one of a few words, exactly as written. */
export function parseChoice(
  text: string,
  choices: readonly string[],
  parameter: Parameter,
): string {
  if (choices.includes(text)) return text;
  throw refusal(parameter, `one of ${choices.join(', ')}`);
}

/** Reads words with commas between them, each exactly as written; a word said twice counts once. */
export function parseList(
  text: string,
  choices: readonly string[],
  parameter: Parameter,
): readonly string[] {
  const words = text.split(',', choices.length + 1);
  if (words.length <= choices.length && words.every((word) => choices.includes(word))) {
    return [...new Set(words)];
  }
  throw refusal(parameter, `a comma list of ${choices.join(', ')}`);
}

/** Reads a text of some characters, none of them a control character or half of one. */
export function parseText(text: string, most: number, parameter: Parameter): string {
  if (text !== '' && [...text].length <= most && !/[\p{Cc}\p{Cs}]/u.test(text)) return text;
  throw refusal(parameter, `a text of 1 to ${most} characters`);
}

/** The answer to a text that means nothing. The text itself is never repeated. */
export function refusal({ name, status }: Parameter, expected: string): ApiError {
  return new ApiError(status, `${name} must be ${expected}.`);
}
