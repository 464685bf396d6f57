import type { FoldListener } from '../ingestion/fold-listener.ts';
import type { SlotChanges } from '../model/derived.ts';
import type { PoolRecord } from '../model/pool-record.ts';
import { isShown, toListing } from '../model/signal-listing.ts';
import {
  NO_STREAMS_WANTED,
  STREAM_NAMES,
  type StreamedItem,
  type StreamName,
  type WantedStreams,
} from '../model/streamed.ts';
import type { Address } from '../model/units.ts';
import type { LiveEngine } from './live-rows.ts';
import { SupplyWatch } from './supply-watch.ts';

/**
 * Maximum number of items that the API has not processed yet; further items are dropped and
 * recorded as missed.
 */
export const UNSEEN_ITEMS_MAX = 256;
/** Pools per batch of indicators: keeps messages well below the buffer limit of a client. */
export const INDICATORS_PER_ITEM = 100;

/** A stream item, or null after items were missed. */
export type StreamEvent = StreamedItem | { readonly stream: StreamName; readonly item: null };

/**
 * Publishes stream items slot by slot for the streams that have readers. Pools of reverted slots
 * are published with the next slot, in their state at that slot.
 */
export class StreamFeed implements FoldListener {
  private readonly source: { readonly engine: Pick<LiveEngine, 'lastSlot' | 'solUsd' | 'pool'> };
  private readonly post: (event: StreamEvent) => void;
  private wanted: WantedStreams = NO_STREAMS_WANTED;
  private readonly supplies = new SupplyWatch();
  private readonly reverted = new Set<Address>();
  private unseen = 0;
  private readonly missing = new Set<StreamName>();

  constructor(source: StreamFeed['source'], post: (event: StreamEvent) => void) {
    this.source = source;
    this.post = post;
  }

  want(wanted: WantedStreams): void {
    this.wanted = wanted;
    if (!wanted.marketData) this.reverted.clear();
    if (!wanted.newTokens) this.supplies.clear();
  }

  /** The API has processed an item. */
  seen(): void {
    this.unseen--;
  }

  onApplied(changes: SlotChanges): void {
    if (this.wanted.marketData) this.publishPools(changes);
    if (this.wanted.newTokens) this.publishTokens(changes);
    if (this.wanted.indicators) this.publishIndicators(changes);
    if (this.wanted.signals) this.publishSignals(changes);
  }

  onReverted({ pools, tokens }: Pick<SlotChanges, 'pools' | 'tokens'>): void {
    if (this.wanted.marketData) for (const { pool } of pools) this.reverted.add(pool);
    if (this.wanted.newTokens) this.supplies.revert(tokens);
  }

  /** Any record may have changed: clients have to read the current state again. */
  onReplaced(): void {
    this.reverted.clear();
    this.supplies.clear();
    for (const stream of STREAM_NAMES) if (this.wanted[stream]) this.miss(stream);
  }

  onStep(): void {
    // Slots without changes are not published.
  }

  private publishPools({ slot, timeMs, pools }: SlotChanges): void {
    const published = [...pools, ...this.takeReverted(pools)];
    if (published.length === 0) return;
    const { solUsd } = this.source.engine;
    const item = { slot, timeMs: timeMs === 0 ? null : timeMs, solUsd, pools: published };
    this.publish({ stream: 'marketData', item });
  }

  /**
   * Current records of reverted pools that this slot did not change. Pools that existed only on the
   * lost branch are omitted.
   */
  private takeReverted(changed: readonly PoolRecord[]): PoolRecord[] {
    if (this.reverted.size === 0) return [];
    for (const { pool } of changed) this.reverted.delete(pool);
    const records = [...this.reverted].map((pool) => this.source.engine.pool(pool));
    this.reverted.clear();
    return records.filter((record) => record !== null);
  }

  private publishIndicators({ indicators }: SlotChanges): void {
    for (let from = 0; from < indicators.length; from += INDICATORS_PER_ITEM) {
      const minutes = indicators.slice(from, from + INDICATORS_PER_ITEM);
      const [first] = minutes;
      if (first === undefined) return;
      const records = minutes.map(({ record }) => record);
      this.publish({ stream: 'indicators', item: { minuteMs: first.minuteMs, records } });
    }
  }

  /** Random minutes and signals of rules, are not published. */
  private publishSignals({ signals, outcomes }: SlotChanges): void {
    for (const signal of signals) {
      const outcome = outcomes.find(({ rowId }) => rowId === signal.rowId);
      if (outcome === undefined || !isShown(signal)) continue;
      this.publish({ stream: 'signals', item: toListing(signal, outcome) });
    }
  }

  private publishTokens({ slot, timeMs, tokens }: SlotChanges): void {
    const created = tokens.filter(({ creationSlot }) => creationSlot === slot);
    const supplies = this.supplies.note(tokens, slot);
    if (created.length + supplies.length === 0) return;
    const item = { slot, timeMs: timeMs === 0 ? null : timeMs, created, supplies };
    this.publish({ stream: 'newTokens', item });
  }

  private publish(event: StreamedItem): void {
    if (this.unseen >= UNSEEN_ITEMS_MAX) {
      this.missing.add(event.stream);
      return;
    }
    if (this.missing.delete(event.stream)) this.miss(event.stream);
    this.unseen++;
    this.post(event);
  }

  private miss(stream: StreamName): void {
    this.unseen++;
    this.post({ stream, item: null });
  }
}
