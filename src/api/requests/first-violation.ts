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
  type RequestValues,
} from './request-schema.ts';

/** Rank of fields that are missing, repeated or of a wrong type; others have that of their status. */
const WRONG_SHAPE = 0;

interface Violation {
  readonly rank: 0 | 400 | 422;
  readonly status: 400 | 422;
  readonly message: string;
}

/**
 * The error for a part of a request that its schema refuses. Of several violations it reports the
 * first missing or repeated field, then the first wrong type, then the first invalid value with
 * status 400, then with 422 (CONTRACT §1). The value itself is never repeated. Any other error than
 * ApiError is a fault of the schema.
 */
export function firstViolation(schema: RequestSchema, part: RequestPart, value: unknown): Error {
  let first: Violation | null = null;
  for (const each of violationsOf(schema, part, value)) {
    if (first === null || each.rank < first.rank) first = each;
    if (first.rank === WRONG_SHAPE) break;
  }
  if (first !== null) return new ApiError(first.status, first.message);
  return new TypeError(`No violation explains why the ${part} of a request is refused`);
}

/** Missing and repeated fields come first. */
function* violationsOf(
  schema: RequestSchema,
  part: RequestPart,
  value: unknown,
): Generator<Violation> {
  const { properties = {}, required = [] } = schema;
  if (!isObject(value)) {
    yield wrongShape('The request body must be a JSON object.');
    return;
  }
  const isText = part !== 'body';
  const fields = inOrder(properties);
  for (const [name] of fields) {
    const given = value[name];
    if (given === undefined && required.includes(name)) yield wrongShape(`${name} is required.`);
    if (isText && Array.isArray(given)) yield wrongShape(`${name} is given more than once.`);
  }
  yield* ofChoice(schema, value, '');
  for (const [name, field] of fields) {
    const given = value[name];
    if (given === undefined) continue;
    yield* isText ? ofValue(field, given, name) : ofJson(field, given, name);
  }
}

/** Of fields of which exactly one must be given. */
function* ofChoice(
  { oneOf = [] }: RequestSchema,
  value: RequestValues,
  path: string,
): Generator<Violation> {
  const names = oneOf.flatMap(({ required }) => required);
  const given = names.filter((name) => value[name] !== undefined);
  if (names.length === 0 || given.length === 1) return;
  yield wrongShape(
    given.length === 0
      ? `${path}${names.join(' or ')} is required.`
      : `${path}${given.join(' and ')} must not be given together.`,
  );
}

/** Fields in the order in which they are checked: those whose invalid values are a 400 first. */
function inOrder(fields: RequestFields): readonly (readonly [string, RequestSchema])[] {
  return Object.entries(fields).sort(([, one], [, other]) => statusOf(one) - statusOf(other));
}

function* ofJson(schema: RequestSchema, value: unknown, name: string): Generator<Violation> {
  if (!isOfType(schema, value)) {
    yield wrongShape(`${name} must be ${kindOf(schema)}.`);
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
    yield* ofChoice(schema, value, `${name}.`);
    for (const [field, fieldSchema] of Object.entries(properties)) {
      const path = `${name}.${field}`;
      const given = value[field];
      if (given !== undefined) yield* ofJson(fieldSchema, given, path);
      else if (required.includes(field)) yield wrongShape(`${path} is required.`);
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
  // A list of words as a whole explains which words are allowed.
  const isOfWords = !isOfObjects && items['~refine'] === undefined;
  if (!isOfWords && (value.length < minItems || value.length > maxItems)) {
    const kind = isOfObjects ? 'objects' : 'texts';
    yield wrongShape(`${name} must be ${minItems} to ${maxItems} ${kind}.`);
    return;
  }
  for (const [index, item] of value.entries()) {
    const isExplained = !isOfWords || !isOfType(items, item);
    if (isExplained) yield* ofJson(items, item, `${name}[${index}]`);
  }
}

function* ofValue(schema: RequestSchema, value: unknown, name: string): Generator<Violation> {
  if (Value.Check(schema as TSchema, value)) return;
  const rank = statusOf(schema);
  const fault = faultOf(schema, value);
  const separator = schema.properties === undefined ? ' ' : '.';
  if (value === '' && schema.format === ADDRESS_FORMAT) {
    yield { rank, status: 400, message: `${name} is empty.` };
  } else if (fault !== null) {
    yield { rank, status: rank, message: `${name}${separator}${fault}.` };
  }
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

function wrongShape(message: string): Violation {
  return { rank: WRONG_SHAPE, status: 400, message };
}

/** Throws TypeError for a schema with a field whose violations could not be explained. */
export function assertExplained(schema: RequestSchema, name: string): void {
  const { properties, items, type, minimum, maximum } = schema;
  if (schema['~refine'] !== undefined || schema.enum !== undefined) return;
  if (type === 'integer' && minimum !== undefined && maximum !== undefined) return;
  if (items?.['~refine'] !== undefined) return;
  if (items?.properties !== undefined) assertExplained(items, name);
  else if (properties === undefined) throw new TypeError(`No message for an invalid ${name}`);
  for (const [field, property] of Object.entries(properties ?? {})) {
    assertExplained(property, field);
  }
}
