import { type Static, Type } from 'typebox';
import { RULE_SCOPES } from '../features/feature.ts';
import { RULE_TEST } from './rule-test.ts';

/** What a rule that passes gives: a finding, a signal, an alert, or a label of the token. */
export const RULE_KINDS = ['fraud', 'signal', 'alert', 'label'] as const;

export type RuleKind = (typeof RULE_KINDS)[number];

export const SEQUENCE_STEPS_MAX = 8;
export const WITHIN_MINUTES_MAX = 1_440;
export const COOL_DOWN_MINUTES_MAX = 10_080;
export const REASONS_MAX = 16;

const closed = { additionalProperties: false } as const;

const sentence = (description: string) =>
  Type.String({ minLength: 1, maxLength: 1_000, description });
const condition = (description: string) =>
  Type.String({ minLength: 1, maxLength: 4_000, description });
const oneOf = <const Name extends string>(names: readonly Name[], description: string) =>
  Type.Unsafe<Name>({ type: 'string', enum: [...names], description });

const NAME_PATTERN = '^[a-z][a-z0-9]*(-[a-z0-9]+)*$';

/** A rule as it is written (docs/rules.md). */
export const RULE_FILE = Type.Object(
  {
    name: Type.String({
      minLength: 2,
      maxLength: 60,
      pattern: NAME_PATTERN,
      description: 'Lower-case words joined by hyphens.',
    }),
    version: Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: 'Raised with each change.',
    }),
    kind: oneOf(RULE_KINDS, 'What the rule gives.'),
    title: sentence('In a few words.'),
    pattern: sentence('The pattern that it detects.'),
    rationale: sentence('Why that pattern should mean anything.'),
    look_alikes: Type.Array(sentence('A situation in which the rule is wrong.'), {
      minItems: 1,
      maxItems: 20,
      description: 'Situations in which the rule is wrong.',
    }),
    scope: oneOf(RULE_SCOPES, 'What the rule is judged on.'),
    when: condition('The condition, in CEL.'),
    sequence: Type.Optional(
      Type.Array(
        Type.Object(
          {
            when: condition('The condition of the step.'),
            within_minutes: Type.Integer({
              minimum: 1,
              maximum: WITHIN_MINUTES_MAX,
              description: 'After the step before.',
            }),
          },
          closed,
        ),
        {
          minItems: 1,
          maxItems: SEQUENCE_STEPS_MAX,
          description: 'What has to follow the condition, in order, for the same pool.',
        },
      ),
    ),
    confidence: Type.Union(
      [Type.Number({ minimum: 0, maximum: 1 }), condition('A number in CEL.')],
      { description: 'From 0 to 1; a number, or an expression that gives one.' },
    ),
    reasons: Type.Optional(
      Type.Array(
        Type.Object(
          {
            when: condition('When it applies.'),
            add: Type.Number({ minimum: -1, maximum: 1, description: 'Added to the confidence.' }),
            reason: sentence('A sentence for the reader.'),
          },
          closed,
        ),
        { maxItems: REASONS_MAX, description: 'What raises or lowers the confidence.' },
      ),
    ),
    evidence: Type.Array(Type.String({ maxLength: 100 }), {
      maxItems: 50,
      description: 'Names of features that are shown with each hit.',
    }),
    cool_down_minutes: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: COOL_DOWN_MINUTES_MAX,
        description: 'Least time between two hits for one token; 60 unless given.',
      }),
    ),
    label: Type.Optional(
      Type.String({
        maxLength: 40,
        pattern: NAME_PATTERN,
        description: 'The label that a rule of this kind gives.',
      }),
    ),
    tests: Type.Optional(Type.Array(RULE_TEST, { maxItems: 50 })),
  },
  { ...closed, $id: 'RuleFile', description: 'A rule of one’s own.' },
);

export type RuleFile = Static<typeof RULE_FILE>;
