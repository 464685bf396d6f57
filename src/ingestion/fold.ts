import type { Engine } from '../engine/engine.ts';
import type { SlotChanges } from '../model/derived.ts';
import { ChainError } from '../model/errors.ts';
import type { SlotFacts } from '../model/slot-facts.ts';
import type { SlotMark } from '../model/slot-range.ts';
import type { Slot } from '../model/units.ts';
import type { FoldListener } from './fold-listener.ts';
import { type ChainEnd, marksOfNewest } from './slot-marks.ts';

/** Slots that are not final and can be held; a chain that leaves more open is not followed. */
export const TAIL_SLOTS_MAX = 512;

/** A batch is worth a write when it holds this many slots or transactions. */
const BATCH_SLOTS_MAX = 500;
const BATCH_TRANSACTIONS_MAX = 10_000;

/** A slot that was folded and that the store does not hold yet. */
export interface FoldedSlot {
  readonly facts: SlotFacts;
  readonly changes: SlotChanges;
  readonly marks: readonly SlotMark[];
  /** The log holds it; only what the fold made of it is missing. */
  readonly isLogged: boolean;
}

/** What the store gets in one write. */
export interface FoldBatch {
  readonly slots: readonly SlotFacts[];
  readonly changes: readonly SlotChanges[];
  readonly marks: readonly SlotMark[];
}

/**
 * One fold of the log: its engine, and the slots that the store does not hold yet, oldest first:
 * those being written, those that are final and wait for it, and the tail, which may be taken back.
 */
export class Fold {
  readonly engine: Engine;
  /** Number under which the store keeps what this fold makes. */
  readonly epoch: number;
  /** Of the fold that answers. */
  listener: FoldListener | null = null;
  private readonly nowMs: () => number;
  private writing: FoldedSlot[] = [];
  private ready: FoldedSlot[] = [];
  private readonly tail: FoldedSlot[] = [];
  private readyTransactions = 0;
  private lastFinal: ChainEnd | null;
  private saidFinal = -1;

  /** `end`: the last slot that the engine has folded already. */
  constructor(engine: Engine, epoch: number, nowMs: () => number, end: ChainEnd | null = null) {
    this.engine = engine;
    this.epoch = epoch;
    this.nowMs = nowMs;
    this.lastFinal = end;
  }

  /** The newest slot folded; null before the first. */
  get end(): ChainEnd | null {
    const newest = this.tail.at(-1);
    return newest === undefined ? this.lastFinal : endOf(newest);
  }

  /** The newest slot folded that is final. */
  get finalEnd(): ChainEnd | null {
    return this.lastFinal;
  }

  /** Up to here nothing is taken back: there may be no block at this slot. -1 before any. */
  get finalSlot(): number {
    return Math.max(this.saidFinal, this.lastFinal?.slot ?? -1);
  }

  get tailSlots(): readonly FoldedSlot[] {
    return this.tail;
  }

  /** Every slot that the store does not hold yet, oldest first. */
  get unwritten(): readonly FoldedSlot[] {
    return [...this.writing, ...this.ready, ...this.tail];
  }

  get isFull(): boolean {
    return this.ready.length >= BATCH_SLOTS_MAX || this.readyTransactions >= BATCH_TRANSACTIONS_MAX;
  }

  /** Folds a slot of which the store holds everything, and says what it tells of the slots. */
  addWritten(facts: SlotFacts): readonly SlotMark[] {
    const folded = this.fold(facts, true, true);
    this.lastFinal = endOf(folded);
    return folded.marks;
  }

  /** Folds a slot that stays. `isLogged`: the log holds it already. */
  addFinal(facts: SlotFacts, isLogged: boolean): void {
    this.wait(this.fold(facts, true, isLogged));
  }

  /** Folds a slot that may be taken back. Throws ChainError when too many such slots are held. */
  addTail(facts: SlotFacts): FoldedSlot {
    const [oldest] = this.tail;
    if (oldest !== undefined && this.tail.length >= TAIL_SLOTS_MAX) {
      throw new ChainError(
        `${TAIL_SLOTS_MAX} slots from ${oldest.facts.slot} on are not final and no more can be ` +
          'held: the source has not said for so long what stays.',
      );
    }
    const folded = this.fold(facts, false, false);
    this.tail.push(folded);
    return folded;
  }

  /** Takes the newest slot of the tail back and returns it; null when the tail is empty. */
  takeBack(): FoldedSlot | null {
    const newest = this.tail.pop();
    if (newest === undefined) return null;
    this.engine.undo();
    this.listener?.onReverted(newest.changes);
    return newest;
  }

  /** Everything up to `slot` stays, and waits to be written. */
  finalise(slot: Slot): void {
    this.saidFinal = Math.max(this.saidFinal, slot);
    const newer = this.tail.findIndex(({ facts }) => facts.slot > slot);
    const final = this.tail.splice(0, newer < 0 ? this.tail.length : newer);
    if (final.length === 0) return;
    this.engine.forget(slot);
    for (const folded of final) this.wait(folded);
  }

  /** What is worth a write now. It counts as unwritten until `written` is called. */
  take(): FoldBatch {
    this.writing = this.ready;
    this.ready = [];
    this.readyTransactions = 0;
    return {
      slots: this.writing.filter(({ isLogged }) => !isLogged).map(({ facts }) => facts),
      changes: this.writing.map(({ changes }) => changes),
      marks: this.writing.flatMap(({ marks }) => marks),
    };
  }

  /** The store holds what was taken. */
  written(): void {
    this.writing = [];
  }

  private wait(folded: FoldedSlot): void {
    this.ready.push(folded);
    this.readyTransactions += folded.facts.transactions.length;
    this.lastFinal = endOf(folded);
    this.listener?.onFinalised?.(folded.facts, folded.changes.timeMs);
  }

  private fold(facts: SlotFacts, isFinal: boolean, isLogged: boolean): FoldedSlot {
    const previous = this.end;
    const changes = this.engine.apply(facts, { isFinal });
    this.listener?.onApplied(changes);
    const { timeMs } = changes;
    const marks = marksOfNewest(facts, { previous, timeMs, nowMs: this.nowMs() });
    return { facts, changes, marks, isLogged };
  }
}

function endOf({ facts, changes }: FoldedSlot): ChainEnd {
  return { slot: facts.slot, blockhash: facts.blockhash, timeMs: changes.timeMs };
}
