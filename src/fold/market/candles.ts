import { AddressIds } from '../../lib/address-ids.ts';
import { ObjectMap } from '../../lib/object-map.ts';
import { StateValue } from '../../lib/state-value.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import { WordQueue } from '../../lib/word-queue.ts';
import { BASE_CANDLE_MS, type Candle } from '../../model/derived.ts';
import type { Address, RawAmount, Slot } from '../../model/units.ts';
import { bucketStart } from './candle-merge.ts';
import { OpenCandle } from './open-candle.ts';
import { OPEN_CANDLES } from './open-candle-state.ts';
import type { Settlement, SettlingTrade } from './settling-trade.ts';

/**
 * Base candles of every pool and of every base mint, as long as they can change.
 *
 * Call `add` for each trade in log order and `closeSlot` with the settlement of the same slot, for
 * every slot. Volumes count immediately, prices with the current labels. A candle becomes final,
 * and is removed, when a slot at or past its end is closed and all its trades are settled. This
 * happens no later than the first slot that is four slots and ten seconds past its last trade.
 *
 * Memory is therefore bounded: a scope holds the current candle and those of its unsettled trades,
 * at most five in total; a scope without trades for 40 s holds none.
 */
export class CandleBook {
  private readonly ids: AddressIds<Address>;
  private readonly undo: UndoLog;
  /** By scope, in order of time; none for a scope without open candles. */
  private readonly scopes: ObjectMap<OpenCandle[]>;
  /** Scopes of the candles that have not ended, by open time. */
  private readonly running: WordQueue;
  private readonly total: StateValue<{ candles: number }>;
  private changed = new Set<OpenCandle>();

  /** `ids` writes to the same `undo`; others may use it too. */
  constructor(undo = new UndoLog(), ids = new AddressIds<Address>(undo)) {
    this.undo = undo;
    this.ids = ids;
    const format = {
      name: OPEN_CANDLES.name,
      encode: (candles: OpenCandle[]) => OPEN_CANDLES.encode(candles.map(({ state }) => state)),
      decode: (text: string) =>
        OPEN_CANDLES.decode(text).map((stored) => OpenCandle.restore(stored, undo)),
    };
    this.scopes = new ObjectMap(format, undo, 'open candles');
    this.running = new WordQueue(undo, 'running candles');
    this.total = new StateValue({ candles: 0 }, undo, 'candle counts');
  }

  /**
   * Adds a trade that `RobustPriceBook.applySwap` returned in this slot. `supplyRaw` is the supply
   * of its base mint net of burns, null when unknown. Quarantined trades are ignored.
   */
  add(trade: SettlingTrade, supplyRaw: RawAmount | null): void {
    if (trade.priced.exclusion === 'quarantined') return;
    const { pool, baseMint } = trade.priced.swap;
    const ofPool = this.ensure(pool, trade, true);
    ofPool.add(trade, true, supplyRaw);
    const ofMint = this.ensure(baseMint, trade, false);
    ofMint.add(trade, trade.priced.setsTokenPrice, supplyRaw);
    this.changed.add(ofPool).add(ofMint);
  }

  /**
   * Closes a slot; call it also for a slot without trades. Returns the candles that changed or
   * became final, each once, in the order of first change.
   */
  closeSlot(slot: Slot, timeMs: number, { relabelled, settled }: Settlement): Candle[] {
    for (const trade of relabelled) {
      for (const candle of this.candlesOf(trade)) candle.relabel(trade);
    }
    for (const trade of relabelled) {
      for (const candle of this.candlesOf(trade)) {
        if (candle.reprice()) this.changed.add(candle);
      }
    }
    this.endUntil(timeMs);
    for (const trade of settled) {
      for (const candle of this.candlesOf(trade)) {
        candle.commit(trade);
        this.finish(candle);
      }
    }
    const candles: Candle[] = [];
    for (const candle of this.changed) candles.push(candle.present(slot));
    this.changed = new Set();
    return candles;
  }

  /** A candle that can still change, as of its last change; null if it is final or unknown. */
  find(scope: Address, openTimeMs: number): Candle | null {
    const id = this.ids.find(scope);
    const ofScope = id === -1 ? undefined : this.scopes.get(id);
    const candle = ofScope?.find((each) => each.openTimeMs === openTimeMs);
    return candle?.present(candle.slot) ?? null;
  }

  /** Number of candles that can change. */
  get size(): number {
    return this.total.now.candles;
  }

  /** Numbers of scopes that changed without being marked as changed. For tests. */
  unannounced(): number[] {
    return this.scopes.unannounced();
  }

  private ensure(scope: Address, trade: SettlingTrade, isPool: boolean): OpenCandle {
    const openTimeMs = bucketStart(trade.priced.timeMs, BASE_CANDLE_MS);
    const id = this.ids.idOf(scope);
    const candles = this.scopes.get(id);
    const newest = candles?.at(-1);
    if (newest?.openTimeMs === openTimeMs) {
      if (!this.changed.has(newest)) this.scopes.changing(id);
      return newest;
    }
    const { baseDecimals } = trade.priced.swap;
    const candle = new OpenCandle({ scope, openTimeMs, isPool, baseDecimals }, this.undo);
    if (candles === undefined) this.scopes.set(id, [candle]);
    else {
      this.scopes.changing(id);
      this.undo.keep(candles);
      candles.push(candle);
    }
    this.running.push(id);
    this.undo.keep(this.total.now);
    this.total.now.candles++;
    return candle;
  }

  /** The open candles of a trade's pool and of its mint, which are about to change. */
  private candlesOf({ priced }: SettlingTrade): OpenCandle[] {
    const candles: OpenCandle[] = [];
    const openTimeMs = bucketStart(priced.timeMs, BASE_CANDLE_MS);
    for (const scope of [priced.swap.pool, priced.swap.baseMint]) {
      const id = this.ids.find(scope);
      const ofScope = id === -1 ? undefined : this.scopes.get(id);
      const candle = ofScope?.find((each) => each.openTimeMs === openTimeMs);
      if (candle === undefined) continue;
      this.scopes.changing(id);
      candles.push(candle);
    }
    return candles;
  }

  private endUntil(timeMs: number): void {
    for (let id = this.running.peek(); id !== undefined; id = this.running.peek()) {
      // The candles of a scope end in the order in which they were opened.
      const candle = this.scopes.get(id)?.find(({ hasEnded }) => !hasEnded);
      if (candle !== undefined && candle.endTimeMs > timeMs) return;
      this.running.shift();
      if (candle === undefined) continue;
      this.scopes.changing(id);
      candle.end();
      this.finish(candle);
    }
  }

  /** Removes a candle if it is final. */
  private finish(candle: OpenCandle): void {
    if (!candle.isFinal) return;
    const id = this.ids.find(candle.scope);
    const candles = this.scopes.get(id);
    const at = candles?.indexOf(candle) ?? -1;
    if (candles === undefined || at < 0) return;
    this.undo.keep(candles);
    candles.splice(at, 1);
    if (candles.length === 0) this.scopes.delete(id);
    this.undo.keep(this.total.now);
    this.total.now.candles--;
    this.changed.add(candle);
  }
}
