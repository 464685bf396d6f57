import fc from 'fast-check';
import { encodeBase58 } from '../../../src/lib/base58.ts';
import type { JsonSchema } from './operations.ts';

/** A value for one position in a request. */
export interface Drawn<Value> {
  readonly value: Value;
  /** Whether the schema allows it; null where only the service can decide. */
  readonly isValid: boolean | null;
}

/** Values that the service knows, by the name of the parameter. */
export type KnownValues = (name: string, schema: JsonSchema) => readonly string[];

/** Source of values: only valid ones, or hostile ones too. */
export interface Draw {
  readonly known: KnownValues;
  readonly isHonest: boolean;
}

const BASE58 = [...'123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'];
const base58 = (length: number) =>
  fc.string({ unit: fc.constantFrom(...BASE58), minLength: length, maxLength: length });

/** Texts that often break parsers. */
const HOSTILE = [
  '',
  ' ',
  '\0',
  '__proto__',
  'constructor',
  'null',
  'NaN',
  '-1',
  '1e9',
  '1.5',
  '١٢',
  '1'.repeat(44),
  '0OIl'.repeat(10),
  'Ａ'.repeat(32),
  'а'.repeat(40),
  '2024-02-30',
  '2025-01-15T14:32:08',
  '9999-12-31T23:59:59.999999999Z',
  "' OR 1=1 --",
  '../../etc/passwd',
  '\ud800',
  '\u202e\u0000',
  '<script>',
  'x'.repeat(10_000),
];

export const hostileText = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({ unit: 'binary', maxLength: 80 }),
  base58(31),
  base58(45),
);

/** A text for a query or a path: mostly a valid one. */
export function parameterText(
  name: string,
  schema: JsonSchema,
  { known, isHonest }: Draw,
): fc.Arbitrary<Drawn<string>> {
  const hostile = hostileText.map((value) => ({ value, isValid: hostileValidity(value, schema) }));
  const names = known(name, schema);
  const familiar =
    names.length === 0 ? [] : [{ weight: 6, arbitrary: allowed(fc.constantFrom(...names)) }];
  const honest = [...familiar, { weight: 4, arbitrary: allowed(fitting(schema)) }];
  if (isHonest) return fc.oneof(...honest);
  return fc.oneof(
    ...honest,
    { weight: 2, arbitrary: hostile },
    { weight: 1, arbitrary: beyond(schema) },
  );
}

/** A valid text. Of a pattern that is no number's, one that is made for it. */
function fitting(schema: JsonSchema): fc.Arbitrary<string> {
  const { pattern, format } = schema;
  if (pattern === undefined || format !== undefined) return validText(schema);
  return fc.stringMatching(new RegExp(pattern)).filter((text) => text.length <= 60);
}

function allowed(values: fc.Arbitrary<string>): fc.Arbitrary<Drawn<string>> {
  return values.map((value) => ({ value, isValid: true }));
}

/** False only for values that are certainly not an integer, word or list of the schema. */
function hostileValidity(value: string, schema: JsonSchema): boolean | null {
  if (schema.type === 'integer') return /^[0-9]{1,16}$/.test(value) ? null : false;
  if (schema.enum !== undefined) return schema.enum.includes(value);
  if (schema.format === 'solana-address')
    return /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(value) ? null : false;
  return null;
}

function validText(schema: JsonSchema): fc.Arbitrary<string> {
  const { type, format, minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = schema;
  if (type === 'integer') return wholeNumber(minimum, maximum).map(String);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum.map(String));
  const list = schema['x-list-of'];
  if (list !== undefined) {
    return fc
      .subarray([...list], { minLength: 1, maxLength: Math.min(5, list.length) })
      .map((words) => words.join(','));
  }
  if (format === 'solana-address') return address;
  if (format === 'uuid') return fc.uuid();
  if (format?.startsWith('iso-8601')) return instant;
  return plainText(schema);
}

const address = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => encodeBase58(bytes));

function wholeNumber(least: number, most: number): fc.Arbitrary<number> {
  return fc.oneof(
    fc.constantFrom(least, most, Math.min(most, least + 1)),
    fc.integer({ min: least, max: Math.min(most, least + 200) }),
  );
}

const instant = fc.oneof(
  fc
    .date({ min: new Date('2023-11-01'), max: new Date('2027-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString()),
  fc.constantFrom('2025-01-15', '2026-01-01T00:00:00Z', '2025-01-15T14:32:08+02:00'),
);

function plainText({ minLength = 1, maxLength = 64 }: JsonSchema): fc.Arbitrary<string> {
  const characters = fc.constantFrom(...'aB9 -_.é猫🐈');
  return fc.oneof(
    fc.string({ unit: characters, minLength, maxLength: Math.min(maxLength, 40) }),
    fc.constant('x'.repeat(maxLength)),
  );
}

/** Just outside of what the schema allows. */
function beyond({
  type,
  minimum = 0,
  maximum,
  maxLength,
}: JsonSchema): fc.Arbitrary<Drawn<string>> {
  const outside: string[] = [];
  if (type === 'integer') outside.push(String(minimum - 1), '9'.repeat(17), '0x10', `${minimum}.0`);
  if (type === 'integer' && maximum !== undefined) outside.push(String(BigInt(maximum) + 1n));
  if (maxLength !== undefined) outside.push('x'.repeat(maxLength + 1));
  if (outside.length === 0) return hostileText.map((value) => ({ value, isValid: null }));
  return fc.constantFrom(...outside).map((value) => ({ value, isValid: false }));
}

/** Values that are not text. */
const otherType = fc.constantFrom<unknown>(null, 0, -1, 1e308, true, [], {}, [[]], { a: 1 });

/** A JSON value for a schema: mostly a valid one. */
export function jsonValue(
  name: string,
  schema: JsonSchema,
  draw: Draw,
): fc.Arbitrary<Drawn<unknown>> {
  const meant = ofType(name, schema, draw);
  if (draw.isHonest) return meant;
  return fc.oneof(
    { weight: 12, arbitrary: meant },
    {
      weight: 1,
      arbitrary: otherType.map((value) => ({ value, isValid: isOfType(value, schema) })),
    },
  );
}

function isOfType(value: unknown, { type }: JsonSchema): boolean | null {
  if (value === null && type?.includes('null')) return true;
  if (type === 'array') return Array.isArray(value) ? null : false;
  if (type === 'object') {
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? null : false;
  }
  return false;
}

function ofType(name: string, schema: JsonSchema, draw: Draw): fc.Arbitrary<Drawn<unknown>> {
  if (schema.properties !== undefined) return objectOf(schema, draw);
  if (schema.items !== undefined) return arrayOf(name, schema, schema.items, draw);
  const { pattern, format } = schema;
  const isDecimal = pattern !== undefined && format === undefined && new RegExp(pattern).test('1');
  if (isDecimal) return decimalOf(pattern, draw);
  return parameterText(name, schema, draw);
}

/** A decimal number that matches the pattern, and unless the draw is honest, others too. */
function decimalOf(pattern: string, { isHonest }: Draw): fc.Arbitrary<Drawn<unknown>> {
  const judged = decimal.map(({ value }) => ({
    value,
    isValid: new RegExp(pattern).test(String(value)),
  }));
  return isHonest ? judged.filter(({ isValid }) => isValid) : fc.oneof(judged, noDecimal);
}

const decimal: fc.Arbitrary<Drawn<unknown>> = fc.oneof(
  fc
    .tuple(fc.bigInt(0n, 10n ** 12n), fc.option(fc.integer({ min: 0, max: 999_999 })))
    .map(([whole, part]) => ({
      value: part === null ? `${whole}` : `${whole}.${part}`,
      isValid: true,
    })),
  fc
    .constantFrom('0', '1', '0.000000001', '9'.repeat(30))
    .map((value) => ({ value, isValid: true })),
);

const noDecimal: fc.Arbitrary<Drawn<unknown>> = fc
  .constantFrom('-1', '1e3', '', '.', '9'.repeat(31), `0.${'1'.repeat(19)}`)
  .map((value) => ({ value, isValid: false }));

function arrayOf(
  name: string,
  { minItems = 0, maxItems = 8 }: JsonSchema,
  items: JsonSchema,
  draw: Draw,
): fc.Arbitrary<Drawn<unknown>> {
  const slack = draw.isHonest ? 0 : 1;
  const item = jsonValue(name, items, draw);
  const some = fc.array(item, {
    minLength: Math.max(0, minItems - slack),
    maxLength: Math.min(maxItems + slack, 6),
  });
  const many = item.map((one) => Array.from({ length: maxItems + 1 }, () => one));
  const lists = draw.isHonest ? some : fc.oneof({ weight: 9, arbitrary: some }, many);
  return lists.map((drawn) => {
    const isCountRight = drawn.length >= minItems && drawn.length <= maxItems;
    return { value: drawn.map(({ value }) => value), isValid: isCountRight && allOf(drawn) };
  });
}

interface Field {
  readonly name: string;
  readonly isRequired: boolean;
  readonly drawn: Drawn<unknown> | null;
}

function objectOf(
  { properties = {}, required = [], oneOf = [] }: JsonSchema,
  draw: Draw,
): fc.Arbitrary<Drawn<unknown>> {
  const choice = oneOf.flatMap(({ required: names = [] }) => names);
  const fields = Object.entries(properties).map(([name, schema]) => {
    const isRequired = required.includes(name);
    const value = jsonValue(name, schema, draw);
    const given = isRequired && draw.isHonest;
    return (given ? value : fc.option(value, { freq: isRequired ? 12 : 2 })).map(
      (drawn): Field => ({ name, isRequired, drawn }),
    );
  });
  // Unknown fields are ignored, whatever their names.
  const extras = fc.array(
    fc.tuple(fc.constantFrom('__proto__', 'constructor', 'toString', 'extra', ''), otherType),
    { maxLength: draw.isHonest ? 0 : 2 },
  );
  const objects = fc.tuple(fc.tuple(...fields), extras).map(([given, more]) => {
    const entries = given.flatMap(({ name, drawn }) =>
      drawn === null ? [] : [[name, drawn.value]],
    );
    const isWhole = given.every(({ isRequired, drawn }) => drawn !== null || !isRequired);
    const drawn = given.flatMap((field) => field.drawn ?? []);
    // Names of inherited object properties may be ignored or refused.
    const isPlain = more.every(([name]) => name === 'extra' || name === '');
    const chosen = entries.filter(([name]) => choice.includes(String(name)));
    const isChosen = choice.length === 0 || chosen.length === 1;
    const isValid = isWhole && isChosen && allOf(drawn);
    return {
      value: Object.fromEntries([...more, ...entries]),
      isValid: isValid === true && !isPlain ? null : isValid,
    };
  });
  return draw.isHonest ? objects.filter(({ isValid }) => isValid !== false) : objects;
}

/** False if any part is invalid, null if any part is undecided, otherwise true. */
export function allOf(drawn: readonly Drawn<unknown>[]): boolean | null {
  if (drawn.some(({ isValid }) => isValid === false)) return false;
  return drawn.some(({ isValid }) => isValid === null) ? null : true;
}
