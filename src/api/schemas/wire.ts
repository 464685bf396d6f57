import { type Static, type TSchema, Type } from 'typebox';

/** The same schema, also allowing null. Null means unknown. */
export function Nullable<Schema extends TSchema & { readonly type: string }>(schema: Schema) {
  return Type.Unsafe<Static<Schema> | null>({ ...schema, type: [schema.type, 'null'] });
}

export const AddressText = Type.String({ description: 'Base58-encoded 32-byte address.' });

/** One of several string values. */
export function Word<const Choice extends string>(choices: readonly Choice[], description: string) {
  return Type.Unsafe<Choice>({ type: 'string', enum: choices, description });
}

/** One of several string values, each with its meaning. */
export function ExplainedWord<Choice extends string>(meanings: Readonly<Record<Choice, string>>) {
  const choices = Object.keys(meanings) as Choice[];
  return Word(choices, choices.map((word) => `${word}: ${meanings[word]}`).join('; '));
}

/** Headers of every data response. */
export const FRESHNESS_HEADERS = {
  'x-slot': {
    type: 'integer',
    description:
      'Slot as of which the response is accurate. Two responses to the same request with equal ' +
      'x-slot are equal, except in what no slot decides, which its description says: figures of ' +
      'posts, pictures and documents, reviews, and the commitment of trades.',
  },
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
