import type { AddressIds } from '../../lib/address-ids.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import type { RuleHit } from '../../model/rule-hit.ts';
import { type Outcome, ruleModelName, type Signal } from '../../model/signal.ts';
import type { Address } from '../../model/units.ts';
import type { Judgement } from '../../rules/judge.ts';
import type { PoolDepth } from '../../signals/execution/fill.ts';
import type { SignalTrade } from '../../signals/features/minute-bar.ts';
import type { MinuteEnd, MinuteFacts, SignalModel } from '../../signals/features/signal-model.ts';
import { OutcomeBook, type PriceTick } from '../../signals/outcomes.ts';
import { type AskOthers, SignalBook, type SignalSource } from '../../signals/signal-book.ts';
import type { ActiveRule } from '../rules/active-rule.ts';
import type { RuleWatch } from '../rules/rule-watch.ts';

/** Signals and outcomes of a slot. */
export interface SignalUpdates {
  /** In order of number. */
  readonly signals: readonly Signal[];
  /** Changed outcomes in order of change; of several with one number the last is valid. */
  readonly outcomes: readonly Outcome[];
  /** Rules that passed, in order of number. */
  readonly ruleHits: readonly RuleHit[];
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
  /** Judged after the models. */
  readonly rules: RuleWatch;
}

/** Collects the inputs of models, evaluates models at the end of each minute, follows signals. */
export class SignalWatch {
  private readonly signals: SignalBook;
  private readonly outcomes: OutcomeBook;
  private readonly rules: RuleWatch;

  constructor({ undo, ids, models, rules }: SignalWatchOptions) {
    this.rules = rules;
    this.signals = new SignalBook(undo, models, ids);
    this.outcomes = new OutcomeBook(undo, ids);
  }

  /**
   * Ends a minute. `pools` are the pools traded in it, in their order. `end` is the first slot
   * after it; nothing of that slot may be applied to any book yet. `onPause` is called before each pool.
   */
  endMinute(
    minuteMs: number,
    end: MinuteEnd,
    pools: ReadonlyMap<Address, ReadMinute>,
    onPause: () => void,
  ): SignalUpdates {
    const outcomes = this.outcomes.endMinute(end.slot, end.timeMs);
    const factsOf = (pool: Address) => {
      onPause();
      return pools.get(pool)?.facts ?? null;
    };
    const ruleHits: RuleHit[] = [];
    const askRules: AskOthers = (reading, give) => {
      const giveSignal = (active: ActiveRule, judgement: Judgement) =>
        give(toSource(active, judgement));
      ruleHits.push(...this.rules.judge(reading, end, giveSignal));
    };
    const others = this.rules.isEmpty ? undefined : askRules;
    const signals = this.signals.endMinute(minuteMs, end, [...pools.keys()], factsOf, others);
    this.rules.dropExpired(end.timeMs);
    for (const signal of signals) {
      outcomes.push(this.outcomes.follow(signal, pools.get(signal.pool)?.depth ?? null));
    }
    return { signals, outcomes, ruleHits };
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

/** A rule has no ranges: its conditions are its text, and its features those that it shows. */
function toSource({ author, rule }: ActiveRule, { evidence }: Judgement): SignalSource {
  const { name, version } = rule.file;
  const figures = evidence.map(({ name: feature, value }) => [
    feature,
    typeof value === 'number' ? value : null,
  ]);
  return {
    model: ruleModelName(author, name),
    version,
    parametersHash: rule.hash,
    features: Object.fromEntries(figures),
    passed: [],
  };
}
