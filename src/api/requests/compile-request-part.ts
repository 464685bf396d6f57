import { IsCodec, type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { assertExplained, firstViolation } from './first-violation.ts';
import {
  isObject,
  type RequestPart,
  type RequestSchema,
  type RequestValues,
} from './request-schema.ts';
import { unknownParameterCheck } from './unknown-parameter.ts';

type Validator = (raw: unknown) => { value: unknown } | { error: Error };

const compiled: Readonly<Record<RequestPart, WeakMap<object, Validator>>> = {
  body: new WeakMap(),
  query: new WeakMap(),
  path: new WeakMap(),
};

/**
 * The function that checks and parses a part of a request. Unknown query parameters are refused;
 * unknown fields of a body are ignored. Each schema is compiled once, however many servers a process
 * makes. Throws TypeError at server startup for a schema whose violations could not be explained to
 * the client.
 */
export function compileRequestPart(given: unknown, part: RequestPart): Validator {
  const schema = given as TSchema & RequestSchema;
  let validator = compiled[part].get(schema);
  if (validator === undefined) {
    validator = compilePart(schema, part);
    compiled[part].set(schema, validator);
  }
  return validator;
}

function compilePart(schema: TSchema & RequestSchema, part: RequestPart): Validator {
  assertExplained(schema, part);
  const validator = Compile(withoutFormats(schema));
  const prepare = part === 'body' ? bodyReader(schema) : integerReader(schema);
  const parse = valueParser(schema);
  const check = part === 'query' ? unknownParameterCheck(namesOf(schema)) : null;
  return (raw) => {
    const unknown = check?.(raw as object) ?? null;
    if (unknown !== null) return { error: unknown };
    const value = prepare(raw);
    if (!validator.Check(value)) return { error: firstViolation(schema, part, value) };
    return { value: parse(value as RequestValues) };
  };
}

function namesOf({ properties = {} }: RequestSchema): readonly string[] {
  return Object.keys(properties);
}

/**
 * The refinement of a text decides alone, and faster than the pattern or the format which describe
 * it to clients.
 */
function withoutFormats(schema: TSchema & RequestSchema): TSchema {
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const refinements = property['~refine'];
    if (refinements === undefined) return [name, property];
    return [name, { ...property, pattern: undefined, format: undefined, '~refine': refinements }];
  });
  return { ...schema, properties: Object.fromEntries(properties) };
}

/** Reads integers in place: all parameters arrive as texts. */
function integerReader({ properties = {} }: RequestSchema): (raw: unknown) => RequestValues {
  const names = Object.keys(properties).filter((name) => properties[name]?.type === 'integer');
  return (raw) => {
    const values = raw as RequestValues;
    for (const name of names) {
      const text = values[name];
      if (typeof text === 'string' && INTEGER.test(text)) values[name] = Number(text);
    }
    return values;
  };
}

const INTEGER = /^[0-9]{1,16}$/;

/** Reads the fields of the schema; an omitted body is null. */
function bodyReader(schema: RequestSchema): (raw: unknown) => unknown {
  const read = declaredReader(schema);
  return (raw) => read(raw ?? schema.default);
}

/**
 * Copies what the schema declares, own properties only: the body may use any property name. Values
 * of other types than the schema's are left to the check.
 */
function declaredReader({ items, properties }: RequestSchema): (value: unknown) => unknown {
  if (items?.properties !== undefined) {
    const readItem = declaredReader(items);
    return (value) => (Array.isArray(value) ? value.map((item) => readItem(item)) : value);
  }
  if (properties === undefined) return (value) => value;
  const fields = Object.entries(properties).map(([name, field]) => ({
    name,
    read: declaredReader(field),
  }));
  return (value) => {
    if (!isObject(value)) return value;
    const declared: RequestValues = {};
    for (const { name, read } of fields) {
      if (Object.hasOwn(value, name)) declared[name] = read(value[name]);
    }
    return declared;
  };
}

/** Replaces valid values by the parsed ones in place, and absent ones by their defaults. */
function valueParser({ properties = {} }: RequestSchema): (values: RequestValues) => RequestValues {
  const fields = Object.entries(properties);
  const codecs = fields.flatMap(([name, schema]) =>
    IsCodec(schema) ? [{ name, decode: schema['~codec'].decode }] : [],
  );
  const defaults = fields.flatMap(([name, { default: value }]) =>
    value === undefined ? [] : [{ name, value }],
  );
  return (values) => {
    for (const { name, decode } of codecs) {
      const value = values[name];
      if (value !== undefined) values[name] = decode(value);
    }
    for (const { name, value } of defaults) {
      if (values[name] === undefined) values[name] = value;
    }
    return values;
  };
}
