/** Requests that violate one declared constraint each, and are valid otherwise. */
import { address } from '../build-transaction.ts';
import type { JsonSchema } from './operations.ts';

/** Schemas of a route. */
export interface RequestSchemas {
  readonly params?: JsonSchema;
  readonly querystring?: JsonSchema;
  readonly body?: JsonSchema;
  readonly response: Readonly<Record<string, unknown>>;
  /** The route is in no document. */
  readonly hide?: boolean;
}

export interface RequestValues {
  readonly params: Readonly<Record<string, unknown>>;
  readonly querystring: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

export interface ConstraintFault {
  /** The violated keyword. */
  readonly violated: string;
  /** Beginning of the message. */
  readonly name: string;
  readonly status: number;
  readonly values: RequestValues;
}

/** A request with valid values for all fields, the optional ones too. */
export function validValues({ params, querystring, body }: RequestSchemas): RequestValues {
  return {
    params: validObject(params),
    querystring: validObject(querystring),
    body: body === undefined ? undefined : valid(body),
  };
}

/** One request for each constraint of each field. */
export function requestFaults(schemas: RequestSchemas): readonly ConstraintFault[] {
  const values = validValues(schemas);
  const { params, querystring, body } = schemas;
  const inPath = fieldFaults(params, values.params, false)
    // An empty or missing path parameter leads to another route.
    .filter(({ value }) => Object.values(value).every((text) => text !== '' && text !== undefined))
    .map(({ value, ...fault }) => ({ ...fault, values: { ...values, params: value } }));
  const inQuery = fieldFaults(querystring, values.querystring, false).map(
    ({ value, ...fault }) => ({ ...fault, values: { ...values, querystring: value } }),
  );
  const repeated = Object.entries(values.querystring).map(([name, text]) => ({
    ...{ violated: 'repeated', name, status: 400 },
    values: { ...values, querystring: { ...values.querystring, [name]: [text, text] } },
  }));
  const unknown = {
    ...{ violated: 'unknown', name: 'no_such_name', status: 400 },
    values: { ...values, querystring: { ...values.querystring, no_such_name: '' } },
  };
  const inBody = fieldFaults(body, values.body as object, true).map(({ value, ...fault }) => ({
    ...fault,
    values: { ...values, body: value },
  }));
  return [
    ...inPath,
    ...inQuery,
    ...repeated,
    ...(querystring === undefined ? [] : [unknown]),
    ...inBody,
  ];
}

interface ValueFault<Value> {
  readonly violated: string;
  readonly name: string;
  readonly status: number;
  readonly value: Value;
}

type Fields = Readonly<Record<string, unknown>>;

function fieldFaults(
  object: JsonSchema = {},
  values: object,
  isJson: boolean,
): readonly ValueFault<Fields>[] {
  const { properties = {}, required = [] } = object;
  const ofFields = Object.entries(properties).flatMap(([name, schema]) => {
    const missing = required.includes(name)
      ? [{ violated: 'required', name, status: 400, value: undefined }]
      : [];
    const faults = [...missing, ...valueFaults(schema, name, isJson)];
    return faults.map((fault) => ({
      ...fault,
      value: { ...withChoice(object, values, [name]), [name]: fault.value },
    }));
  });
  return [...choiceFaults(object, values), ...ofFields];
}

/** Names of fields of which exactly one is given. */
function choiceOf({ oneOf = [] }: JsonSchema): readonly string[] {
  return oneOf.flatMap(({ required = [] }) => required);
}

/** The values with these fields of a choice and no others of it, if it has any of them. */
function withChoice(object: JsonSchema, values: object, chosen: readonly string[]): Fields {
  const choice = choiceOf(object);
  if (!choice.some((name) => chosen.includes(name))) return { ...values };
  return withFields(object, values, chosen);
}

function withFields(object: JsonSchema, values: object, chosen: readonly string[]): Fields {
  const choice = choiceOf(object);
  const others = Object.entries(values).filter(([name]) => !choice.includes(name));
  const given = chosen.map((name) => [name, valid(object.properties?.[name] ?? {})]);
  return Object.fromEntries([...others, ...given]);
}

/** None of a choice is given, and all of it. */
function choiceFaults(object: JsonSchema, values: object): readonly ValueFault<Fields>[] {
  const choice = choiceOf(object);
  const [name] = choice;
  if (name === undefined) return [];
  return [[], choice].map((chosen) => ({
    ...{ violated: 'oneOf', name, status: 400 },
    value: withFields(object, values, chosen),
  }));
}

/** Keywords that describe and do not constrain, or that the faults of others cover. */
const DESCRIPTIVE = new Set([
  ...[
    'description',
    'examples',
    'default',
    'x-invalid-status',
    'properties',
    'required',
    'items',
    'oneOf',
  ],
]);

function valueFaults(
  schema: JsonSchema,
  name: string,
  isJson: boolean,
): readonly ValueFault<unknown>[] {
  const status = schema['x-invalid-status'] ?? 400;
  const keywords = Object.keys(schema).filter((keyword) => !DESCRIPTIVE.has(keyword));
  const own = keywords.flatMap((violated) => {
    if (violated === 'type' && isJson) return [{ violated, name, status: 400, value: 7 }];
    const value = valueAgainst(schema, violated);
    return [{ violated, name, status, value }];
  });
  if (schema.properties !== undefined) {
    const ofFields = fieldFaults(schema, valid(schema) as object, true);
    return [...own, ...ofFields.map((fault) => ({ ...fault, name: `${name}.${fault.name}` }))];
  }
  if (schema.items === undefined) return own;
  // A list of words is refused as a whole.
  const isOfObjects = schema.items.properties !== undefined;
  const ofItems = valueFaults(schema.items, isOfObjects ? `${name}[0]` : name, true);
  return [
    ...own,
    ...ofItems.map((fault) => ({
      ...fault,
      status: isOfObjects || fault.violated === 'type' ? fault.status : status,
      value: [fault.value],
    })),
  ];
}

/** A value of the right type that violates one keyword. */
function valueAgainst(schema: JsonSchema, keyword: string): unknown {
  const {
    minimum = 0,
    maximum = 0,
    maxLength = 0,
    minItems = 0,
    maxItems = 0,
    items = {},
  } = schema;
  const values: Readonly<Record<string, () => unknown>> = {
    // The text of a parameter has the type string.
    type: () => (schema.type === 'integer' ? '1.0' : '\0'),
    minimum: () => `${minimum - 1}`,
    maximum: () => `${BigInt(maximum) + 1n}`,
    minLength: () => '',
    maxLength: () => 'é'.repeat(maxLength + 1),
    pattern: () => '-1',
    format: () => 'no-format',
    enum: () => 'no-such-word',
    'x-list-of': () => 'no-such-word',
    minItems: () => Array.from({ length: minItems - 1 }, () => valid(items)),
    maxItems: () => Array.from({ length: maxItems + 1 }, () => valid(items)),
  };
  const make = values[keyword];
  if (make === undefined) throw new Error(`no value violates ${keyword}`);
  return make();
}

function validObject(schema: JsonSchema = {}): Fields {
  const [, ...notChosen] = choiceOf(schema);
  const fields = Object.entries(schema.properties ?? {}).filter(
    ([name]) => !notChosen.includes(name),
  );
  return Object.fromEntries(fields.map(([name, property]) => [name, valid(property)]));
}

function valid(schema: JsonSchema): unknown {
  const { type, format, minimum, items, minItems = 0 } = schema;
  if (schema.properties !== undefined) return validObject(schema);
  if (items !== undefined) return Array.from({ length: minItems }, () => valid(items));
  if (type === 'integer') return `${minimum}`;
  const [word = 'plain text'] = schema.enum ?? schema['x-list-of'] ?? [];
  const decimal = ['10', '0.5'].find((text) => new RegExp(schema.pattern ?? '').test(text));
  return VALID_OF_FORMAT[format ?? ''] ?? (schema.pattern === undefined ? word : decimal);
}

const VALID_OF_FORMAT: Readonly<Record<string, string>> = {
  'solana-address': address('anything'),
  uuid: '2ed6657d-e927-468b-95e1-2665a8aea6a2',
  'iso-8601': '2025-01-15T12:00:00Z',
  'iso-8601-echoed': '2025-01-15T12:00:00Z',
};
