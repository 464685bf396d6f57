import type { PoolFigures } from './pool-figures.ts';
import type { RuleAuthor } from './rule-change.ts';
import type { Address, Slot } from './units.ts';

/** What a figure is measured in, which decides its scale. */
export type FigureUnit = 'sol' | 'tokens' | 'count' | 'usd' | 'price' | 'ratio';

/**
 * Where a figure comes from: the record of the pool, other records of the engine, or the table of
 * the market, which is incomplete for a while after a start.
 */
type FigureOrigin = 'record' | 'engine' | 'market';

interface FieldFacts {
  readonly unit: FigureUnit;
  readonly origin: FigureOrigin;
}

/**
 * Figures of a pool that conditions can use, by the names the wire uses (specification 2.4, CONTRACT
 * §4).
 */
const FIELDS = {
  sol_amount: { unit: 'sol', origin: 'record' },
  token_amount: { unit: 'tokens', origin: 'record' },
  number_of_buys: { unit: 'count', origin: 'record' },
  number_of_sells: { unit: 'count', origin: 'record' },
  buy_volume_usd: { unit: 'usd', origin: 'record' },
  sell_volume_usd: { unit: 'usd', origin: 'record' },
  total_volume_usd: { unit: 'usd', origin: 'record' },
  price_usd: { unit: 'price', origin: 'record' },
  liquidity_usd: { unit: 'usd', origin: 'record' },
  marketcap_usd: { unit: 'usd', origin: 'engine' },
  organic_to_total_wallets_ratio: { unit: 'ratio', origin: 'engine' },
  raw_holders: { unit: 'count', origin: 'engine' },
  smart_money_influx_10min: { unit: 'usd', origin: 'engine' },
  price_change_5m: { unit: 'ratio', origin: 'market' },
  price_change_1h: { unit: 'ratio', origin: 'market' },
  fraud_confidence: { unit: 'ratio', origin: 'market' },
} as const satisfies Readonly<Record<string, FieldFacts>>;

export type TriggerField = keyof typeof FIELDS;

export const TRIGGER_FIELDS = Object.keys(FIELDS) as readonly TriggerField[];

export function unitOf(field: TriggerField): FigureUnit {
  return FIELDS[field].unit;
}

/** Whether conditions use figures that the record of a pool does not have. */
export function useWiderFigures(conditions: readonly Condition[]): boolean {
  return conditions.some(({ field }) => FIELDS[field].origin !== 'record');
}

/** Whether conditions use figures of the table of the market. */
export function useMarketFigures(conditions: readonly Condition[]): boolean {
  return conditions.some(({ field }) => FIELDS[field].origin === 'market');
}

/** Whether conditions change with the findings of the token, without a change of the pool. */
export function useFindings(conditions: readonly Condition[]): boolean {
  return conditions.some(({ field }) => field === 'fraud_confidence');
}

export const TRIGGER_OPERATORS = ['gt', 'lt', 'crosses_above', 'crosses_below'] as const;

export type TriggerOperator = (typeof TRIGGER_OPERATORS)[number];

/** One strict comparison: equality does not satisfy it. */
export interface Condition {
  readonly field: TriggerField;
  readonly operator: TriggerOperator;
  /** A decimal number as given by the client: no sign, no exponent. */
  readonly value: string;
}

/** Whether the figure must be above the value, not below it. */
export function isAboveOperator(operator: TriggerOperator): boolean {
  return operator === 'gt' || operator === 'crosses_above';
}

/**
 * Whether the conditions are that a figure crosses a value: they are true while the figure is on that
 * side of it, but a trigger does not fire for a figure that is there when they are set.
 */
export function areOfCrossing(conditions: readonly Condition[]): boolean {
  return conditions.some(isCrossing);
}

const CROSSING: ReadonlySet<TriggerOperator> = new Set(['crosses_above', 'crosses_below']);

/** Whether the condition is that a figure crosses a value. */
export function isCrossing({ operator }: Pick<Condition, 'operator'>): boolean {
  return CROSSING.has(operator);
}

/**
 * Whether crossings are combined with other conditions: all of them must be true in the slot in which
 * a figure crosses.
 */
export function areMixed(conditions: readonly Condition[]): boolean {
  return areOfCrossing(conditions) && !conditions.every(isCrossing);
}

/** The field of conditions on hits of a rule. */
export const HIT_FIELD = 'rule_hit_confidence';

export const HIT_OPERATORS = ['gt', 'lt'] as const;

/**
 * In the slot that is judged a rule passed for the target, with a confidence above or below the
 * value. It is true in that slot alone.
 */
export interface HitCondition {
  readonly field: typeof HIT_FIELD;
  readonly operator: (typeof HIT_OPERATORS)[number];
  readonly value: string;
  /** Name of the rule, or `name@version+hash` for that version alone. */
  readonly rule: string;
  readonly author: RuleAuthor;
}

/** The hit that was compared: its confidence in ten-thousandths, and its rule. */
export interface HitComparison extends HitCondition {
  readonly compared: string;
  /** `name@version+hash`. */
  readonly ruleId: string;
}

/** A condition with the figure that was compared with its threshold. */
export interface Comparison extends Condition {
  /** The exact figure, as a decimal number of any length; null if it was unknown. */
  readonly compared: string | null;
}

/** Maximum characters of a trigger's id, and maximum conditions of a trigger. */
export const TRIGGER_ID_LENGTH_MAX = 64;
export const CONDITIONS_MAX = 32;

/** What conditions are compared for: a pool, or a token by the pool that is primary at the time. */
export const TARGET_KINDS = ['pool', 'token'] as const;

export type TargetKind = (typeof TARGET_KINDS)[number];

export interface TriggerTarget {
  readonly kind: TargetKind;
  /** Of the pool, or the mint of the token. */
  readonly address: Address;
}

/** A trigger as its account sees it. */
export interface Trigger {
  readonly accountId: string;
  /** Chosen by the client, unique within its account. */
  readonly triggerId: string;
  readonly target: TriggerTarget;
  /** All of them must be true. */
  readonly conditions: readonly Condition[];
  /** Conditions on hits of rules, beside those on figures; absent for none. */
  readonly hits?: readonly HitCondition[];
  /** Wall-clock time, as below. */
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** A trigger as stored, under a key that is never reused. */
export interface StoredTrigger extends Trigger {
  readonly key: number;
  /** Raised with each change of the trigger's conditions. */
  readonly revision: number;
}

/** A trigger's conditions became true. */
export interface Firing {
  readonly accountId: string;
  /** Sequence number among all events of its account, from 1. */
  readonly number: number;
  readonly triggerKey: number;
  readonly revision: number;
  readonly triggerId: string;
  /** The slot that made the conditions true. */
  readonly slot: Slot;
  readonly firedAtMs: number;
  readonly figures: PoolFigures;
  /** All conditions as they were compared; null for a firing stored before they were. */
  readonly comparisons: readonly (Comparison | HitComparison)[] | null;
  /** When the slot turned out to be on a branch that lost; null while the firing is valid. */
  readonly retractedAtMs: number | null;
}

/** The slot of a firing was reverted: the firing that was reported is void. */
export interface Retraction {
  readonly accountId: string;
  readonly number: number;
  readonly triggerId: string;
  readonly slot: Slot;
  /** Number of the firing. */
  readonly firedNumber: number;
  readonly retractedAtMs: number;
}

/** An event reported to an account about its triggers, in the order of their numbers. */
export type TriggerEvent =
  | { readonly kind: 'fired'; readonly firing: Firing }
  | { readonly kind: 'retracted'; readonly retraction: Retraction };

export function numberOf(event: TriggerEvent): number {
  return event.kind === 'fired' ? event.firing.number : event.retraction.number;
}

/** Events of an account after a given number. */
export interface TriggerEvents {
  readonly events: readonly TriggerEvent[];
  /** Requested numbers that are no longer stored; null when all are. */
  readonly lost: { readonly from: number; readonly to: number } | null;
  /** The newest number of the account, 0 before any. */
  readonly lastNumber: number;
}

export interface TriggerEventsQuery {
  readonly accountId: string;
  readonly since: number;
  readonly limit: number;
}

/** Result of a request to change triggers. */
export type TriggerOutcome =
  | { readonly kind: 'done'; readonly trigger: Trigger }
  | { readonly kind: 'unknown' }
  /** The id belongs to a trigger with different content. */
  | { readonly kind: 'taken' }
  /** The account has reached its maximum number of triggers. */
  | { readonly kind: 'full'; readonly triggersMax: number };

/** Whether a trigger fires for hits of rules, slot by slot, rather than when figures change. */
export function isOnHits({ hits = [] }: Pick<Trigger, 'hits'>): boolean {
  return hits.length > 0;
}

/** A page of an account's triggers, oldest first. */
export interface TriggerPageQuery {
  readonly accountId: string;
  readonly offset: number;
  readonly limit: number;
}

export interface TriggerPage {
  readonly triggers: readonly Trigger[];
  readonly total: number;
}

export type TriggerRequest = Pick<
  Trigger,
  'accountId' | 'triggerId' | 'target' | 'conditions' | 'hits'
>;
export type TriggerConditions = Pick<Trigger, 'conditions' | 'hits'>;
export type TriggerName = Pick<Trigger, 'accountId' | 'triggerId'>;
