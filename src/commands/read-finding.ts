import { readFileSync, statSync } from 'node:fs';
import type { Static } from 'typebox';
import { Value } from 'typebox/value';
import { ClassificationDetailBody } from '../api/present/present-classification.ts';
import { findJsonFault } from '../lib/json-fault.ts';
import { UsageError } from '../model/errors.ts';
import { printable } from './printable.ts';

/** A finding as returned by the service. */
export type PublishedFinding = Static<typeof ClassificationDetailBody>;

/** Maximum file size; a finding has a few kilobytes. */
const FILE_BYTES_MAX = 16 * 2 ** 20;
const PATH_LENGTH_MAX = 100;

/** Reads a response of GET /v1/fraud/classifications/{id}. Throws UsageError for anything else. */
export function readFinding(path: string): PublishedFinding {
  const text = textOf(path);
  const fault = findJsonFault(text);
  if (fault !== null) {
    throw new UsageError(`${path} is not JSON: ${printable(fault.message)} (line ${fault.line}).`);
  }
  const value: unknown = JSON.parse(text);
  if (Value.Check(ClassificationDetailBody, value)) return value;
  const location = Value.Errors(ClassificationDetailBody, value)[0]?.instancePath ?? '';
  const where = location === '' ? '' : ` (see ${printable(location.slice(0, PATH_LENGTH_MAX))})`;
  throw new UsageError(`${path} is not a response of GET /v1/fraud/classifications/{id}${where}.`);
}

function textOf(path: string): string {
  try {
    const { size } = statSync(path);
    if (size > FILE_BYTES_MAX) {
      throw new UsageError(`${path} is larger than any finding: ${size} bytes.`);
    }
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${path} cannot be read: ${reason}`, { cause: error });
  }
}
