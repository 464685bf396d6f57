import { type Static, type TSchema, Type } from 'typebox';

/** The same schema with null as a further value: unknown, never a made-up zero. */
export function Nullable<Schema extends TSchema & { readonly type: string }>(schema: Schema) {
  return Type.Unsafe<Static<Schema> | null>({ ...schema, type: [schema.type, 'null'] });
}

/** A field this version always answers with null: its source is not collected yet. */
export function AlwaysNull(type: 'string' | 'integer' | 'object', description: string) {
  return Type.Unsafe<null>({ type: [type, 'null'], description });
}

export const AddressText = Type.String({ description: 'Base58 text of a 32-byte address.' });

/**
 * UTC with milliseconds: 2025-01-15T14:32:08.000Z. Nullable, unlike in the specification: a slot's
 * block time may be unknown.
 */
export const MaybeInstant = Nullable(
  Type.String({
    format: 'date-time',
    description: 'Null, beyond the specification, when the block time of its slot is unknown.',
  }),
);

/** UTC with milliseconds, always known. */
export const Instant = Type.String({ format: 'date-time' });

/** A decimal number in plain notation, as text so that no digit is lost. */
export function DecimalText(description: string) {
  return Type.String({ pattern: '^-?[0-9]+([.][0-9]+)?$', description });
}

/** One of a few words. */
export function Word<const Choice extends string>(choices: readonly Choice[], description: string) {
  return Type.Unsafe<Choice>({ type: 'string', enum: choices, description });
}

/** One of a few words, each with what it means. */
export function ExplainedWord<Choice extends string>(meanings: Readonly<Record<Choice, string>>) {
  const choices = Object.keys(meanings) as Choice[];
  return Word(choices, choices.map((word) => `${word}: ${meanings[word]}`).join('; '));
}

export const UuidText = Type.String({ format: 'uuid' });

/** A part of a whole, four fraction digits. */
export const ShareText = DecimalText('A part of the whole, from 0 to 1.');

/** Headers of every data answer. */
export const FRESHNESS_HEADERS = {
  'x-slot': { type: 'integer', description: 'Slot the answer is true as of.' },
  'x-data-age-ms': {
    type: 'integer',
    description:
      'Milliseconds since the block time of the newest slot held, and at least since it came.',
  },
  'x-complete': {
    type: 'string',
    enum: ['true', 'false'],
    description: 'false when a known gap touches the history that the answer speaks of.',
  },
} as const;
