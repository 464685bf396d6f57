import { type Static, Type } from 'typebox';
import { ApiError } from '../../model/errors.ts';
import {
  CONDITIONS_MAX,
  type Condition,
  HIT_FIELD,
  HIT_OPERATORS,
  type HitCondition,
  isCrossing,
  TRIGGER_ID_LENGTH_MAX,
  type TriggerConditions,
  type TriggerTarget,
} from '../../model/trigger.ts';
import { isCount, isDecimal, isThreshold } from '../../model/trigger-threshold.ts';
import type { Address } from '../../model/units.ts';
import { exactlyOne } from '../schemas/exactly-one.ts';
import { EXAMPLE } from '../schemas/examples.ts';
import { AddressParameter, RefusedWith, TextParameter } from '../schemas/parameters.ts';
import { ConditionBody } from '../schemas/trigger-body.ts';

/** Client-chosen ID of a trigger. */
export const TriggerId = TextParameter({
  description: 'Client-chosen ID, unique within the account.',
  maxLength: TRIGGER_ID_LENGTH_MAX,
});

/** Address of the pool of a trigger. */
const TriggerPool = AddressParameter({
  description: 'Base58-encoded 32-byte address of the pool to watch: short for target.',
  example: EXAMPLE.pool,
});

const TARGET_FIELDS = {
  pair_address: Type.Optional(
    AddressParameter({ description: 'Address of a pool.', example: EXAMPLE.pool }),
  ),
  token_address: Type.Optional(
    AddressParameter({
      description: 'Mint of a token, watched by its primary pool.',
      example: EXAMPLE.mint,
    }),
  ),
};

const TargetBody = Type.Object(TARGET_FIELDS, {
  ...exactlyOne('pair_address', 'token_address'),
  description:
    'What to watch, in place of pair_address: {"pair_address"}, or {"token_address"} for the ' +
    'primary pool of a token, whichever that is at the time.',
  examples: [{ token_address: EXAMPLE.mint }],
});

/** The fields of a request that say what the trigger watches. */
export const TARGET_CHOICE = {
  pair_address: Type.Optional(TriggerPool),
  target: Type.Optional(TargetBody),
};

interface TargetChoice {
  readonly pair_address?: Address;
  readonly target?: { readonly pair_address?: Address; readonly token_address?: Address };
}

/** The target of a request that is valid. */
export function targetOf({ pair_address, target = {} }: TargetChoice): TriggerTarget {
  const pool = pair_address ?? target.pair_address;
  if (pool !== undefined) return { kind: 'pool', address: pool };
  if (target.token_address === undefined) throw new TypeError('a trigger without a target');
  return { kind: 'token', address: target.token_address };
}

const { field, operator, value, rule_id, author } = ConditionBody.properties;

/** The field of a condition decides which values are valid, and whether it names a rule. */
const ConditionText = Type.Refine(
  Type.Object(
    {
      field: RefusedWith(422, field),
      operator: RefusedWith(422, operator),
      value: RefusedWith(422, value),
      rule_id,
      author: Type.Optional(RefusedWith(422, author)),
    },
    { 'x-invalid-status': 422 },
  ),
  (condition) => wrongIn(condition) === null,
  (condition) => wrongIn(condition) ?? '',
);

type ConditionGiven = Static<typeof ConditionBody>;

/** What is wrong with a condition; null if it is sound. */
function wrongIn(given: ConditionGiven): string | null {
  if (given.field === HIT_FIELD) return wrongInHit(given);
  if (given.rule_id !== undefined) return `rule_id is for ${HIT_FIELD} only`;
  if (isThreshold(given.field, given.value)) return null;
  const expected = isCount(given.field) ? 'a whole number' : 'a decimal number';
  return `value must be ${expected} without sign or exponent, ${DIGITS}`;
}

function wrongInHit({ rule_id: id, operator: compared, value: given }: ConditionGiven) {
  if (id === undefined) return `rule_id is required for ${HIT_FIELD}`;
  if (!isHitOperator(compared)) return `operator must be one of ${HIT_OPERATORS.join(', ')}`;
  if (isDecimal(given)) return null;
  return `value must be a decimal number without sign or exponent, ${DIGITS}`;
}

function isHitOperator(text: string): text is HitCondition['operator'] {
  return (HIT_OPERATORS as readonly string[]).includes(text);
}

const DIGITS = 'with at most 30 digits and 18 fraction digits';

export const ConditionList = Type.Array(ConditionText, {
  minItems: 1,
  maxItems: CONDITIONS_MAX,
  description:
    'Conditions. The trigger fires when all of them are true; with crossings, in the slot in which ' +
    'a figure crosses while all others are true; with hits of rules, in each slot of them.',
});

const CROSSING_HITS = `conditions cannot combine ${HIT_FIELD} with crosses_above or crosses_below.`;

/** The conditions of a request that is valid. Throws ApiError 422 for those that do not go together. */
export function conditionsOf(given: readonly ConditionGiven[]): TriggerConditions {
  const conditions: Condition[] = [];
  const hits: HitCondition[] = [];
  for (const one of given) {
    const { field: name, operator: compared, value: threshold, rule_id: rule } = one;
    if (name !== HIT_FIELD) {
      conditions.push({ field: name, operator: compared, value: threshold });
    } else if (rule !== undefined && isHitOperator(compared)) {
      const common = { field: name, operator: compared, value: threshold };
      hits.push({ ...common, rule, author: one.author ?? 'account' });
    }
  }
  if (hits.length === 0) return { conditions };
  if (conditions.some(isCrossing)) throw new ApiError(422, CROSSING_HITS);
  return { conditions, hits };
}

/** Conditions of the examples of a new trigger and of a changed one. */
export const CONDITIONS_EXAMPLE = [{ field: 'sol_amount', operator: 'gt', value: '50' }];
