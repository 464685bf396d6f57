import fastJson from 'fast-json-stringify';

type Serializer = (body: unknown) => string;

/** On a schema: all of its texts are of characters that JSON does not escape. */
const UNESCAPED = Symbol('unescaped');

/**
 * The same schema for texts of letters, digits and simple marks alone, whose characters are not
 * searched for any to escape when they are written: a third of the time of a list of holders. Only
 * for values that cannot be other texts, such as addresses that were checked. The mark is no part of
 * the document.
 */
export function unescaped<Schema extends object>(schema: Schema): Schema {
  return { ...schema, [UNESCAPED]: true };
}

/** A copy in which the marks are the format by which the library knows such texts. */
function withUnescaped(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withUnescaped);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).map(([name, value]) => [name, withUnescaped(value)]);
  const copy = Object.fromEntries(entries) as Record<string, unknown>;
  return UNESCAPED in schema ? { ...copy, format: 'unsafe' } : copy;
}

const compiled = new WeakMap<object, Serializer>();

/**
 * The function that writes bodies of a schema, as Fastify compiles it. Each schema is compiled once,
 * however many servers a process makes: compiling is most of the work of making one.
 */
export function compileResponse(schema: object): Serializer {
  let serializer = compiled.get(schema);
  if (serializer === undefined) {
    serializer = fastJson(withUnescaped(schema) as object, { ajv: { formats: { unsafe: true } } });
    compiled.set(schema, serializer);
  }
  return serializer;
}
