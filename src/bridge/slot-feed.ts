import type { FoldListener } from '../ingestion/fold-listener.ts';
import type { TradeLabels } from '../ingestion/trade-labels.ts';
import { toTrade } from '../ingestion/user-trades.ts';
import type { BundledTransaction, SlotChanges } from '../model/derived.ts';
import type { Classification } from '../model/fraud.ts';
import { type ClassificationStatus, isPublished } from '../model/fraud-review.ts';
import { announcedHits } from '../model/rule-listing.ts';
import { isShown, toListing } from '../model/signal-listing.ts';
import {
  type SlotFrame,
  type SlotItem,
  type StreamTopic,
  type Subject,
  subjectOf,
  subjectsOf,
} from '../model/slot-frame.ts';
import { newestFirst, positionOf } from '../model/trade.ts';
import type { Address, PriceE18, Slot } from '../model/units.ts';
import type { LiveEngine } from './live-rows.ts';
import { RevertedRows, type RevertedSource } from './reverted-rows.ts';

/** Frames that the API has not processed yet; further ones are dropped and reported as missed. */
export const UNSEEN_FRAMES_MAX = 64;
/** Reading a wallet takes up to a millisecond; further ones follow with the next slots. */
export const WALLETS_PER_SLOT_MAX = 100;
/** SOL prices of this many slots are remembered: a fork takes back no more than 512. */
const SOL_PRICES_MAX = 1_024;

export interface SlotFeedSource {
  readonly engine: Pick<LiveEngine, 'lastSlot' | 'solUsd' | 'wallet'> & RevertedSource;
  readonly finalSlot: Slot | null;
  /** The status of a finding after its reviews. */
  statusOf(classification: Classification): ClassificationStatus;
}

/** A frame, or null after frames were missed. */
export type PostFrame = (frame: SlotFrame | null) => void;

/**
 * Publishes what each slot changed, as far as it belongs to a wanted subject: the cost of a slot and
 * the bytes sent depend on what is wanted. A reverted slot is published as undone; rows that it had
 * changed and that the next slot does not change are published with that one, in their current
 * state.
 */
export class SlotFeed implements FoldListener {
  private readonly source: SlotFeedSource;
  private readonly post: PostFrame;
  private readonly wanted = new Set<Subject>();
  private readonly wantedTopics = new Map<string, number>();
  private readonly reverted = new RevertedRows();
  /** Wallets that did not fit into the last slots. */
  private readonly waiting = new Set<Address>();
  /** Prices of recent slots, since the engine has another one after a slot was reverted. */
  private readonly solPrices = new Map<Slot, PriceE18 | null>();
  private unseen = 0;
  private isMissing = false;

  constructor(source: SlotFeedSource, post: PostFrame) {
    this.source = source;
    this.post = post;
  }

  /** Number of wanted subjects. */
  get size(): number {
    return this.wanted.size;
  }

  want(added: readonly Subject[], removed: readonly Subject[]): void {
    for (const subject of added) if (!this.wanted.has(subject)) this.count(subject, 1);
    for (const subject of added) this.wanted.add(subject);
    for (const subject of removed) if (this.wanted.delete(subject)) this.count(subject, -1);
    if (this.wanted.size === 0) this.forget();
  }

  /** The API has processed a frame. */
  seen(): void {
    this.unseen--;
  }

  onApplied(changes: SlotChanges): void {
    const { slot } = changes;
    const { solUsd } = this.source.engine;
    this.solPrices.set(slot, solUsd);
    if (this.solPrices.size > SOL_PRICES_MAX) {
      for (const [oldest] of this.solPrices) {
        this.solPrices.delete(oldest);
        break;
      }
    }
    if (this.wanted.size === 0) return;
    const items = this.itemsOf(this.reverted.takeInto(changes, this.source.engine));
    items.push(...this.walletsOf(changes));
    this.publish(changes, items, { solUsd, isUndone: false });
  }

  onReverted(changes: SlotChanges): void {
    const solUsd = this.solPrices.get(changes.slot) ?? null;
    this.solPrices.delete(changes.slot);
    if (this.wanted.size === 0) return;
    const items = this.itemsOf(changes);
    for (const address of this.changedWallets(changes)) {
      this.waiting.add(address);
      items.push({ topic: 'wallet', address, wallet: null });
    }
    this.reverted.add(changes, (topic, property, value) =>
      this.wants(topic, [subjectOf(topic), subjectOf(topic, property, value)]),
    );
    this.publish(changes, items, { solUsd, isUndone: true });
  }

  /** Any record may have changed: clients have to read the current state again. */
  onReplaced(): void {
    this.forget();
    if (this.wanted.size > 0) this.miss();
  }

  onStep(): void {
    // Slots are published as they are applied.
  }

  private count(subject: Subject, by: 1 | -1): void {
    const topic = subject.split(' ', 1)[0] ?? '';
    this.wantedTopics.set(topic, (this.wantedTopics.get(topic) ?? 0) + by);
  }

  private forget(): void {
    this.reverted.clear();
    this.waiting.clear();
    this.solPrices.clear();
  }

  private isTopicWanted(topic: StreamTopic): boolean {
    return (this.wantedTopics.get(topic) ?? 0) > 0;
  }

  private wants(topic: StreamTopic, subjects: readonly Subject[]): boolean {
    return this.isTopicWanted(topic) && subjects.some((subject) => this.wanted.has(subject));
  }

  /** The wanted items of a slot without its wallets, in the order of the topics. */
  private itemsOf(changes: SlotChanges): SlotItem[] {
    const items: SlotItem[] = [];
    for (const [topic, produce] of PRODUCERS) {
      if (!this.isTopicWanted(topic)) continue;
      for (const item of produce(changes, this.source)) {
        if (subjectsOf(item).some((subject) => this.wanted.has(subject))) items.push(item);
      }
    }
    return items;
  }

  private *walletsOf(changes: SlotChanges): Generator<SlotItem> {
    for (const address of this.changedWallets(changes)) this.waiting.add(address);
    let count = 0;
    for (const address of this.waiting) {
      if (count++ === WALLETS_PER_SLOT_MAX) return;
      this.waiting.delete(address);
      const wallet = this.source.engine.wallet(address);
      if (wallet !== null) yield { topic: 'wallet', address, wallet };
    }
  }

  /** Wanted wallets that traded or whose balance changed. */
  private changedWallets({ slot, swaps, balances }: SlotChanges): ReadonlySet<Address> {
    const wallets = new Set<Address>();
    if (!this.isTopicWanted('wallet')) return wallets;
    const note = (address: Address) => {
      if (this.wanted.has(subjectOf('wallet', 'wallet', address))) wallets.add(address);
    };
    for (const { slot: tradedSlot, swap } of swaps) {
      if (tradedSlot === slot && swap.trader !== null) note(swap.trader);
    }
    for (const { owner } of balances) note(owner);
    return wallets;
  }

  private publish(
    { slot, timeMs }: SlotChanges,
    items: readonly SlotItem[],
    { solUsd, isUndone }: Pick<SlotFrame, 'solUsd' | 'isUndone'>,
  ): void {
    if (items.length === 0) return;
    if (this.unseen >= UNSEEN_FRAMES_MAX) {
      this.isMissing = true;
      return;
    }
    if (this.isMissing) this.miss();
    this.unseen++;
    const { finalSlot } = this.source;
    this.post({
      slot,
      timeMs: timeMs === 0 ? null : timeMs,
      solUsd,
      finalSlot,
      isUndone,
      items,
    });
  }

  private miss(): void {
    this.isMissing = false;
    this.unseen++;
    this.post(null);
  }
}

type Produce = (changes: SlotChanges, source: SlotFeedSource) => Iterable<SlotItem>;

/** The items of each topic; those of wallets are read from the engine. */
const PRODUCERS: readonly (readonly [StreamTopic, Produce])[] = [
  ['chain', () => [{ topic: 'chain' }]],
  ['new_tokens', newTokensOf],
  ['token', ({ tokens }) => tokens.map((token) => ({ topic: 'token', token }))],
  ['pool', ({ pools }) => pools.map((pool) => ({ topic: 'pool', pool }))],
  ['trades', tradesOf],
  ['candles', ({ candles }) => candles.map((candle) => ({ topic: 'candles', candle }))],
  ['indicators', ({ indicators }) => indicators.map((minute) => ({ topic: 'indicators', minute }))],
  ['findings', findingsOf],
  ['signals', signalsOf],
  ['rule_hits', ruleHitsOf],
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

/** Random minutes are not published. */
function* signalsOf({ signals, outcomes }: SlotChanges): Generator<SlotItem> {
  for (const signal of signals) {
    const outcome = outcomes.find(({ rowId }) => rowId === signal.rowId);
    if (outcome === undefined || !isShown(signal)) continue;
    yield { topic: 'signals', signal: toListing(signal, outcome) };
  }
}

function* ruleHitsOf({ ruleHits, outcomes }: SlotChanges): Generator<SlotItem> {
  for (const hit of announcedHits(ruleHits, outcomes)) yield { topic: 'rule_hits', hit };
}
