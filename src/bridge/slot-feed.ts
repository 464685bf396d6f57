import type { FoldListener } from '../ingestion/fold-listener.ts';
import type { SlotChanges } from '../model/derived.ts';
import { endOfStep } from '../model/shared-numbers.ts';
import {
  type SlotFrame,
  type SlotItem,
  type StreamTopic,
  type Subject,
  subjectOf,
  subjectsOf,
} from '../model/slot-frame.ts';
import type { Address, PriceE18, Slot } from '../model/units.ts';
import { FrameNumbers, type PlacedItem } from './frame-numbers.ts';
import { RevertedRows } from './reverted-rows.ts';
import type { SlotFeedSource } from './slot-feed-source.ts';
import { TOPIC_ITEMS } from './slot-items.ts';

type Placed = PlacedItem<SlotItem>;

/** Frames that the API has not processed yet; further ones are dropped and reported as missed. */
export const UNSEEN_FRAMES_MAX = 64;
/** Reading a wallet takes up to a millisecond; further ones follow with the next slots. */
export const WALLETS_PER_SLOT_MAX = 100;
/** SOL prices of this many slots are remembered: a fork takes back no more than 512. */
const SOL_PRICES_MAX = 1_024;

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
  private readonly waiting = new Map<Address, number | null>();
  /** Prices of recent slots, since the engine has another one after a slot was reverted. */
  private readonly solPrices = new Map<Slot, PriceE18 | null>();
  private unseen = 0;
  private isMissing = false;
  private readonly numbers = new FrameNumbers();

  constructor(source: SlotFeedSource, post: PostFrame) {
    this.source = source;
    this.post = post;
  }

  /** Number of wanted subjects. */
  get size(): number {
    return this.wanted.size;
  }

  /** The number after all messages that were published; null without a log that numbers them. */
  get position(): number | null {
    const { step } = this.numbers;
    const { appliedStep } = this.source;
    return step === null && appliedStep === null
      ? null
      : endOfStep(Math.max(step ?? 0, appliedStep ?? 0));
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
    const items = this.wanted.size === 0 ? [] : this.appliedItems(changes);
    this.publish(changes, items, { solUsd, isUndone: false });
  }

  onReverted(changes: SlotChanges): void {
    const solUsd = this.solPrices.get(changes.slot) ?? null;
    this.solPrices.delete(changes.slot);
    const items = this.wanted.size === 0 ? [] : this.revertedItems(changes);
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

  private appliedItems(changes: SlotChanges): Placed[] {
    const merged = this.reverted.takeInto(changes, this.source.engine);
    return [...this.itemsOf(merged, changes), ...this.walletsOf(changes)];
  }

  private revertedItems(changes: SlotChanges): Placed[] {
    const items = this.itemsOf(changes, changes);
    for (const [address, place] of this.changedWallets(changes)) {
      this.waiting.set(address, null);
      items.push({ item: { topic: 'wallet', address, wallet: null }, place });
    }
    this.reverted.add(changes, (topic, property, value) =>
      this.wants(topic, [subjectOf(topic), subjectOf(topic, property, value)]),
    );
    return items;
  }

  /**
   * The wanted items of a slot without its wallets, in the order of the topics. `own` is what the slot
   * itself changed, which decides about their places.
   */
  private itemsOf(changes: SlotChanges, own: SlotChanges): Placed[] {
    const items: Placed[] = [];
    let first = 0;
    for (const { topic, produce, count } of TOPIC_ITEMS) {
      const places = count(own);
      if (this.isTopicWanted(topic)) {
        let index = 0;
        for (const item of produce(changes, this.source)) {
          const place = index < places ? first + index : null;
          index++;
          if (subjectsOf(item).some((one) => this.wanted.has(one))) items.push({ item, place });
        }
      }
      first += places;
    }
    return items;
  }

  private *walletsOf(changes: SlotChanges): Generator<Placed> {
    for (const [address, place] of this.changedWallets(changes)) {
      if (!this.waiting.has(address)) this.waiting.set(address, place);
    }
    let count = 0;
    for (const [address, place] of this.waiting) {
      if (count++ === WALLETS_PER_SLOT_MAX) break;
      this.waiting.delete(address);
      const wallet = this.source.engine.wallet(address);
      if (wallet !== null) yield { item: { topic: 'wallet', address, wallet }, place };
    }
    // In a later slot their places are those of others.
    for (const address of this.waiting.keys()) this.waiting.set(address, null);
  }

  /** Wanted wallets that traded or whose balance changed, and their places. */
  private changedWallets(changes: SlotChanges): ReadonlyMap<Address, number> {
    const wallets = new Map<Address, number>();
    if (!this.isTopicWanted('wallet')) return wallets;
    const { slot, swaps, balances } = changes;
    const first = placesOfTopics(changes);
    const note = (address: Address, index: number) => {
      if (wallets.has(address) || !this.wanted.has(subjectOf('wallet', 'wallet', address))) return;
      wallets.set(address, first + index);
    };
    for (const [index, { slot: tradedSlot, swap }] of swaps.entries()) {
      if (tradedSlot === slot && swap.trader !== null) note(swap.trader, index);
    }
    for (const [index, { owner }] of balances.entries()) note(owner, swaps.length + index);
    return wallets;
  }

  private publish(
    changes: SlotChanges,
    placed: readonly Placed[],
    { solUsd, isUndone }: Pick<SlotFrame, 'solUsd' | 'isUndone'>,
  ): void {
    const numbered = this.numbered(changes, placed, isUndone);
    if (placed.length === 0) return;
    if (this.unseen >= UNSEEN_FRAMES_MAX) {
      this.isMissing = true;
      return;
    }
    if (this.isMissing || numbered === null) this.miss();
    if (numbered === null) return;
    this.unseen++;
    const { slot, timeMs } = changes;
    const { finalSlot } = this.source;
    this.post({
      slot,
      timeMs: timeMs === 0 ? null : timeMs,
      solUsd,
      finalSlot,
      isUndone,
      ...numbered,
    });
  }

  /** The items with their numbers, if there is a log that numbers them; null if it cannot. */
  private numbered(
    changes: SlotChanges,
    placed: readonly Placed[],
    isUndone: boolean,
  ): Pick<SlotFrame, 'items' | 'seqs'> | null {
    const { step } = this.source;
    if (step === null) return { items: placed.map(({ item }) => item) };
    const places = placesOfTopics(changes) + changes.swaps.length + changes.balances.length;
    return this.numbers.take(step, placed, { places, isUndone });
  }

  private miss(): void {
    this.isMissing = false;
    this.unseen++;
    this.post(null);
  }
}

function placesOfTopics(changes: SlotChanges): number {
  return TOPIC_ITEMS.reduce((sum, { count }) => sum + count(changes), 0);
}
