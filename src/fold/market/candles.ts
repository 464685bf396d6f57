import { UndoLog } from '../../lib/undo-log.ts';
import { BASE_CANDLE_MS, type Candle } from '../../model/derived.ts';
import type { Address, RawAmount, Slot } from '../../model/units.ts';
import { bucketStart } from './candle-merge.ts';
import { OpenCandle } from './open-candle.ts';
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
  private readonly scopes = new Map<Address, OpenCandle[]>();
  /** Candles that have not ended, by open time. */
  private readonly running: OpenCandle[] = [];
  private changed = new Set<OpenCandle>();
  private readonly total = { candles: 0 };
  private readonly undo: UndoLog;

  constructor(undo = new UndoLog()) {
    this.undo = undo;
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
  closeSlot(slot: Slot, timeMs: number, settlement: Settlement): Candle[] {
    for (const { priced } of settlement.relabelled) {
      this.reprice(this.candleAt(priced.swap.pool, priced.timeMs));
      this.reprice(this.candleAt(priced.swap.baseMint, priced.timeMs));
    }
    this.endUntil(timeMs);
    for (const { priced } of settlement.settled) {
      this.commit(this.candleAt(priced.swap.pool, priced.timeMs));
      this.commit(this.candleAt(priced.swap.baseMint, priced.timeMs));
    }
    const candles: Candle[] = [];
    for (const candle of this.changed) candles.push(candle.present(slot));
    this.changed = new Set();
    return candles;
  }

  /** A candle in memory as of its last change; null if it is final or unknown. */
  find(scope: Address, openTimeMs: number): Candle | null {
    const candle = this.candleAt(scope, openTimeMs);
    return candle?.present(candle.slot) ?? null;
  }

  /** Number of candles in memory. */
  get size(): number {
    return this.total.candles;
  }

  /** One row per candle in memory, by scope and open time. */
  *digestRows(): Iterable<string> {
    for (const scope of [...this.scopes.keys()].sort()) {
      for (const candle of this.scopes.get(scope) ?? []) yield candle.digestRow();
    }
  }

  private ensure(scope: Address, trade: SettlingTrade, isPool: boolean): OpenCandle {
    const openTimeMs = bucketStart(trade.priced.timeMs, BASE_CANDLE_MS);
    const candles = this.scopes.get(scope);
    const newest = candles?.at(-1);
    if (newest?.openTimeMs === openTimeMs) return newest;
    const { baseDecimals } = trade.priced.swap;
    const candle = new OpenCandle({ scope, openTimeMs, isPool, baseDecimals }, this.undo);
    if (candles === undefined) {
      this.undo.map(this.scopes, scope);
      this.scopes.set(scope, [candle]);
    } else {
      this.undo.keep(candles);
      candles.push(candle);
    }
    this.undo.push(this.running);
    this.running.push(candle);
    this.undo.keep(this.total);
    this.total.candles++;
    return candle;
  }

  private candleAt(scope: Address, timeMs: number): OpenCandle | undefined {
    const openTimeMs = bucketStart(timeMs, BASE_CANDLE_MS);
    return this.scopes.get(scope)?.find((candle) => candle.openTimeMs === openTimeMs);
  }

  private commit(candle: OpenCandle | undefined): void {
    if (candle === undefined) return;
    candle.commit();
    this.finish(candle);
  }

  private reprice(candle: OpenCandle | undefined): void {
    if (candle?.reprice()) this.changed.add(candle);
  }

  private endUntil(timeMs: number): void {
    const ended = this.running.findIndex((candle) => candle.endTimeMs > timeMs);
    const count = ended < 0 ? this.running.length : ended;
    if (count === 0) return;
    this.undo.head(this.running, count);
    const past = this.running.splice(0, count);
    for (const candle of past) {
      candle.end();
      this.finish(candle);
    }
  }

  /** Removes a candle if it is final. */
  private finish(candle: OpenCandle): void {
    if (!candle.isFinal) return;
    const candles = this.scopes.get(candle.scope);
    const at = candles?.indexOf(candle) ?? -1;
    if (candles === undefined || at < 0) return;
    this.undo.keep(candles);
    candles.splice(at, 1);
    if (candles.length === 0) {
      this.undo.map(this.scopes, candle.scope);
      this.scopes.delete(candle.scope);
    }
    this.undo.keep(this.total);
    this.total.candles--;
    this.changed.add(candle);
  }
}
