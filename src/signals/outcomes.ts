import { toBigintJson } from '../lib/bigint-json.ts';
import { mulDiv } from '../lib/decimal.ts';
import type { UndoLog } from '../lib/undo-log.ts';
import { CONTROL_MODEL, type Outcome, PERCENT_SCALE, type Signal } from '../model/signal.ts';
import { type Address, asPriceE18, type PriceE18, type Slot } from '../model/units.ts';
import type { PoolDepth } from './execution/fill.ts';
import {
  advancePosition,
  executionOf,
  isClosed,
  notePosition,
  openPosition,
  type Position,
} from './execution/position.ts';
import { startOf } from './features/feature-windows.ts';
import { marketCapUsd } from './features/market-cap.ts';

/** The robust price of a mint at the end of a slot, and the depth of its pool. */
export interface PriceTick {
  readonly mint: Address;
  readonly slot: Slot;
  readonly timeMs: number;
  readonly priceUsd: PriceE18;
  /** Time of the pool's last swap. */
  readonly lastSwapMs: number;
  /** Null if the pool's reserves are unknown: realisable returns are then unknown too. */
  readonly depth: PoolDepth | null;
}

/** The earliest possible reaction: not in the signal's slot, nor in the next one. */
const FIRST_SLOT_AFTER = 2;
const HORIZON_MS = 30 * 86_400_000;
/** For the control only realisable returns matter, which are known after a day. */
const CONTROL_HORIZON_MS = 25 * 3_600_000;
const DEAD_MS = 72 * 3_600_000;
const SWEEP_MS = 3_600_000;
const HUNDRED_PERCENT_E9 = 100n * 10n ** BigInt(PERCENT_SCALE);

/** The fields of a signal on which its outcome depends. */
export type FollowedSignal = Pick<
  Signal,
  'rowId' | 'model' | 'mint' | 'slot' | 'createdAtMs' | 'priceUsd' | 'supplyRaw' | 'decimals'
>;

/** A signal whose outcome can still change. */
export interface OpenSignal {
  readonly signal: FollowedSignal;
  /** Null before the first price at which a trade was possible. */
  highPriceUsd: bigint | null;
  /** Lowest price before the high. */
  lowPriceUsd: bigint;
  /** Lowest price so far. */
  lowSinceUsd: bigint;
  /** Highest price so far, including the signal's own, and the lowest since. */
  peakUsd: bigint;
  troughUsd: bigint;
  /** Largest drawdown from a peak so far, and before the high. */
  fallE9: bigint;
  peakDrawdownE9: bigint;
  lastSwapMs: number;
  slot: Slot;
  isFinal: boolean;
  /** Null if the pool's reserves were unknown at the signal. */
  readonly position: Position | null;
}

/**
 * The outcomes of signals (METHODS §6.2): the highest price after each, the lowest before that, and
 * the realisable returns. Costs one update per price and open signal; an outcome is final after 30
 * days, or when the token was not traded for 72 hours.
 */
export class OutcomeBook {
  private readonly undo: UndoLog;
  /** By mint; signals in order of creation. */
  private readonly open = new Map<Address, OpenSignal[]>();
  /** Signals with open positions, by number. */
  private readonly trading = new Map<number, OpenSignal>();
  private readonly progress = { sweptMs: 0 };

  constructor(undo: UndoLog) {
    this.undo = undo;
  }

  /** Starts to follow a signal; `depth` is the pool at the end of the minute. */
  follow(signal: Signal, depth: PoolDepth | null): Outcome {
    const { rowId, model, mint, slot, createdAtMs, priceUsd, supplyRaw, decimals } = signal;
    const open: OpenSignal = {
      signal: { rowId, model, mint, slot, createdAtMs, priceUsd, supplyRaw, decimals },
      highPriceUsd: null,
      lowPriceUsd: priceUsd,
      lowSinceUsd: priceUsd,
      peakUsd: priceUsd,
      troughUsd: priceUsd,
      fallE9: 0n,
      peakDrawdownE9: 0n,
      lastSwapMs: createdAtMs,
      slot,
      isFinal: false,
      position: depth === null ? null : openPosition(createdAtMs, depth),
    };
    const others = this.open.get(mint);
    if (others === undefined) {
      this.undo.map(this.open, mint);
      this.open.set(mint, [open]);
    } else {
      this.undo.push(others);
      others.push(open);
    }
    if (open.position !== null) {
      this.undo.map(this.trading, rowId);
      this.trading.set(rowId, open);
    }
    return toOutcome(open);
  }

  /** Applies a price, at most one per mint and slot. Returns the outcomes that changed. */
  note(tick: PriceTick): Outcome[] {
    const signals = this.open.get(tick.mint);
    if (signals === undefined) return [];
    const changed: Outcome[] = [];
    for (const open of [...signals]) {
      if (tick.slot < open.signal.slot + FIRST_SLOT_AFTER) continue;
      let isChanged = this.finishIfOver(open, tick);
      if (!open.isFinal) isChanged = this.notePrice(open, tick);
      if (!isChanged) continue;
      open.slot = tick.slot;
      changed.push(toOutcome(open));
    }
    return changed;
  }

  /**
   * Returns the outcomes that changed by the passage of time. To be called once a minute, with the
   * first slot after it.
   */
  endMinute(slot: Slot, timeMs: number): Outcome[] {
    const changed = new Set<OpenSignal>();
    for (const open of [...this.trading.values()]) {
      if (this.advance(open, timeMs)) changed.add(open);
    }
    if (startOf(timeMs, SWEEP_MS) !== this.progress.sweptMs) {
      this.undo.keep(this.progress);
      this.progress.sweptMs = startOf(timeMs, SWEEP_MS);
      for (const open of [...this.open.values()].flat()) {
        if (this.finishIfOver(open, { slot, timeMs })) changed.add(open);
      }
    }
    for (const open of changed) {
      this.undo.keep(open);
      open.slot = slot;
    }
    return [...changed].map(toOutcome).sort((one, other) => one.rowId - other.rowId);
  }

  /** Whether a signal of the mint is still being followed. */
  isFollowing(mint: Address): boolean {
    return this.open.has(mint);
  }

  /** The outcome of a signal that is not final. */
  outcome(mint: Address, rowId: number): Outcome | null {
    const open = this.open.get(mint)?.find(({ signal }) => signal.rowId === rowId);
    return open === undefined ? null : toOutcome(open);
  }

  /** The outcomes of all signals that are not final. */
  *outcomes(): Iterable<Outcome> {
    for (const signals of this.open.values()) yield* signals.map(toOutcome);
  }

  /** Number of signals being followed. */
  get size(): number {
    let size = 0;
    for (const signals of this.open.values()) size += signals.length;
    return size;
  }

  *digestRows(): Iterable<string> {
    yield `outcomes swept ${this.progress.sweptMs}`;
    for (const mint of [...this.open.keys()].sort()) {
      for (const open of this.open.get(mint) ?? []) yield `outcome ${toBigintJson(open)}`;
    }
    const trading = [...this.trading.keys()].sort((one, other) => one - other);
    yield `outcomes trading ${trading.join(' ')}`;
  }

  private notePrice(open: OpenSignal, { priceUsd, depth, lastSwapMs }: PriceTick): boolean {
    this.undo.keep(open);
    const { position } = open;
    let isChanged = false;
    if (position !== null && depth !== null && this.trading.has(open.signal.rowId)) {
      isChanged = notePosition(position, depth, this.undo);
    }
    open.lastSwapMs = Math.max(open.lastSwapMs, lastSwapMs);
    const isFirst = open.highPriceUsd === null;
    open.lowSinceUsd = isFirst || priceUsd < open.lowSinceUsd ? priceUsd : open.lowSinceUsd;
    noteFall(open, priceUsd);
    if (open.highPriceUsd !== null && priceUsd <= open.highPriceUsd) return isChanged;
    open.highPriceUsd = priceUsd;
    open.lowPriceUsd = open.lowSinceUsd;
    open.peakDrawdownE9 = open.fallE9;
    return true;
  }

  private advance(open: OpenSignal, nowMs: number): boolean {
    const { position, signal } = open;
    if (position === null) return false;
    const isChanged = advancePosition(position, nowMs, this.undo);
    if (isClosed(position, nowMs)) {
      this.undo.map(this.trading, signal.rowId);
      this.trading.delete(signal.rowId);
    }
    return isChanged;
  }

  /** Depends on time only, not on when it is called. */
  private finishIfOver(open: OpenSignal, now: { slot: Slot; timeMs: number }): boolean {
    const { createdAtMs, mint, model } = open.signal;
    const horizonMs = model === CONTROL_MODEL ? CONTROL_HORIZON_MS : HORIZON_MS;
    const endMs = Math.min(createdAtMs + horizonMs, open.lastSwapMs + DEAD_MS);
    if (now.timeMs < endMs) return false;
    this.advance(open, now.timeMs);
    this.undo.keep(open);
    open.isFinal = true;
    const rest = (this.open.get(mint) ?? []).filter((other) => other !== open);
    this.undo.map(this.open, mint);
    if (rest.length === 0) this.open.delete(mint);
    else this.open.set(mint, rest);
    return true;
  }
}

function noteFall(open: OpenSignal, priceUsd: bigint): void {
  if (priceUsd < open.troughUsd) {
    open.troughUsd = priceUsd;
    const fallE9 = -percentE9(priceUsd - open.peakUsd, open.peakUsd);
    if (fallE9 > open.fallE9) open.fallE9 = fallE9;
  }
  if (priceUsd <= open.peakUsd) return;
  open.peakUsd = priceUsd;
  open.troughUsd = priceUsd;
}

function toOutcome(open: OpenSignal): Outcome {
  const { signal, lowPriceUsd, peakDrawdownE9, isFinal, slot, position } = open;
  const { priceUsd, supplyRaw, decimals } = signal;
  const highPriceUsd = open.highPriceUsd ?? priceUsd;
  const drawdownE9 = -percentE9(lowPriceUsd - priceUsd, priceUsd);
  return {
    rowId: signal.rowId,
    highPriceUsd: asPriceE18(highPriceUsd),
    lowPriceUsd: asPriceE18(lowPriceUsd),
    athMarketCapUsd: marketCapUsd(asPriceE18(highPriceUsd), supplyRaw, decimals),
    maxDrawdownMarketCapUsd: marketCapUsd(asPriceE18(lowPriceUsd), supplyRaw, decimals),
    roiE9: percentE9(highPriceUsd - priceUsd, priceUsd),
    maxDrawdownE9: drawdownE9 > 0n ? drawdownE9 : 0n,
    peakDrawdownE9,
    isFinal,
    slot,
    execution: position === null ? NOT_EXECUTED : executionOf(position),
  };
}

/** `part` in percent of `whole`, with nine decimals, rounded half up. */
function percentE9(part: bigint, whole: bigint): bigint {
  return mulDiv(part, HUNDRED_PERCENT_E9, whole, 'half-up');
}

const NOT_EXECUTED: Outcome['execution'] = {
  enteredAtMs: null,
  returns: {
    hold_5m: null,
    hold_1h: null,
    hold_24h: null,
    take_profit_or_stop: null,
    trailing_stop: null,
  },
  roseBeforeFell: null,
};
