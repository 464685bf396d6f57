import { readFileSync, statSync } from 'node:fs';
import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { findJsonFault } from '../lib/json-fault.ts';
import { UsageError } from '../model/errors.ts';
import { printable } from './printable.ts';

/** Maximum file size; a finding has a few kilobytes. */
const FILE_BYTES_MAX = 16 * 2 ** 20;
const PATH_LENGTH_MAX = 100;

/** What a file should have, in words for its reader. */
export interface AnswerWords {
  /** As in `is no <answer>`. */
  readonly answer: string;
  /** As in `larger than any <kind>`. */
  readonly kind: string;
}

/** Reads JSON of a shape from a file. Throws UsageError for anything else. */
export function readAnswerFile<Schema extends TSchema>(
  path: string,
  schema: Schema,
  words: AnswerWords,
): Static<Schema> {
  const text = textOf(path, words);
  const fault = findJsonFault(text);
  if (fault !== null) {
    throw new UsageError(`${path} is not JSON: ${printable(fault.message)} (line ${fault.line}).`);
  }
  const value: unknown = JSON.parse(text);
  if (Value.Check(schema, value)) return value;
  const location = Value.Errors(schema, value)[0]?.instancePath ?? '';
  const where = location === '' ? '' : ` (see ${printable(location.slice(0, PATH_LENGTH_MAX))})`;
  throw new UsageError(`${path} is not ${words.answer}${where}.`);
}

function textOf(path: string, { kind }: AnswerWords): string {
  try {
    const { size } = statSync(path);
    if (size > FILE_BYTES_MAX) {
      throw new UsageError(`${path} is larger than any ${kind}: ${size} bytes.`);
    }
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${path} cannot be read: ${reason}`, { cause: error });
  }
}
