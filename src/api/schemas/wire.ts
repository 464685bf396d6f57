import { type Static, type TSchema, Type } from 'typebox';

/** The same schema, also allowing null. Null means unknown. */
export function Nullable<Schema extends TSchema & { readonly type: string }>(schema: Schema) {
  return Type.Unsafe<Static<Schema> | null>({ ...schema, type: [schema.type, 'null'] });
}

/** A field that is always null in this version because its source is not collected yet. */
export function AlwaysNull(type: 'string' | 'integer' | 'object', description: string) {
  return Type.Unsafe<null>({ type: [type, 'null'], description });
}

export const AddressText = Type.String({ description: 'Base58-encoded 32-byte address.' });

/**
 * UTC with milliseconds: 2025-01-15T14:32:08.000Z. Nullable, unlike in the specification, because
 * the block time of a slot may be unknown.
 */
export const MaybeInstant = Nullable(
  Type.String({
    format: 'date-time',
    description: 'Null (extension of the specification) if the block time of the slot is unknown.',
  }),
);

/** UTC with milliseconds, always known. */
export const Instant = Type.String({ format: 'date-time' });

/** A decimal number in plain notation, as text to preserve all digits. */
export function DecimalText(description: string) {
  return Type.String({ pattern: '^-?[0-9]+([.][0-9]+)?$', description });
}

/** One of several string values. */
export function Word<const Choice extends string>(choices: readonly Choice[], description: string) {
  return Type.Unsafe<Choice>({ type: 'string', enum: choices, description });
}

/** One of several string values, each with its meaning. */
export function ExplainedWord<Choice extends string>(meanings: Readonly<Record<Choice, string>>) {
  const choices = Object.keys(meanings) as Choice[];
  return Word(choices, choices.map((word) => `${word}: ${meanings[word]}`).join('; '));
}

export const UuidText = Type.String({ format: 'uuid' });

/** A share from 0 to 1, with four decimals. */
export const ShareText = DecimalText('A share, from 0 to 1.');

/** Headers of every data response. */
export const FRESHNESS_HEADERS = {
  'x-slot': { type: 'integer', description: 'Slot as of which the response is accurate.' },
  'x-data-age-ms': {
    type: 'integer',
    description:
      'Age of the newest slot in milliseconds: the time since its block time or since its ' +
      'arrival, whichever is longer.',
  },
  'x-complete': {
    type: 'string',
    enum: ['true', 'false'],
    description: 'false if a known gap overlaps the history covered by the response.',
  },
} as const;
