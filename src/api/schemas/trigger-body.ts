import { Type } from 'typebox';
import { RULE_AUTHORS } from '../../model/rule-change.ts';
import { HIT_FIELD, TRIGGER_FIELDS, TRIGGER_OPERATORS } from '../../model/trigger.ts';
import { RuleIdParameter } from './rule-path.ts';
import { Word } from './wire.ts';

export const ConditionBody = Type.Object({
  field: Word(
    [...TRIGGER_FIELDS, HIT_FIELD],
    'Pool figure to compare. price_usd: US dollars for one whole base token of the pool, as in its ' +
      'market data; liquidity_usd and marketcap_usd as in GET /v1/pools; ' +
      'organic_to_total_wallets_ratio, raw_holders and smart_money_influx_10min as in GET ' +
      '/v1/indicators/current; price_change_5m and price_change_1h as price_change in the windows of ' +
      'GET /v1/pools, as a fraction; fraud_confidence: highest confidence of the published findings ' +
      'of the token that are neither archived nor false positive, 0 without one. Figures are ' +
      'compared whenever a slot changes the pool, or which pool is the primary one of the token, ' +
      'fraud_confidence also when it changes findings of the token. While the service starts, ' +
      'triggers that use price changes or fraud_confidence keep their state. ' +
      'rule_hit_confidence: confidence of a hit of rule_id for the pool or the token in the slot, ' +
      'compared with gt or lt. A trigger with such conditions fires in each slot in which all of ' +
      'them have a hit and all others are true, not when it is added; crossings are not combined ' +
      'with them. A hit of kind fraud is of the token, and so of each of its pools.',
  ),
  operator: Word(
    TRIGGER_OPERATORS,
    'gt: greater than; lt: less than. Equal values match neither. crosses_above and crosses_below: ' +
      'the same, but the trigger does not fire for a figure that is already there when it is added ' +
      'or updated, only when the figure gets there; a figure that was unknown was not there. ' +
      'Combined with gt and lt, the trigger fires in the slot of the crossing if all other ' +
      'conditions are true after that slot, and not when they become true later. Of several ' +
      'crossings, the last one counts.',
  ),
  value: Type.String({
    pattern: '^[0-9]+([.][0-9]+)?$',
    description:
      'Threshold: a decimal number without sign or exponent, at most 30 digits and 18 fraction ' +
      'digits. Must be a whole number for counts.',
  }),
  rule_id: Type.Optional(RuleIdParameter(422)),
  author: Type.Optional(
    Word(RULE_AUTHORS, 'For rule_hit_confidence: whose rule it is. Defaults to account.'),
  ),
});

export const UNKNOWN_TRIGGER = 'This account has no such trigger.';
