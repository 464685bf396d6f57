import type { TradeLabels } from '../ingestion/trade-labels.ts';
import { toTrade } from '../ingestion/user-trades.ts';
import type { BundledTransaction, SlotChanges } from '../model/derived.ts';
import { isPublished } from '../model/fraud-review.ts';
import { announcedHits, announcedSignals } from '../model/rule-listing.ts';
import { isShown, toListing } from '../model/signal-listing.ts';
import type { SlotItem, StreamTopic } from '../model/slot-frame.ts';
import { newestFirst, positionOf } from '../model/trade.ts';
import type { SlotFeedSource } from './slot-feed-source.ts';

type Produce = (changes: SlotChanges, source: SlotFeedSource) => Iterable<SlotItem>;

export interface TopicItems {
  readonly topic: StreamTopic;
  readonly produce: Produce;
  /** At least as many as are produced, from what the slot changed alone. */
  readonly count: (changes: SlotChanges) => number;
}

/** The items of each topic, in the order in which they are sent; those of wallets are read from the engine. */
export const TOPIC_ITEMS: readonly TopicItems[] = [
  { topic: 'chain', produce: () => [{ topic: 'chain' }], count: () => 1 },
  { topic: 'new_tokens', produce: newTokensOf, count: ({ tokens }) => tokens.length },
  {
    topic: 'token',
    produce: ({ tokens }) => tokens.map((token) => ({ topic: 'token', token })),
    count: ({ tokens }) => tokens.length,
  },
  {
    topic: 'pool',
    produce: ({ pools }) => pools.map((pool) => ({ topic: 'pool', pool })),
    count: ({ pools }) => pools.length,
  },
  { topic: 'trades', produce: tradesOf, count: ({ swaps }) => swaps.length },
  {
    topic: 'candles',
    produce: ({ shownCandles }) => shownCandles.map((candle) => ({ topic: 'candles', candle })),
    count: ({ shownCandles }) => shownCandles.length,
  },
  {
    topic: 'indicators',
    produce: ({ indicators }) => indicators.map((minute) => ({ topic: 'indicators', minute })),
    count: ({ indicators }) => indicators.length,
  },
  {
    topic: 'findings',
    produce: findingsOf,
    count: ({ classifications }) => classifications.length,
  },
  { topic: 'signals', produce: signalsOf, count: ({ signals }) => signals.length },
  { topic: 'rule_hits', produce: ruleHitsOf, count: ({ ruleHits }) => ruleHits.length },
];

function* newTokensOf({ slot, tokens }: SlotChanges): Generator<SlotItem> {
  for (const token of tokens) {
    if (token.creationSlot === slot) yield { topic: 'new_tokens', token };
  }
}

/**
 * The slot's own swaps in order of execution; those of earlier slots are listed when their labels
 * change. Wash trading is found in later slots.
 */
function* tradesOf(
  { slot, swaps, bundles }: SlotChanges,
  { finalSlot }: SlotFeedSource,
): Generator<SlotItem> {
  const bundled = new Set(bundles.filter((row) => row.slot === slot).map(memberKey));
  const labels: TradeLabels = {
    isBundled: ({ txIndex, swap: { baseMint: mint, trader: owner } }) =>
      owner !== null && bundled.has(memberKey({ mint, txIndex, owner })),
    isWash: () => false,
  };
  const own = swaps
    .filter((priced) => priced.slot === slot)
    .sort((one, other) => newestFirst(positionOf(other), positionOf(one)));
  for (const priced of own) {
    yield { topic: 'trades', trade: toTrade(priced, { labels, finalSlot: finalSlot ?? -1 }) };
  }
}

function memberKey({
  mint,
  txIndex,
  owner,
}: Pick<BundledTransaction, 'mint' | 'txIndex' | 'owner'>): string {
  return `${mint} ${txIndex} ${owner}`;
}

/** Findings that a fraud check would include, and those that it no longer includes. */
function* findingsOf(
  { classifications }: SlotChanges,
  source: SlotFeedSource,
): Generator<SlotItem> {
  for (const classification of classifications) {
    const finding = { classification, status: source.statusOf(classification) };
    if (isPublished(finding) || classification.detectionSlot !== null) {
      yield { topic: 'findings', finding };
    }
  }
}

/**
 * Random minutes are not published. Signals of rules follow those of the models, whose numbers do not
 * depend on them.
 */
function* signalsOf({ signals, outcomes }: SlotChanges): Generator<SlotItem> {
  if (signals.length === 0) return;
  const outcomeOf = new Map(outcomes.map((outcome) => [outcome.rowId, outcome]));
  for (const signal of signals) {
    const outcome = outcomeOf.get(signal.rowId);
    if (outcome === undefined || !isShown(signal)) continue;
    yield { topic: 'signals', signal: toListing(signal, outcome) };
  }
  for (const signal of announcedSignals(signals, outcomeOf)) yield { topic: 'signals', signal };
}

function* ruleHitsOf({ ruleHits, outcomes }: SlotChanges): Generator<SlotItem> {
  for (const hit of announcedHits(ruleHits, outcomes)) yield { topic: 'rule_hits', hit };
}
