import type { UndoLog } from '../../lib/undo-log.ts';
import type { Outcome, Signal } from '../../model/signal.ts';
import type { Address } from '../../model/units.ts';
import type { PoolDepth } from '../../signals/execution/fill.ts';
import type { SignalTrade } from '../../signals/features/minute-bar.ts';
import type { MinuteEnd, MinuteFacts, SignalModel } from '../../signals/features/signal-model.ts';
import { OutcomeBook, type PriceTick } from '../../signals/outcomes.ts';
import { SignalBook } from '../../signals/signal-book.ts';

/** What signals tell of a slot. */
export interface SignalUpdates {
  /** In order of number. */
  readonly signals: readonly Signal[];
  /** Those that changed, in the order in which they did: the last one of a number counts. */
  readonly outcomes: readonly Outcome[];
}

/** A pool that was traded in the minute that ended. */
export interface ReadMinute {
  readonly facts: MinuteFacts;
  /** Null where nobody knows what could be realised. */
  readonly depth: PoolDepth | null;
}

/** Keeps what models look at, has them look when a minute is over, and follows what they said. */
export class SignalWatch {
  private readonly signals: SignalBook;
  private readonly outcomes: OutcomeBook;

  constructor(undo: UndoLog, models: readonly SignalModel[]) {
    this.signals = new SignalBook(undo, models);
    this.outcomes = new OutcomeBook(undo);
  }

  /**
   * A minute is over. `pools` are those that were traded in it, in their order; `end` is the first
   * slot after it, of which nothing may be in any book yet.
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

  /** Takes a trade at the end of its slot. */
  noteTrade(trade: SignalTrade): void {
    this.signals.note(trade);
  }

  /** Takes a price as a slot left it. Returns the outcomes that it changed. */
  notePrice(tick: PriceTick): Outcome[] {
    return this.outcomes.note(tick);
  }

  /** Whether prices of a mint matter to anything that was said. */
  isFollowing(mint: Address): boolean {
    return this.outcomes.isFollowing(mint);
  }

  /** Signals whose outcome can still change. */
  get openCount(): number {
    return this.outcomes.size;
  }

  /** Pools of which minutes are held. */
  get poolCount(): number {
    return this.signals.poolCount;
  }

  *digestRows(): Iterable<string> {
    yield* this.signals.digestRows();
    yield* this.outcomes.digestRows();
  }
}
