import type { FoldListener } from '../ingestion/fold-listener.ts';
import type { PoolRecord, SlotChanges } from '../model/derived.ts';
import { isShown, toListing } from '../model/signal-file.ts';
import {
  NOTHING_WANTED,
  STREAM_NAMES,
  type StreamedItem,
  type StreamName,
  type WantedStreams,
} from '../model/streamed.ts';
import type { Address } from '../model/units.ts';
import type { LiveEngine } from './live-rows.ts';
import { SupplyWatch } from './supply-watch.ts';

/** Items that were told and not taken in; what comes on top is not told, and missed. */
export const UNSEEN_ITEMS_MAX = 256;
/** Pools of one batch of figures: messages stay well below what a client is buffered. */
export const INDICATORS_PER_ITEM = 100;

/** What is told of streams: an item, or that items were missed. */
export type StreamEvent = StreamedItem | { readonly stream: StreamName; readonly item: null };

/**
 * Tells what streams are made of, slot by slot, to whoever wants it; it costs nothing while nobody
 * does. Pools of a slot that was taken back are told with the next slot, as they are then.
 */
export class StreamFeed implements FoldListener {
  private readonly source: { readonly engine: Pick<LiveEngine, 'lastSlot' | 'solUsd' | 'pool'> };
  private readonly post: (events: StreamEvent) => void;
  private wanted: WantedStreams = NOTHING_WANTED;
  private readonly supplies = new SupplyWatch();
  private readonly wentBack = new Set<Address>();
  private unseen = 0;
  private readonly missing = new Set<StreamName>();

  constructor(source: StreamFeed['source'], post: (events: StreamEvent) => void) {
    this.source = source;
    this.post = post;
  }

  want(wanted: WantedStreams): void {
    this.wanted = wanted;
    if (!wanted.marketData) this.wentBack.clear();
    if (!wanted.newTokens) this.supplies.clear();
  }

  /** An item was taken in. */
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
    if (this.wanted.marketData) for (const { pool } of pools) this.wentBack.add(pool);
    if (this.wanted.newTokens) this.supplies.takeBack(tokens);
  }

  /** Every record may have another value: clients read anew. */
  onReplaced(): void {
    this.wentBack.clear();
    this.supplies.clear();
    for (const stream of STREAM_NAMES) if (this.wanted[stream]) this.miss(stream);
  }

  onStep(): void {
    // Slots without changes are not told.
  }

  private publishPools({ slot, timeMs, pools }: SlotChanges): void {
    const told = [...pools, ...this.takeWentBack(pools)];
    if (told.length === 0) return;
    const { solUsd } = this.source.engine;
    const item = { slot, timeMs: timeMs === 0 ? null : timeMs, solUsd, pools: told };
    this.tell({ stream: 'marketData', item });
  }

  /** Those that this slot did not change, as they are now; a pool of a lost branch is no more. */
  private takeWentBack(changed: readonly PoolRecord[]): PoolRecord[] {
    if (this.wentBack.size === 0) return [];
    for (const { pool } of changed) this.wentBack.delete(pool);
    const records = [...this.wentBack].map((pool) => this.source.engine.pool(pool));
    this.wentBack.clear();
    return records.filter((record) => record !== null);
  }

  private publishIndicators({ indicators }: SlotChanges): void {
    for (let from = 0; from < indicators.length; from += INDICATORS_PER_ITEM) {
      const minutes = indicators.slice(from, from + INDICATORS_PER_ITEM);
      const [first] = minutes;
      if (first === undefined) return;
      const records = minutes.map(({ record }) => record);
      this.tell({ stream: 'indicators', item: { minuteMs: first.minuteMs, records } });
    }
  }

  /** Random minutes are nobody's signals. */
  private publishSignals({ signals, outcomes }: SlotChanges): void {
    for (const signal of signals) {
      const outcome = outcomes.find(({ rowId }) => rowId === signal.rowId);
      if (outcome === undefined || !isShown(signal)) continue;
      this.tell({ stream: 'signals', item: toListing(signal, outcome) });
    }
  }

  private publishTokens({ slot, timeMs, tokens }: SlotChanges): void {
    const created = tokens.filter(({ creationSlot }) => creationSlot === slot);
    const supplies = this.supplies.note(tokens, slot);
    if (created.length + supplies.length === 0) return;
    const item = { slot, timeMs: timeMs === 0 ? null : timeMs, created, supplies };
    this.tell({ stream: 'newTokens', item });
  }

  private tell(events: StreamedItem): void {
    if (this.unseen >= UNSEEN_ITEMS_MAX) {
      this.missing.add(events.stream);
      return;
    }
    if (this.missing.delete(events.stream)) this.miss(events.stream);
    this.unseen++;
    this.post(events);
  }

  private miss(stream: StreamName): void {
    this.unseen++;
    this.post({ stream, item: null });
  }
}
