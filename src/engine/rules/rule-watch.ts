import type { AddressIds } from '../../lib/address-ids.ts';
import { StateValue } from '../../lib/state-value.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import type { PublishedRule, RuleChange } from '../../model/rule-change.ts';
import type { RuleHit } from '../../model/rule-hit.ts';
import type { Signal } from '../../model/signal.ts';
import type { Address } from '../../model/units.ts';
import { LazyFeatures } from '../../rules/features/read-features.ts';
import { type Judgement, passedWith } from '../../rules/judge.ts';
import { advanceSequence } from '../../rules/sequence.ts';
import type { MinuteEnd, ModelReading } from '../../signals/features/signal-model.ts';
import { cheapVetoOf, clusterVetoOf } from '../../signals/vetoes.ts';
import type { ActiveRule } from './active-rule.ts';
import { CaseRules } from './case-rules.ts';
import { hitDraft } from './hit-draft.ts';
import { HitTimes } from './hit-times.ts';
import { PairTimes } from './pair-times.ts';
import { RuleSet } from './rule-set.ts';

const HOUR_MS = 3_600_000;

/** Makes the signal of a rule that passed; null if its outcome could not be followed. */
export type GiveSignal = (active: ActiveRule, judgement: Judgement) => Signal | null;

interface Passing {
  readonly active: ActiveRule;
  readonly values: LazyFeatures<'pool_minute'>;
  readonly reading: ModelReading;
  readonly end: MinuteEnd;
  readonly give: GiveSignal;
}

interface JudgedPool extends Pick<Passing, 'values' | 'reading'> {
  /** Null until a sequence needs it; -1 for a pool without one, which is in the middle of none. */
  id: number | null;
}

/**
 * The published rules, judged at the end of each minute for the pools traded in it, and those of
 * cases where a case is judged.
 */
export class RuleWatch {
  readonly cases: CaseRules;
  private readonly undo: UndoLog;
  private readonly ids: AddressIds<Address>;
  private readonly set: RuleSet;
  /** Shared with installed detectors: hits of both have one numbering. */
  readonly times: HitTimes;
  /** By rule and pool. */
  private readonly sequences: PairTimes;
  private readonly progress: StateValue<{ sweptHourMs: number }>;

  constructor(undo: UndoLog, ids: AddressIds<Address>) {
    this.undo = undo;
    this.ids = ids;
    this.set = new RuleSet(undo);
    this.times = new HitTimes(undo, ids);
    this.sequences = new PairTimes(undo, 'rule sequences');
    this.progress = new StateValue({ sweptHourMs: 0 }, undo, 'rule sweeps');
    this.cases = new CaseRules(this.set, this.times);
  }

  /** Applies changes of a slot: they count from the next minute that ends after it. */
  apply(changes: readonly RuleChange[]): void {
    for (const change of changes) {
      const number = this.set.apply(change);
      if (number === null) continue;
      // What another rule, or another version, began has no meaning for this one.
      this.times.dropBefore(number, Number.POSITIVE_INFINITY);
      this.sequences.dropBefore(number, Number.POSITIVE_INFINITY);
    }
  }

  published(): readonly PublishedRule[] {
    return this.set.published();
  }

  /** True if no rule needs to be judged. */
  get isEmpty(): boolean {
    return this.set.size === 0;
  }

  /** Hits for one pool, in order of rule. */
  judge(reading: ModelReading, end: MinuteEnd, give: GiveSignal): RuleHit[] {
    const values = new LazyFeatures('pool_minute', reading);
    const { facts } = reading;
    let canSignal: boolean | null = null;
    const judged: JudgedPool = { values, reading, id: null };
    const hits: RuleHit[] = [];
    const gates = this.set.gates();
    for (const at of gates.candidates(values)) {
      const active = gates.rules[at];
      if (active === undefined) continue;
      if (active.rule.file.kind === 'signal') {
        canSignal ??= facts.token.primaryPool === facts.pool.pool && cheapVetoOf(facts) === null;
        if (!canSignal) continue;
      }
      if (!this.isPassed(active, judged)) continue;
      const hit = this.hitOf({ active, values, reading, end, give });
      if (hit !== null) hits.push(hit);
    }
    return hits;
  }

  /** Drops what has ended, once an hour. */
  dropExpired(nowMs: number): void {
    const { now } = this.progress;
    const hourMs = nowMs - (nowMs % HOUR_MS);
    if (hourMs === now.sweptHourMs || this.isEmpty) return;
    this.undo.keep(now);
    now.sweptHourMs = hourMs;
    for (const { number } of this.set.list()) {
      this.times.dropBefore(number, nowMs);
      this.sequences.dropBefore(number, nowMs - HOUR_MS);
    }
  }

  private isPassed({ number, rule }: ActiveRule, judged: JudgedPool): boolean {
    const { values, reading } = judged;
    if (rule.sequence.length === 0) return rule.when.evaluate(values) === true;
    const { pool } = reading.facts.pool;
    judged.id ??= this.ids.find(pool);
    const before = this.sequences.get(number, judged.id);
    const { passed, state } = advanceSequence(rule, before, values, reading.window.minuteMs);
    if (state !== null) {
      if (state !== before) this.sequences.set(number, this.ids.idOf(pool), state);
    } else if (before !== null) this.sequences.delete(number, judged.id);
    return passed;
  }

  private hitOf({ active, values, reading, end, give }: Passing): RuleHit | null {
    const { facts } = reading;
    const { mint } = facts.token;
    if (this.times.isCooling(active, mint, end.timeMs)) return null;
    const isSignal = active.rule.file.kind === 'signal';
    if (isSignal && clusterVetoOf(facts) !== null) return null;
    const judgement = passedWith(active.rule, values);
    const signal = isSignal ? give(active, judgement) : null;
    if (isSignal && signal === null) return null;
    return {
      rowId: this.times.add(active, mint, end.timeMs),
      ...hitDraft(active, judgement),
      mint,
      pool: facts.pool.pool,
      slot: end.slot,
      createdAtMs: end.timeMs,
      asOfSlot: facts.indicators.slot,
      priceUsd: facts.pool.priceUsd,
      signalRowId: signal?.rowId ?? null,
      wallets: [],
      signatures: [],
      links: [],
    };
  }
}
