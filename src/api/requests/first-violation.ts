import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { ApiError } from '../../model/errors.ts';
import { ADDRESS_FORMAT } from '../schemas/parameters.ts';
import {
  isObject,
  isOfType,
  type RequestFields,
  type RequestPart,
  type RequestSchema,
} from './request-schema.ts';

/** Kinds of violations in the order in which they are reported (CONTRACT §1). */
const MISSING_OR_REPEATED = 0;
const WRONG_TYPE = 1;
const INVALID = { 400: 2, 422: 3 } as const;

interface Violation {
  readonly rank: number;
  readonly status: 400 | 422;
  readonly message: string;
}

/**
 * The error for a part of a request that its schema refuses. Of several violations it reports the
 * first missing or repeated field, then the first wrong type, then the first invalid value with
 * status 400, then with 422. The value itself is never repeated. Any other error is a fault of the
 * schema.
 */
export function firstViolation(schema: RequestSchema, part: RequestPart, value: unknown): Error {
  let first: Violation | null = null;
  for (const each of violationsOf(schema, part, value)) {
    if (first === null || each.rank < first.rank) first = each;
  }
  if (first !== null) return new ApiError(first.status, first.message);
  return new TypeError(`No violation explains why the ${part} of a request is refused`);
}

function* violationsOf(
  { properties = {}, required = [] }: RequestSchema,
  part: RequestPart,
  value: unknown,
): Generator<Violation> {
  if (!isObject(value)) {
    yield violation(WRONG_TYPE, 'The request body must be a JSON object.');
    return;
  }
  for (const [name, schema] of inOrder(properties)) {
    const given = value[name];
    if (given !== undefined) yield* ofField(schema, part, given, name);
    else if (required.includes(name)) yield violation(MISSING_OR_REPEATED, `${name} is required.`);
  }
}

/** Fields in the order in which they are checked: those whose invalid values are a 400 first. */
function inOrder(fields: RequestFields): readonly (readonly [string, RequestSchema])[] {
  return Object.entries(fields).sort(([, one], [, other]) => statusOf(one) - statusOf(other));
}

function ofField(schema: RequestSchema, part: RequestPart, value: unknown, name: string) {
  if (part === 'body') return ofJson(schema, value, name);
  return Array.isArray(value)
    ? [violation(MISSING_OR_REPEATED, `${name} is given more than once.`)]
    : ofValue(schema, value, name);
}

function* ofJson(schema: RequestSchema, value: unknown, name: string): Generator<Violation> {
  if (!isOfType(schema, value)) {
    yield violation(WRONG_TYPE, `${name} must be ${kindOf(schema)}.`);
    return;
  }
  let isSound = true;
  for (const inPart of ofParts(schema, value, name)) {
    isSound = false;
    yield inPart;
  }
  if (isSound) yield* ofValue(schema, value, name);
}

function kindOf({ type = '' }: RequestSchema): string {
  const [name = ''] = [type].flat();
  return name === 'string' ? 'a string' : `an ${name}`;
}

/** Violations within an object or a list. */
function* ofParts(schema: RequestSchema, value: unknown, name: string): Generator<Violation> {
  const { items, properties = {}, required = [] } = schema;
  if (isObject(value)) {
    for (const [field, fieldSchema] of Object.entries(properties)) {
      const path = `${name}.${field}`;
      const given = value[field];
      if (given !== undefined) yield* ofJson(fieldSchema, given, path);
      else if (required.includes(field)) yield violation(WRONG_TYPE, `${path} is required.`);
    }
  } else if (Array.isArray(value) && items !== undefined) {
    yield* ofItems(schema, items, value, name);
  }
}

function* ofItems(
  { minItems = 0, maxItems = Number.POSITIVE_INFINITY }: RequestSchema,
  items: RequestSchema,
  value: readonly unknown[],
  name: string,
): Generator<Violation> {
  const isOfObjects = items.properties !== undefined;
  if (isOfObjects && (value.length < minItems || value.length > maxItems)) {
    yield violation(WRONG_TYPE, `${name} must be ${minItems} to ${maxItems} objects.`);
    return;
  }
  for (const [index, item] of value.entries()) {
    // A list of words as a whole explains which words are allowed.
    const isExplained = isOfObjects || !isOfType(items, item);
    if (isExplained) yield* ofJson(items, item, `${name}[${index}]`);
  }
}

function* ofValue(schema: RequestSchema, value: unknown, name: string): Generator<Violation> {
  if (Value.Check(schema as TSchema, value)) return;
  const status = statusOf(schema);
  const rank = INVALID[status];
  if (value === '' && schema.format === ADDRESS_FORMAT) {
    yield violation(rank, `${name} is empty.`);
    return;
  }
  const fault = faultOf(schema, value);
  const separator = schema.properties === undefined ? ' ' : '.';
  if (fault !== null) yield violation(rank, `${name}${separator}${fault}.`, status);
}

/**
 * What is wrong with a value of the right type; null for a field that is explained by the object
 * that contains it, because its valid values depend on other fields.
 */
function faultOf(schema: RequestSchema, value: unknown): string | null {
  const [refinement] = schema['~refine'] ?? [];
  if (refinement !== undefined) return refinement.error(value);
  if (schema.enum !== undefined) return `must be one of ${schema.enum.join(', ')}`;
  const { type, minimum, maximum } = schema;
  return type === 'integer' ? `must be a whole number from ${minimum} to ${maximum}` : null;
}

function statusOf({ 'x-invalid-status': status = 400 }: RequestSchema): 400 | 422 {
  return status;
}

function violation(rank: number, message: string, status: 400 | 422 = 400): Violation {
  return { rank, status, message };
}

/** Throws TypeError for a schema with a field whose violations could not be explained. */
export function assertExplained(schema: RequestSchema, name = 'request'): void {
  const { properties, items, type, minimum, maximum } = schema;
  for (const [field, fieldSchema] of Object.entries(properties ?? {})) {
    if (!isRefined(schema)) assertExplained(fieldSchema, field);
  }
  if (items?.properties !== undefined) assertExplained(items, name);
  const isBounded = type === 'integer' && minimum !== undefined && maximum !== undefined;
  const isContainer = properties !== undefined || items?.properties !== undefined;
  if (isContainer || isBounded || isRefined(schema) || schema.enum !== undefined) return;
  throw new TypeError(`No message for an invalid ${name}`);
}

function isRefined(schema: RequestSchema): boolean {
  return schema['~refine'] !== undefined;
}
