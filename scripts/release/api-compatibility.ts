import {
  type Body,
  type OpenApi,
  type Operation,
  referredName,
  type Schema,
} from '../../site/cards/open-api.ts';

/**
 * What a client of the document `before` may miss in `after`, as sentence fragments: operations,
 * parameters and fields that are gone, types that changed, and what is required that was not.
 */
export function incompatibilities(before: OpenApi, after: OpenApi): readonly string[] {
  return Object.entries(before.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const name = `${method.toUpperCase()} ${path}`;
      const now = after.paths[path]?.[method];
      if (now === undefined) return [`${name} is gone`];
      return [
        ...parameterFaults(operation, now),
        ...bodyFaults(operation, now, before, after),
        ...answerFaults(operation, now, before, after),
      ].map((fault) => `${name}: ${fault}`);
    }),
  );
}

function parameterFaults(before: Operation, after: Operation): readonly string[] {
  const was = before.parameters ?? [];
  const is = after.parameters ?? [];
  const gone = was.flatMap(({ name, in: where, schema }) => {
    const now = is.find((one) => one.name === name && one.in === where);
    if (now === undefined) return [`the parameter ${name} is gone`];
    return typeOf(schema) === typeOf(now.schema) ? [] : [`the parameter ${name} has another type`];
  });
  const required = is
    .filter(({ required: isRequired }) => isRequired === true)
    .filter(({ name }) => was.find((one) => one.name === name)?.required !== true)
    .map(({ name }) => `the parameter ${name} is required`);
  return [...gone, ...required];
}

/** A body that was right is still right, as far as names, types and what is required tell. */
function bodyFaults(
  before: Operation,
  after: Operation,
  documentBefore: OpenApi,
  documentAfter: OpenApi,
): readonly string[] {
  const was = resolve(jsonSchema(before.requestBody), documentBefore);
  const is = resolve(jsonSchema(after.requestBody), documentAfter);
  const required = (is.required ?? []).filter((name) => was.required?.includes(name) !== true);
  return [
    ...fieldFaults(jsonSchema(before.requestBody), jsonSchema(after.requestBody), {
      documentBefore,
      documentAfter,
    }),
    ...required.map((name) => `the field ${name} of the body is required`),
  ];
}

function answerFaults(
  before: Operation,
  after: Operation,
  documentBefore: OpenApi,
  documentAfter: OpenApi,
): readonly string[] {
  return Object.entries(before.responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([status, answer]) => {
      const now = after.responses[status];
      if (now === undefined) return [`the answer ${status} is gone`];
      return fieldFaults(jsonSchema(answer), jsonSchema(now), { documentBefore, documentAfter });
    });
}

interface Documents {
  readonly documentBefore: OpenApi;
  readonly documentAfter: OpenApi;
}

/** Fields that are gone or have another type, in all depths. A schema within itself is met once. */
function fieldFaults(
  before: Schema,
  after: Schema,
  documents: Documents,
  path = '',
  met: ReadonlySet<string> = new Set(),
): readonly string[] {
  const name = referredName(before);
  if (name !== null && met.has(name)) return [];
  const inner = name === null ? met : new Set([...met, name]);
  const was = resolve(before, documents.documentBefore);
  const is = resolve(after, documents.documentAfter);
  if (typeOf(was) !== typeOf(is)) return [`the field ${path || 'at the root'} has another type`];
  const fields = Object.entries(was.properties ?? {}).flatMap(([field, schema]) => {
    const now = is.properties?.[field];
    const place = path === '' ? field : `${path}.${field}`;
    if (now === undefined) return [`the field ${place} is gone`];
    return fieldFaults(schema, now, documents, place, inner);
  });
  const choices = (was.anyOf ?? []).flatMap((choice, index) =>
    fieldFaults(choice, is.anyOf?.[index] ?? {}, documents, path, inner),
  );
  const items =
    was.items === undefined
      ? []
      : fieldFaults(was.items, is.items ?? {}, documents, `${path}[]`, inner);
  return [...fields, ...choices, ...items];
}

/** Type and format, with the order of alternatives left out; that of choices is their types. */
function typeOf({ type, format, anyOf }: Schema): string {
  const types = anyOf === undefined ? [type ?? ''].flat() : anyOf.map((one) => typeOf(one));
  return `${types.toSorted().join('|')} ${format ?? ''}`;
}

function jsonSchema(body: Body | undefined): Schema {
  return body?.content?.['application/json']?.schema ?? {};
}

function resolve(schema: Schema, document: OpenApi): Schema {
  const name = referredName(schema);
  return name === null ? schema : (document.components.schemas[name] ?? {});
}
