import { AddressIds } from '../../lib/address-ids.ts';
import { ObjectMap } from '../../lib/object-map.ts';
import { StateValue } from '../../lib/state-value.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import { WordQueue } from '../../lib/word-queue.ts';
import { BASE_CANDLE_MS, type Candle, flatAt } from '../../model/derived.ts';
import type { Address, PriceE18, RawAmount, Slot } from '../../model/units.ts';
import { bucketStart } from './candle-merge.ts';
import { LastCloses } from './last-closes.ts';
import { OpenCandle } from './open-candle.ts';
import { OPEN_CANDLES } from './open-candle-state.ts';
import type { Settlement, SettlingTrade } from './settling-trade.ts';

/** What a slot changed. */
export interface ClosedCandles {
  /** Candles that changed or became final, each once, in the order of first change. */
  readonly candles: readonly Candle[];
  /**
   * The same as they are shown, and after them those that a changed close moved: with a price, or
   * flat at the last close before them; none before the first price. One without prices was shown
   * and no longer is, since no price is left up to its end.
   */
  readonly shown: readonly Candle[];
}

/** A candle whose close changed with the label of a trade. */
interface MovedClose {
  readonly candle: OpenCandle;
  /** Whether it had a price before. */
  readonly hadPrice: boolean;
}

/**
 * Base candles of every pool and of every base mint, as long as they can change.
 *
 * Call `add` for each trade in log order and `closeSlot` with the settlement of the same slot, for
 * every slot. Volumes count immediately, prices with the current labels. A candle becomes final
 * when a slot at or past its end is closed and all its trades are settled. This happens no later
 * than the first slot that is four slots and ten seconds past its last trade. It is removed once all
 * earlier ones of its scope are final as well: until then the close before it can change.
 *
 * Memory is therefore bounded: a scope holds the current candle and those of its unsettled trades,
 * at most five in total; a scope without trades for 40 s holds none. Of a removed candle the close
 * remains, at which later ones without a price are shown.
 */
export class CandleBook {
  private readonly ids: AddressIds<Address>;
  private readonly undo: UndoLog;
  /** By scope, in order of time; none for a scope without open candles. */
  private readonly scopes: ObjectMap<OpenCandle[]>;
  /** Scopes of the candles that have not ended, by open time. */
  private readonly running: WordQueue;
  private readonly total: StateValue<{ candles: number }>;
  private readonly closes: LastCloses;
  private changed = new Set<OpenCandle>();
  /** Scopes with a candle that became final in the slot. */
  private finished = new Set<number>();

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
    this.closes = new LastCloses(undo);
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

  /** Closes a slot; call it also for a slot without trades. */
  closeSlot(slot: Slot, timeMs: number, { relabelled, settled }: Settlement): ClosedCandles {
    const moved = this.relabel(relabelled);
    this.endUntil(timeMs);
    for (const trade of settled) this.commit(trade);
    const candles: Candle[] = [];
    for (const candle of this.changed) candles.push(candle.present(slot));
    const shown = this.shownOf(candles, moved);
    this.changed = new Set();
    this.removeFinal();
    return { candles, shown };
  }

  /** A candle that can still change, as of its last change; null if it is final or unknown. */
  find(scope: Address, openTimeMs: number): Candle | null {
    return this.openCandle(scope, openTimeMs)?.record ?? null;
  }

  /** The same as it is shown (`ClosedCandles.shown`); also null if it is not. */
  findShown(scope: Address, openTimeMs: number): Candle | null {
    const candle = this.openCandle(scope, openTimeMs);
    return candle === undefined ? null : this.show(candle, candle.record, false);
  }

  /** Number of candles that can change, or follow one that can. */
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

  /** Returns the candles whose closes changed. */
  private relabel(relabelled: Settlement['relabelled']): MovedClose[] {
    for (const trade of relabelled) {
      for (const candle of this.candlesOf(trade)) candle.relabel(trade);
    }
    const moved: MovedClose[] = [];
    for (const candle of relabelled.flatMap((trade) => this.candlesOf(trade))) {
      const before = candle.closeUsd;
      if (!candle.reprice()) continue;
      this.changed.add(candle);
      if (candle.closeUsd !== before) moved.push({ candle, hadPrice: before !== null });
    }
    return moved;
  }

  private commit(trade: SettlingTrade): void {
    for (const candle of this.candlesOf(trade)) {
      const wasFinal = candle.isFinal;
      candle.commit(trade);
      if (!wasFinal) this.finish(candle);
    }
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

  /** Notes a candle if it has become final. */
  private finish(candle: OpenCandle): void {
    if (!candle.isFinal) return;
    this.changed.add(candle);
    this.finished.add(this.ids.find(candle.scope));
  }

  /** Removes final candles that follow no other of their scope, and keeps their closes. */
  private removeFinal(): void {
    if (this.finished.size === 0) return;
    for (const id of this.finished) {
      const candles = this.scopes.get(id) ?? [];
      let closeUsd: PriceE18 | null = null;
      let count = 0;
      for (; candles[count]?.isFinal; count++) closeUsd = candles[count]?.closeUsd ?? closeUsd;
      if (count === 0) continue;
      if (closeUsd !== null) this.closes.set(id, closeUsd);
      this.undo.keep(candles);
      candles.splice(0, count);
      if (candles.length === 0) this.scopes.delete(id);
      this.undo.keep(this.total.now);
      this.total.now.candles -= count;
    }
    this.finished = new Set();
  }

  /** `candles` are those of `changed`, in the same order. */
  private shownOf(candles: readonly Candle[], moved: readonly MovedClose[]): readonly Candle[] {
    if (moved.length === 0 && candles.every(({ usd }) => usd !== null)) return candles;
    const followers = new Set<OpenCandle>();
    const lost = new Set<OpenCandle>();
    for (const { candle, hadPrice } of moved) {
      if (hadPrice) lost.add(candle);
      for (const follower of this.pricelessAfter(candle)) {
        followers.add(follower);
        if (hadPrice) lost.add(follower);
      }
    }
    const shown: Candle[] = [];
    const add = (open: OpenCandle, candle: Candle) => {
      const one = this.show(open, candle, lost.has(open));
      if (one !== null) shown.push(one);
    };
    let index = 0;
    for (const open of this.changed) add(open, candles[index++] as Candle);
    for (const open of followers) if (!this.changed.has(open)) add(open, open.record);
    return shown;
  }

  /** A candle as it is shown; null if it is not, and was not before. */
  private show(open: OpenCandle, candle: Candle, wasShown: boolean): Candle | null {
    if (candle.usd !== null) return candle;
    const closeUsd = this.closeBefore(open);
    if (closeUsd === null) return wasShown ? candle : null;
    return { ...candle, usd: flatAt(closeUsd) };
  }

  /** The last close of the scope before a candle; null before its first price. */
  private closeBefore(candle: OpenCandle): PriceE18 | null {
    const id = this.ids.find(candle.scope);
    let closeUsd = this.closes.get(id);
    for (const each of this.scopes.get(id) ?? []) {
      if (each === candle) break;
      closeUsd = each.closeUsd ?? closeUsd;
    }
    return closeUsd;
  }

  /** The candles that are shown at the close of this one. */
  private *pricelessAfter(candle: OpenCandle): Generator<OpenCandle> {
    const candles = this.scopes.get(this.ids.find(candle.scope)) ?? [];
    for (let at = candles.indexOf(candle) + 1; at < candles.length; at++) {
      const follower = candles[at] as OpenCandle;
      if (follower.closeUsd !== null) return;
      yield follower;
    }
  }

  private openCandle(scope: Address, openTimeMs: number): OpenCandle | undefined {
    const id = this.ids.find(scope);
    const ofScope = id === -1 ? undefined : this.scopes.get(id);
    return ofScope?.find((each) => each.openTimeMs === openTimeMs);
  }
}
