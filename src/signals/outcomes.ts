import { toBigintJson } from '../lib/bigint-json.ts';
import { mulDiv } from '../lib/decimal.ts';
import type { UndoLog } from '../lib/undo-log.ts';
import { CONTROL_MODEL, type Outcome, PERCENT_SCALE, type Signal } from '../model/signal.ts';
import type { Address, PriceE18, Slot } from '../model/units.ts';
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

/** The robust price of a mint as a slot left it, and the pool it is that of. */
export interface PriceTick {
  readonly mint: Address;
  readonly slot: Slot;
  readonly timeMs: number;
  readonly priceUsd: PriceE18;
  /** Of the pool's last swap. */
  readonly lastSwapMs: number;
  /** Null where the pool's reserves are unknown: then nobody knows what could be realised. */
  readonly depth: PoolDepth | null;
}

/** Nobody can act on a signal within its slot, nor in the next one. */
const FIRST_SLOT_AFTER = 2;
const HORIZON_MS = 30 * 86_400_000;
/** Of the control only what can be realised is asked, which is known after a day. */
const CONTROL_HORIZON_MS = 25 * 3_600_000;
const DEAD_MS = 72 * 3_600_000;
const SWEEP_MS = 3_600_000;
const HUNDRED_PERCENT_E9 = 100n * 10n ** BigInt(PERCENT_SCALE);

/** What of a signal its outcome depends on. */
export type FollowedSignal = Pick<
  Signal,
  'rowId' | 'model' | 'mint' | 'slot' | 'createdAtMs' | 'priceUsd' | 'supplyRaw' | 'decimals'
>;

/** A signal whose outcome can still change. */
export interface OpenSignal {
  readonly signal: FollowedSignal;
  /** Null before the first price that somebody could have had. */
  highPriceUsd: bigint | null;
  /** Lowest price before the high. */
  lowPriceUsd: bigint;
  /** Lowest price so far. */
  lowSinceUsd: bigint;
  /** Highest price so far, the signal's own included, and the lowest since. */
  peakUsd: bigint;
  troughUsd: bigint;
  /** Deepest fall from a peak so far, and before the high. */
  fallE9: bigint;
  peakDrawdownE9: bigint;
  lastSwapMs: number;
  slot: Slot;
  isFinal: boolean;
  /** Null where the pool's reserves were unknown at the signal. */
  readonly position: Position | null;
}

/**
 * What becomes of signals (METHODS §6.2): the highest price after each, the lowest before that, and
 * what could have been realised. One look per price and open signal; final after 30 days, or when the
 * token was not traded for 72 hours.
 */
export class OutcomeBook {
  private readonly undo: UndoLog;
  /** By mint, signals in the order they were given. */
  private readonly open = new Map<Address, OpenSignal[]>();
  /** Signals with positions that are not closed, by number. */
  private readonly trading = new Map<number, OpenSignal>();
  private readonly progress = { sweptMs: 0 };

  constructor(undo: UndoLog) {
    this.undo = undo;
  }

  /** Follows a signal from now on; `depth` is the pool as the minute left it. */
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

  /** Takes a price; at most one of a mint and slot. Returns the outcomes that changed. */
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

  /** Says what time alone changed. To be called once a minute, with the first slot after it. */
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

  /** Whether the outcome of a signal of a mint can still change. */
  isFollowing(mint: Address): boolean {
    return this.open.has(mint);
  }

  /** Of a signal that is not final. */
  outcome(mint: Address, rowId: number): Outcome | null {
    const open = this.open.get(mint)?.find(({ signal }) => signal.rowId === rowId);
    return open === undefined ? null : toOutcome(open);
  }

  /** Signals that are followed. */
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

  /** By time alone, so that when somebody looks makes no difference. */
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
    highPriceUsd: highPriceUsd as PriceE18,
    lowPriceUsd: lowPriceUsd as PriceE18,
    athMarketCapUsd: marketCapUsd(highPriceUsd as PriceE18, supplyRaw, decimals),
    maxDrawdownMarketCapUsd: marketCapUsd(lowPriceUsd as PriceE18, supplyRaw, decimals),
    roiE9: percentE9(highPriceUsd - priceUsd, priceUsd),
    maxDrawdownE9: drawdownE9 > 0n ? drawdownE9 : 0n,
    peakDrawdownE9,
    isFinal,
    slot,
    execution: position === null ? NOT_EXECUTED : executionOf(position),
  };
}

/** A part of a whole in percent with nine decimals, rounded half up. */
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
