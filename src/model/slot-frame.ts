import type { Candle } from './derived.ts';
import type { JudgedClassification } from './fraud-review.ts';
import type { IndicatorMinute } from './indicators.ts';
import type { PoolRecord } from './pool-record.ts';
import type { RuleHitListing } from './rule-listing.ts';
import { isOfRule, type StreamedSignal } from './signal-listing.ts';
import type { TokenRecord } from './token-record.ts';
import type { Trade } from './trade.ts';
import type { TriggerEvent } from './trigger.ts';
import type { Address, PriceE18, Slot } from './units.ts';
import type { WalletRecord } from './wallet-record.ts';

/** Topics of the filtered stream, by their names on the wire (CONTRACT §4). */
export const STREAM_TOPICS = [
  'pool',
  'token',
  'wallet',
  'trades',
  'candles',
  'indicators',
  'findings',
  'new_tokens',
  'signals',
  'triggers',
  'rule_hits',
  'chain',
] as const;

export type StreamTopic = (typeof STREAM_TOPICS)[number];

/** What a slot changed, one item for each message. Records are as of the slot. */
export type SlotItem =
  | { readonly topic: 'pool'; readonly pool: PoolRecord }
  | { readonly topic: 'token'; readonly token: TokenRecord }
  /** `wallet` is null in an undone slot: its value in that slot is no longer known. */
  | { readonly topic: 'wallet'; readonly address: Address; readonly wallet: WalletRecord | null }
  | { readonly topic: 'trades'; readonly trade: Trade }
  | { readonly topic: 'candles'; readonly candle: Candle }
  | { readonly topic: 'indicators'; readonly minute: IndicatorMinute }
  | { readonly topic: 'findings'; readonly finding: JudgedClassification }
  | { readonly topic: 'new_tokens'; readonly token: TokenRecord }
  | { readonly topic: 'signals'; readonly signal: StreamedSignal }
  | { readonly topic: 'triggers'; readonly accountId: string; readonly event: TriggerEvent }
  | { readonly topic: 'rule_hits'; readonly hit: RuleHitListing }
  | { readonly topic: 'chain' };

/** What the items of a slot are presented with. */
export interface SlotContext {
  readonly slot: Slot;
  /** Block time in milliseconds; null while unknown. */
  readonly timeMs: number | null;
  /** SOL price at the end of the slot. */
  readonly solUsd: PriceE18 | null;
  /** The newest slot that cannot be reverted; null before the first. */
  readonly finalSlot: Slot | null;
}

/** The items of one slot that some subscription may want; or the same items, taken back. */
export interface SlotFrame extends SlotContext {
  /** A fork has taken the slot back. */
  readonly isUndone: boolean;
  readonly items: readonly SlotItem[];
  /**
   * The numbers of the items as messages, in the order in which they are sent, if they are those of
   * all replicas.
   */
  readonly seqs?: readonly number[];
}

/**
 * What a subscription is about, as text: a topic, or a topic and one value of one property. Both
 * threads compare these texts.
 */
export type Subject = string;

/** Properties that subscriptions select by. */
export type SubjectProperty = 'pool' | 'mint' | 'wallet' | 'creator' | 'account' | 'author';

export function subjectOf(topic: StreamTopic): Subject;
export function subjectOf(topic: StreamTopic, property: SubjectProperty, value: string): Subject;
export function subjectOf(topic: StreamTopic, property?: SubjectProperty, value?: string): Subject {
  return property === undefined ? topic : `${topic} ${property} ${value}`;
}

/** All subjects that an item belongs to, each once. */
export function subjectsOf(item: SlotItem): readonly Subject[] {
  switch (item.topic) {
    case 'pool':
      return poolSubjects('pool', item.pool.pool, item.pool.baseMint);
    case 'token':
      return [subjectOf('token', 'mint', item.token.mint)];
    case 'wallet':
      return [subjectOf('wallet', 'wallet', item.address)];
    case 'trades': {
      const { pool, mint, wallet } = item.trade;
      const subjects = poolSubjects('trades', pool, mint);
      return wallet === null ? subjects : [...subjects, subjectOf('trades', 'wallet', wallet)];
    }
    case 'candles':
      // The scope of a candle is a pool or a mint; an address is only one of them.
      return [
        subjectOf('candles', 'pool', item.candle.scope),
        subjectOf('candles', 'mint', item.candle.scope),
      ];
    case 'indicators':
      return poolSubjects('indicators', item.minute.record.pool, item.minute.record.baseMint);
    case 'findings':
      return findingSubjects(item.finding);
    case 'new_tokens': {
      const { creator } = item.token;
      const all = subjectOf('new_tokens');
      return creator === null ? [all] : [all, subjectOf('new_tokens', 'creator', creator)];
    }
    case 'signals':
      return signalSubjects(item.signal);
    case 'triggers':
      return [subjectOf('triggers', 'account', item.accountId)];
    case 'rule_hits':
      return [subjectOf('rule_hits', 'author', item.hit.author)];
    case 'chain':
      return [subjectOf('chain')];
  }
}

function poolSubjects(topic: StreamTopic, pool: Address, mint: Address): readonly Subject[] {
  return [subjectOf(topic), subjectOf(topic, 'pool', pool), subjectOf(topic, 'mint', mint)];
}

/** A signal of a rule is of its author alone: who may not see it can have no subject of it. */
function signalSubjects(signal: StreamedSignal): readonly Subject[] {
  if (isOfRule(signal)) return [subjectOf('signals', 'author', signal.rule.author)];
  return [subjectOf('signals'), subjectOf('signals', 'mint', signal.mint)];
}

function findingSubjects({ classification }: JudgedClassification): readonly Subject[] {
  const { mint, wallets } = classification.finding;
  const involved = new Set(wallets.map(({ address }) => subjectOf('findings', 'wallet', address)));
  return [subjectOf('findings'), subjectOf('findings', 'mint', mint), ...involved];
}

/**
 * Identifies an item among those of its slot, so that an undone item is recognised as the one that
 * was sent.
 */
export function identityOf(item: SlotItem): string {
  switch (item.topic) {
    case 'pool':
      return `pool ${item.pool.pool}`;
    case 'token':
      return `token ${item.token.mint}`;
    case 'wallet':
      return `wallet ${item.address}`;
    case 'trades': {
      const { txIndex, outerIx, innerIx, pool } = item.trade;
      return `trades ${txIndex} ${outerIx} ${innerIx} ${pool}`;
    }
    case 'candles':
      return `candles ${item.candle.scope} ${item.candle.openTimeMs}`;
    case 'indicators':
      return `indicators ${item.minute.record.pool} ${item.minute.minuteMs}`;
    case 'findings':
      return `findings ${item.finding.classification.id}`;
    case 'new_tokens':
      return `new_tokens ${item.token.mint}`;
    case 'signals':
      return `signals ${item.signal.rowId}`;
    case 'triggers':
      return `triggers ${item.accountId}`;
    case 'rule_hits':
      return `rule_hits ${item.hit.rowId}`;
    case 'chain':
      return 'chain';
  }
}
