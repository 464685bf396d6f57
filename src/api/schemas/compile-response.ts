import fastJson from 'fast-json-stringify';

type Serializer = (body: unknown) => string;

const compiled = new WeakMap<object, Serializer>();

/**
 * The function that writes bodies of a schema, as Fastify compiles it. Each schema is compiled once,
 * however many servers a process makes: compiling is most of the work of making one.
 */
export function compileResponse(schema: object): Serializer {
  let serializer = compiled.get(schema);
  if (serializer === undefined) {
    serializer = fastJson(schema);
    compiled.set(schema, serializer);
  }
  return serializer;
}
