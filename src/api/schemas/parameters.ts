import { type Static, type TSchema, Type } from 'typebox';
import { isBase58Of32Bytes } from '../../lib/base58.ts';
import { parseDecimal } from '../../lib/decimal.ts';
import { UUID } from '../../lib/uuid.ts';
import {
  type Address,
  asUsdNano,
  type Slot,
  USD_NANO_SCALE,
  type UsdNano,
} from '../../model/units.ts';
import { CURSOR_LENGTH_MAX } from '../parameters/page-cursor.ts';
import { parseInstant } from '../parameters/parse-instant.ts';

/**
 * Values of requests: query and path parameters, and fields of bodies. Each schema serves as
 * documentation in the OpenAPI document, checks the value of the request, and parses it. Its static
 * type is the parsed value that the handler receives. See docs/decisions/0042.
 */
interface Described {
  readonly description: string;
  /** Status of the response when the value is present but invalid. */
  readonly invalidStatus?: 400 | 422;
}

interface Parsing<Wire, Value> {
  /** Returns null for an invalid value. */
  readonly parse: (value: Wire) => Value | null;
  /** What a valid value is, for the message of the error. */
  readonly expected: string;
}

/** A schema whose valid values are those that `parse` accepts; the handler receives its result. */
export function Parsed<Wire, Value>(schema: TSchema, { parse, expected }: Parsing<Wire, Value>) {
  // A value is parsed once: its check is followed at once by its decoding.
  let checked: Wire | null = null;
  let parsed: Value | null = null;
  const isValid = (value: Wire) => {
    checked = value;
    parsed = parse(value);
    return parsed !== null;
  };
  const decode = (value: unknown) => (value === checked ? parsed : parse(value as Wire));
  return Type.Unsafe<Value>(Type.Decode(Checked(schema, isValid, expected), decode));
}

/** A schema with a condition that JSON Schema cannot express. */
export function Checked<Wire>(
  schema: TSchema,
  isValid: (value: Wire) => boolean,
  expected: string,
) {
  return Type.Refine<TSchema, Wire>(schema, isValid, () => `must be ${expected}`);
}

/** The schema of a value in a request, refused with the given status when invalid. */
export function RefusedWith<Schema extends TSchema>(status: 400 | 422, schema: Schema) {
  return Type.Unsafe<Static<Schema>>({ ...schema, 'x-invalid-status': status });
}

export const ADDRESS_FORMAT = 'solana-address';

interface WithExample extends Described {
  readonly example: string;
}

/** Base58 text of a 32-byte address. */
export function AddressParameter(options: WithExample) {
  const keywords = { format: ADDRESS_FORMAT, pattern: '^[1-9A-HJ-NP-Za-km-z]{32,44}$' };
  const schema = exampleSchema(keywords, options);
  return Type.Unsafe<Address>(
    Checked(schema, isBase58Of32Bytes, 'the base58 text of a 32-byte address'),
  );
}

/** A UUID of any version in either case, parsed to lower case. */
export function UuidParameter(options: WithExample) {
  const schema = exampleSchema({ format: 'uuid' }, options);
  return Parsed(schema, { parse: parseUuid, expected: 'a UUID' });
}

function exampleSchema(
  keywords: object,
  { example, description, invalidStatus = 400 }: WithExample,
): TSchema {
  return {
    type: 'string',
    ...keywords,
    description,
    examples: [example],
    'x-invalid-status': invalidStatus,
  };
}

function parseUuid(text: string): string | null {
  const small = text.toLowerCase();
  return UUID.test(small) ? small : null;
}

interface DescribedInstant extends Described {
  readonly example?: string;
}

/** ISO 8601 text, parsed to milliseconds since 1970. */
export function InstantParameter(described: DescribedInstant) {
  return Parsed(instantSchema('iso-8601', described), { parse: parseInstant, expected: INSTANT });
}

/** Like InstantParameter, but keeps the text of the request for responses that echo it. */
export function EchoedInstantParameter(described: DescribedInstant) {
  const schema = instantSchema('iso-8601-echoed', described);
  return Parsed(schema, { parse: parseEchoedInstant, expected: INSTANT });
}

const INSTANT = 'an ISO 8601 date or date-time such as 2025-01-15T14:32:08Z';

function instantSchema(
  format: string,
  { description, example, invalidStatus = 422 }: DescribedInstant,
) {
  return {
    type: 'string',
    format,
    description: `${description} ISO 8601 date or date-time; UTC when no zone is given.`,
    ...examplesOf(example),
    'x-invalid-status': invalidStatus,
  };
}

/** An instant with its original text, which is echoed in the response. */
export interface EchoedInstant {
  readonly text: string;
  readonly timeMs: number;
}

function parseEchoedInstant(text: string): EchoedInstant | null {
  const timeMs = parseInstant(text);
  return timeMs === null ? null : { text, timeMs };
}

/** A comma-separated list of allowed values, case-sensitive. Duplicates are removed. */
export function ListParameter<const Choice extends string>(
  choices: readonly Choice[],
  { description, invalidStatus = 422 }: Described,
) {
  const schema = {
    type: 'string',
    description: `${description} Comma-separated list of: ${choices.join(', ')}.`,
    'x-list-of': choices,
    'x-invalid-status': invalidStatus,
  };
  return Parsed(schema, {
    parse: (text: string) => parseList(text, choices),
    expected: `a comma-separated list of ${choices.join(', ')}`,
  });
}

function parseList<Choice extends string>(
  text: string,
  choices: readonly Choice[],
): readonly Choice[] | null {
  const words = text.split(',', choices.length + 1);
  const isOfChoices = words.every((word) => (choices as readonly string[]).includes(word));
  return isOfChoices && words.length <= choices.length ? [...new Set(words as Choice[])] : null;
}

export interface TextOptions extends Described {
  readonly example?: string;
  readonly maxLength: number;
}

/** Any text of 1 to `maxLength` characters without control characters and unpaired surrogates. */
export function TextParameter(options: TextOptions) {
  return Type.Unsafe<string>(textSchema('string', options));
}

/** Like TextParameter, or null. */
export function NullableTextParameter(options: TextOptions) {
  return Type.Unsafe<string | null>(textSchema(['string', 'null'], options));
}

function textSchema(
  type: string | readonly string[],
  { description, maxLength, example, invalidStatus = 400 }: TextOptions,
) {
  const schema = {
    type,
    minLength: 1,
    maxLength,
    description,
    ...examplesOf(example),
    'x-invalid-status': invalidStatus,
  };
  return Checked(schema, isPlainText, `a text of 1 to ${maxLength} characters`);
}

function isPlainText(text: string | null): boolean {
  return text === null || !/[\p{Cc}\p{Cs}]/u.test(text);
}

/** Plain ASCII digits, without sign, exponent, point or spaces. */
export function IntegerParameter(
  options: Described & {
    readonly minimum: number;
    readonly maximum: number;
    readonly default?: number;
    readonly example?: number;
  },
) {
  const { invalidStatus = 400, example, ...schema } = options;
  return Type.Unsafe<number>({
    type: 'integer',
    ...schema,
    ...examplesOf(example),
    'x-invalid-status': invalidStatus,
  });
}

function examplesOf(example: unknown) {
  return example === undefined ? {} : { examples: [example] };
}

/** US dollars in plain decimal notation, not negative. */
export function UsdParameter({ description, invalidStatus = 422 }: Described) {
  const schema = {
    type: 'string',
    pattern: `^[0-9]{1,${WHOLE_DIGITS_MAX}}([.][0-9]{1,${USD_NANO_SCALE}})?$`,
    description,
    examples: ['1000'],
    'x-invalid-status': invalidStatus,
  };
  const expected = `a decimal number with at most ${USD_NANO_SCALE} fraction digits such as 1000.50`;
  return Parsed<string, UsdNano>(schema, { parse: parseUsd, expected });
}

/** So many digits before the point fit the columns of the store. */
const WHOLE_DIGITS_MAX = 24;

function parseUsd(text: string): UsdNano | null {
  const raw = parseDecimal(text, USD_NANO_SCALE);
  const isTooLong = (text.split('.')[0] ?? '').length > WHOLE_DIGITS_MAX;
  return raw === null || raw < 0n || isTooLong ? null : asUsdNano(raw);
}

/** One of the given values, case-sensitive. */
export function ChoiceParameter<const Choice extends string>(
  choices: readonly Choice[],
  options: Described & { readonly default?: NoInfer<Choice>; readonly example?: NoInfer<Choice> },
) {
  const { invalidStatus = 400, example, ...schema } = options;
  return Type.Unsafe<Choice>({
    type: 'string',
    enum: choices,
    ...schema,
    ...examplesOf(example),
    'x-invalid-status': invalidStatus,
  });
}

/** A parameter with a default: optional for the client, always set for the handler. */
export function Defaulted<Schema extends TSchema>(schema: Schema): Schema {
  return Type.Optional(schema) as TSchema as Schema;
}

const AS_OF_SLOT =
  'Return the data as of this slot. Defaults to the newest slot. A slot after the newest, or before ' +
  'the retained history of at least 512 slots, is refused with both bounds.';

/** For routes that read stored rows as of a slot. */
export const AsOfSlotParameter = slotParameter(AS_OF_SLOT);

/** For routes that read a state of the engine as of a slot. */
export const StateSlotParameter = slotParameter(
  `${AS_OF_SLOT} Of a slot without a block, the state is that of the last block before it, whose slot ` +
    'is in x-slot. A state that is not in memory is computed first, which may take several seconds: ' +
    'after a 503, try again.',
);

/** Maximum number of items of a page. */
export const PageLimitParameter = Defaulted(
  IntegerParameter({
    description: 'Maximum number of items per page.',
    minimum: 1,
    maximum: 500,
    default: 100,
  }),
);

export const CursorParameter = Type.Optional(
  TextParameter({
    description:
      'next_cursor of the previous page of the same request; limit may change. Defaults to the first page.',
    maxLength: CURSOR_LENGTH_MAX,
  }),
);
function slotParameter(description: string) {
  return Type.Optional(
    Type.Unsafe<Slot>(
      IntegerParameter({ description, minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    ),
  );
}
