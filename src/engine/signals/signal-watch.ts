import type { AddressIds } from '../../lib/address-ids.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import type { Outcome, Signal } from '../../model/signal.ts';
import type { Address } from '../../model/units.ts';
import type { PoolDepth } from '../../signals/execution/fill.ts';
import type { SignalTrade } from '../../signals/features/minute-bar.ts';
import type { MinuteEnd, MinuteFacts, SignalModel } from '../../signals/features/signal-model.ts';
import { OutcomeBook, type PriceTick } from '../../signals/outcomes.ts';
import { SignalBook } from '../../signals/signal-book.ts';

/** Signals and outcomes of a slot. */
export interface SignalUpdates {
  /** In order of number. */
  readonly signals: readonly Signal[];
  /** Changed outcomes in order of change; of several with one number the last is valid. */
  readonly outcomes: readonly Outcome[];
}

/** A pool traded in the ended minute. */
export interface ReadMinute {
  readonly facts: MinuteFacts;
  /** Null when the depth of the pool is unknown. */
  readonly depth: PoolDepth | null;
}

export interface SignalWatchOptions {
  readonly undo: UndoLog;
  readonly ids: AddressIds<Address>;
  readonly models: readonly SignalModel[];
}

/** Collects the inputs of models, evaluates models at the end of each minute, follows signals. */
export class SignalWatch {
  private readonly signals: SignalBook;
  private readonly outcomes: OutcomeBook;

  constructor({ undo, ids, models }: SignalWatchOptions) {
    this.signals = new SignalBook(undo, models, ids);
    this.outcomes = new OutcomeBook(undo, ids);
  }

  /**
   * Ends a minute. `pools` are the pools traded in it, in their order. `end` is the first slot
   * after it; nothing of that slot may be applied to any book yet.
   */
  endMinute(
    minuteMs: number,
    end: MinuteEnd,
    pools: ReadonlyMap<Address, ReadMinute>,
  ): SignalUpdates {
    const outcomes = this.outcomes.endMinute(end.slot, end.timeMs);
    const factsOf = (pool: Address) => pools.get(pool)?.facts ?? null;
    const signals = this.signals.endMinute(minuteMs, end, [...pools.keys()], factsOf);
    for (const signal of signals) {
      outcomes.push(this.outcomes.follow(signal, pools.get(signal.pool)?.depth ?? null));
    }
    return { signals, outcomes };
  }

  /** Applies a trade at the end of its slot. */
  noteTrade(trade: SignalTrade): void {
    this.signals.note(trade);
  }

  /** Applies a price at the end of its slot. Returns the outcomes that changed. */
  notePrice(tick: PriceTick): Outcome[] {
    return this.outcomes.note(tick);
  }

  /** Whether a followed signal depends on prices of a mint. */
  isFollowing(mint: Address): boolean {
    return this.outcomes.isFollowing(mint);
  }

  /** Outcomes that can still change. */
  openOutcomes(): Iterable<Outcome> {
    return this.outcomes.outcomes();
  }

  /** Number of signals whose outcome can still change. */
  get openCount(): number {
    return this.outcomes.size;
  }

  /** Number of pools with stored minutes. */
  get poolCount(): number {
    return this.signals.poolCount;
  }
}
