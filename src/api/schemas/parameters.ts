import { type TSchema, Type } from 'typebox';
import type { Address } from '../../model/units.ts';
import {
  ADDRESS_FORMAT,
  ECHOED_INSTANT_FORMAT,
  type EchoedInstant,
  INSTANT_FORMAT,
  UUID_FORMAT,
} from '../parameters/compile-parameters.ts';

/**
 * Query and path parameters. Each schema serves as documentation in the OpenAPI document and is
 * enforced by compile-parameters.ts. Its static type is the parsed value the handler receives.
 */
interface Described {
  readonly description: string;
  /** Status of the response when the value is present but invalid. */
  readonly invalidStatus?: 400 | 422;
}

/** Base58 text of a 32-byte address. */
export function AddressParameter({
  example,
  description,
  invalidStatus = 400,
}: Described & { readonly example: string }) {
  return Type.Unsafe<Address>({
    type: 'string',
    format: ADDRESS_FORMAT,
    pattern: '^[1-9A-HJ-NP-Za-km-z]{32,44}$',
    description,
    examples: [example],
    'x-invalid-status': invalidStatus,
  });
}

/** A UUID, parsed to lower case. */
export function UuidParameter({
  example,
  description,
  invalidStatus = 400,
}: Described & { readonly example: string }) {
  return Type.Unsafe<string>({
    type: 'string',
    format: UUID_FORMAT,
    description,
    examples: [example],
    'x-invalid-status': invalidStatus,
  });
}

/** ISO 8601 text, parsed to milliseconds since 1970. */
export function InstantParameter({ description, invalidStatus = 422 }: Described) {
  return Type.Unsafe<number>({
    type: 'string',
    format: INSTANT_FORMAT,
    description: `${description} ISO 8601 date or date-time; UTC when no zone is given.`,
    'x-invalid-status': invalidStatus,
  });
}

/** Like InstantParameter, but keeps the text of the request for responses that echo it. */
export function EchoedInstantParameter({ description, invalidStatus = 422 }: Described) {
  return Type.Unsafe<EchoedInstant>({
    type: 'string',
    format: ECHOED_INSTANT_FORMAT,
    description: `${description} ISO 8601 date or date-time; UTC when no zone is given.`,
    'x-invalid-status': invalidStatus,
  });
}

/** A comma-separated list of allowed values. */
export function ListParameter<const Choice extends string>(
  choices: readonly Choice[],
  { description, invalidStatus = 422 }: Described,
) {
  return Type.Unsafe<readonly Choice[]>({
    type: 'string',
    description: `${description} Comma-separated list of: ${choices.join(', ')}.`,
    'x-list-of': choices,
    'x-invalid-status': invalidStatus,
  });
}

/** Any text of 1 to `maxLength` characters without control characters. */
export function TextParameter({
  description,
  maxLength,
  invalidStatus = 400,
}: Described & { readonly maxLength: number }) {
  return Type.Unsafe<string>({
    type: 'string',
    minLength: 1,
    maxLength,
    description,
    'x-invalid-status': invalidStatus,
  });
}

export function IntegerParameter(
  options: Described & {
    readonly minimum: number;
    readonly maximum: number;
    readonly default?: number;
  },
) {
  const { invalidStatus = 400, ...schema } = options;
  return Type.Unsafe<number>({ type: 'integer', ...schema, 'x-invalid-status': invalidStatus });
}

export function ChoiceParameter<const Choice extends string>(
  choices: readonly Choice[],
  options: Described & { readonly default?: NoInfer<Choice> },
) {
  const { invalidStatus = 400, ...schema } = options;
  return Type.Unsafe<Choice>({
    type: 'string',
    enum: choices,
    ...schema,
    'x-invalid-status': invalidStatus,
  });
}

/** A parameter with a default: optional for the client, always set for the handler. */
export function Defaulted<Schema extends TSchema>(schema: Schema): Schema {
  return Type.Optional(schema) as TSchema as Schema;
}

/** Requests the state as of an earlier slot. */
export const AsOfSlotParameter = Type.Optional(
  IntegerParameter({
    description: 'Return the state as of this slot. Defaults to the newest slot.',
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
  }),
);
