import { type Static, Type } from 'typebox';

const SLOT_MAX = 2 ** 52;

const closed = { additionalProperties: false } as const;

const text = (description: string, maxLength = 1_000) =>
  Type.String({ minLength: 1, maxLength, description });
const oneOf = <const Name extends string>(names: readonly Name[], description: string) =>
  Type.Unsafe<Name>({ type: 'string', enum: [...names], description });

const FEATURE_VALUE = Type.Union([
  Type.Number(),
  Type.Boolean(),
  Type.String({ maxLength: 1_000 }),
  Type.Array(Type.Number(), { maxItems: 1_000 }),
  Type.Null(),
]);

const MINUTE = Type.Record(Type.String({ maxLength: 100 }), FEATURE_VALUE, { maxProperties: 500 });

/** A scenario of the simulator, which is folded with the rule published before its first slot. */
export const TEST_SCENARIO = Type.Object(
  {
    name: text('Name of a scenario of the simulator.', 60),
    seed: text('Of all its draws.', 200),
    difficulty: Type.Optional(
      oneOf(['easy', 'medium', 'hard'], 'How well an attack hides; easy unless given.'),
    ),
  },
  closed,
);

/** Recorded slots, which are folded in the same way. */
export const TEST_SLOTS = Type.Object(
  {
    path: text('File or folder with recorded blocks.', 500),
    from: Type.Optional(
      Type.Integer({ minimum: 0, maximum: SLOT_MAX, description: 'First slot.' }),
    ),
    to: Type.Optional(Type.Integer({ minimum: 0, maximum: SLOT_MAX, description: 'Last slot.' })),
  },
  closed,
);

/** What a test by slots expects of the hits. */
export const EXPECTED_HITS = Type.Object(
  {
    hits_at_least: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Least number of hits.' }),
    ),
    tokens: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 50 }), {
        minItems: 1,
        maxItems: 100,
        description:
          'Mints that have hits, and no others; `subject` is the token that a scenario is about.',
      }),
    ),
  },
  { ...closed, minProperties: 1 },
);

/** A test that travels with the rule. It has one of features, minutes, scenario and slots. */
export const RULE_TEST = Type.Object(
  {
    name: text('What the test shows.'),
    features: Type.Optional(MINUTE),
    minutes: Type.Optional(
      Type.Array(MINUTE, {
        minItems: 1,
        maxItems: 100,
        description: 'Features of consecutive minutes of one pool; the result is that of the last.',
      }),
    ),
    scenario: Type.Optional(TEST_SCENARIO),
    slots: Type.Optional(TEST_SLOTS),
    expect: Type.Union(
      [oneOf(['pass', 'fail', 'unknown', 'none'], 'The expected result.'), EXPECTED_HITS],
      {
        description:
          'Of features and minutes: pass, fail or unknown. Of scenario and slots: none, or hits.',
      },
    ),
    confidence: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  },
  closed,
);

export type RuleTest = Static<typeof RULE_TEST>;
export type ExpectedHits = Static<typeof EXPECTED_HITS>;
export type TestScenario = Static<typeof TEST_SCENARIO>;
export type TestSlots = Static<typeof TEST_SLOTS>;
