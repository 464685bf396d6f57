import type { BodyOf } from '../../api/client.ts';

export type Trigger = BodyOf<'/v1/triggers'>['triggers'][number];
/** A pool, or a token, which is watched by its primary pool. */
export type WatchedTarget = Trigger['target'];
export type Condition = Trigger['conditions'][number];
export type Field = Condition['field'];
/** A figure of the pool; hits of rules are none. */
export type FigureField = Exclude<Field, 'rule_hit_confidence'>;
export type Operator = Condition['operator'];
export type TriggerEvent = BodyOf<'/v1/triggers/firings'>['firings'][number];
export type Firing = Extract<TriggerEvent, { type: 'trigger_fired' }>;
export type Webhook = BodyOf<'/v1/webhooks'>['webhooks'][number];
export type EventType = Webhook['event_types'][number];
export type Delivery = BodyOf<'/v1/webhooks/{id}/deliveries'>['deliveries'][number];

export const FIELDS: Readonly<Record<Field, string>> = {
  price_usd: 'price, USD',
  sol_amount: 'SOL in the pool',
  token_amount: 'tokens in the pool',
  number_of_buys: 'number of buys',
  number_of_sells: 'number of sells',
  buy_volume_usd: 'volume bought, USD',
  sell_volume_usd: 'volume sold, USD',
  total_volume_usd: 'volume, USD',
  liquidity_usd: 'liquidity, USD',
  marketcap_usd: 'market cap, USD',
  organic_to_total_wallets_ratio: 'share of organic wallets, 0 to 1',
  raw_holders: 'number of holders',
  smart_money_influx_10min: 'smart money in ten minutes, USD',
  price_change_5m: 'price change in five minutes, as a fraction',
  price_change_1h: 'price change in an hour, as a fraction',
  fraud_confidence: 'confidence of fraud, 0 to 1',
  rule_hit_confidence: 'confidence of a hit of a rule, 0 to 1',
};

export const OPERATORS: Readonly<Record<Operator, string>> = {
  gt: 'is above',
  lt: 'is below',
  crosses_above: 'crosses above',
  crosses_below: 'crosses below',
};

export const EVENT_TYPES: Readonly<Record<EventType, string>> = {
  'trigger.fired': 'A trigger fires',
  'trigger.retracted': 'A fork takes a firing back',
  'fraud.found': 'A fraud pattern is found',
  'fraud.raised': 'Its confidence rises',
  'fraud.withdrawn': 'It is withdrawn',
  'signal.given': 'A model gives a signal',
  'rule.hit': 'A rule of your own or of the operator passes',
  'venue.changed': 'A venue changes its program',
};

/** What a trigger watches, and its kind in words. */
export function targetOf({ target }: Trigger): {
  readonly kind: 'pool' | 'token';
  readonly address: string;
} {
  return 'token_address' in target
    ? { kind: 'token', address: target.token_address }
    : { kind: 'pool', address: target.pair_address };
}

/** A condition in words: `price, USD is above 0.5`. */
export function conditionText({ field, operator, value, rule_id, author }: Condition): string {
  const name = rule_id === undefined ? FIELDS[field] : hitText(rule_id, author);
  return `${name} ${OPERATORS[operator]} ${value}`;
}

/** What a condition on hits compares, in words. */
export function hitText(ruleId: string, author: Condition['author']): string {
  return `confidence of a hit of ${author === 'operator' ? "the operator's" : 'your'} ${ruleId}`;
}

/** Pool figures that conditions compare, as far as they are known. */
export type Figures = Readonly<Record<FigureField, string | null>>;
