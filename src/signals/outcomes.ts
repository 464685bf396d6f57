import { AddressIds } from '../lib/address-ids.ts';
import { ObjectMap } from '../lib/object-map.ts';
import { StateValue } from '../lib/state-value.ts';
import type { UndoLog } from '../lib/undo-log.ts';
import { CONTROL_MODEL, type Outcome, type Signal } from '../model/signal.ts';
import type { Address, PriceE18, Slot } from '../model/units.ts';
import type { PoolDepth } from './execution/fill.ts';
import {
  advancePosition,
  isClosed,
  notePosition,
  openPosition,
  wakeMs,
} from './execution/position.ts';
import { startOf } from './features/feature-windows.ts';
import { FollowedRows } from './followed-rows.ts';
import { applyPrice, OPEN_SIGNAL, type OpenSignal, openSignal, toOutcome } from './open-signal.ts';

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

/**
 * The outcomes of signals (METHODS §6.2): the highest price after each, the lowest before that, and
 * the realisable returns. Costs one update per price and open signal; an outcome is final after 30
 * days, or when the token was not traded for 72 hours.
 */
export class OutcomeBook {
  private readonly undo: UndoLog;
  private readonly rows: FollowedRows;
  /** By row. */
  private readonly signals: ObjectMap<OpenSignal>;
  private readonly progress: StateValue<{ sweptMs: number }>;

  constructor(undo: UndoLog, ids = new AddressIds<Address>(undo)) {
    this.undo = undo;
    this.rows = new FollowedRows(undo, ids);
    this.signals = new ObjectMap(OPEN_SIGNAL, undo, 'open signals');
    this.progress = new StateValue({ sweptMs: 0 }, undo, 'open signals swept');
  }

  /** Starts to follow a signal; `depth` is the pool at the end of the minute. */
  follow(signal: Signal, depth: PoolDepth | null): Outcome {
    const { rowId, model, mint, slot, createdAtMs, priceUsd, supplyRaw, decimals } = signal;
    const followed = { rowId, model, mint, slot, createdAtMs, priceUsd, supplyRaw, decimals };
    const position = depth === null ? null : openPosition(createdAtMs, depth);
    const open = openSignal(followed, position);
    const horizonMs = createdAtMs + (model === CONTROL_MODEL ? CONTROL_HORIZON_MS : HORIZON_MS);
    const row = this.rows.add(mint, { horizonMs, lastSwapMs: createdAtMs });
    this.signals.set(row, open);
    if (position !== null) this.rows.setWake(row, wakeMs(position));
    return toOutcome(open);
  }

  /** Applies a price, at most one per mint and slot. Returns the outcomes that changed. */
  note(tick: PriceTick): Outcome[] {
    const changed: Outcome[] = [];
    for (const row of this.rows.of(tick.mint)) {
      const open = this.get(row);
      if (tick.slot < open.signal.slot + FIRST_SLOT_AFTER) continue;
      const isOver = this.finishIfOver(row, tick.timeMs);
      if (!isOver && !this.notePrice(row, tick)) continue;
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
    for (const row of this.rows.wakeBefore(timeMs)) {
      const open = this.changing(row);
      if (this.advance(row, open, timeMs)) changed.add(open);
    }
    const progress = this.progress.now;
    if (startOf(timeMs, SWEEP_MS) !== progress.sweptMs) {
      this.undo.keep(progress);
      progress.sweptMs = startOf(timeMs, SWEEP_MS);
      for (const row of this.rows.all()) {
        if (timeMs < this.rows.endMs(row, DEAD_MS)) continue;
        const open = this.get(row);
        if (this.finishIfOver(row, timeMs)) changed.add(open);
      }
    }
    for (const open of changed) open.slot = slot;
    return [...changed].map(toOutcome).sort((one, other) => one.rowId - other.rowId);
  }

  /** Whether a signal of the mint is still being followed. */
  isFollowing(mint: Address): boolean {
    return this.rows.has(mint);
  }

  /** The outcome of a signal that is not final. */
  outcome(mint: Address, rowId: number): Outcome | null {
    const signals = this.rows.of(mint).map((row) => this.get(row));
    const open = signals.find(({ signal }) => signal.rowId === rowId);
    return open === undefined ? null : toOutcome(open);
  }

  /** The outcomes of all signals that are not final. */
  *outcomes(): Iterable<Outcome> {
    for (const row of this.rows.all()) yield toOutcome(this.get(row));
  }

  /** Number of signals being followed. */
  get size(): number {
    return this.rows.size;
  }

  private get(row: number): OpenSignal {
    return this.signals.get(row) as OpenSignal;
  }

  private changing(row: number): OpenSignal {
    const open = this.signals.changing(row);
    this.undo.keep(open);
    return open;
  }

  private notePrice(row: number, { priceUsd, depth, lastSwapMs }: PriceTick): boolean {
    const open = this.changing(row);
    const { position } = open;
    let isChanged = false;
    if (position !== null && depth !== null && this.rows.isTrading(row)) {
      isChanged = notePosition(position, depth, this.undo);
      this.rows.setWake(row, wakeMs(position));
    }
    this.rows.noteSwap(row, lastSwapMs);
    return applyPrice(open, priceUsd) || isChanged;
  }

  /** Executes what was due before `nowMs`; the signal must be about to change. */
  private advance(row: number, { position }: OpenSignal, nowMs: number): boolean {
    if (position === null) return false;
    const isChanged = advancePosition(position, nowMs, this.undo);
    if (!this.rows.isTrading(row)) return isChanged;
    this.rows.setWake(row, isClosed(position, nowMs) ? null : wakeMs(position));
    return isChanged;
  }

  /** Depends on time only, not on when it is called. */
  private finishIfOver(row: number, nowMs: number): boolean {
    if (nowMs < this.rows.endMs(row, DEAD_MS)) return false;
    const open = this.changing(row);
    this.advance(row, open, nowMs);
    this.rows.setWake(row, null);
    open.isFinal = true;
    this.signals.delete(row);
    this.rows.remove(open.signal.mint, row);
    return true;
  }
}
