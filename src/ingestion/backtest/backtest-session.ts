import { lookAheadReport } from '../../backtest/proof/look-ahead.ts';
import { ProvenRecording } from '../../backtest/proof/proven-recording.ts';
import { TAPE_FEATURES, testedRule } from '../../backtest/recording/compiled-tested-rule.ts';
import { type JudgedTape, judgeTape } from '../../backtest/recording/judge-tape.ts';
import type { MinuteTape } from '../../backtest/recording/minute-tape.ts';
import { reportOf } from '../../backtest/report-of.ts';
import { Engine } from '../../engine/engine.ts';
import type { BacktestOptions, BacktestReport } from '../../model/backtest.ts';
import type { SlotFacts } from '../../model/slot-facts.ts';
import { compileRuleText } from '../../rules/compile-rule.ts';
import type { SignalModel } from '../../signals/features/signal-model.ts';
import type { LinkedState } from '../../store/checkpoints/state-folders.ts';
import { decodeSlotFacts } from '../../store/codecs/facts-codec.ts';
import { openEngineAt } from '../past/past-engines.ts';
import type { PastSettings } from '../past/past-messages.ts';
import type { AppliedStep, BacktestStep, JudgedStep } from './backtest-messages.ts';

type RecordStep = Extract<BacktestStep, { readonly kind: 'record' }>;

interface KeptTape {
  readonly key: string;
  readonly tape: MinuteTape;
}

interface Judged {
  readonly rules: readonly string[];
  readonly options: BacktestOptions;
  readonly judged: JudgedTape;
}

/** A pass over the log: what each slot is applied to. */
interface Pass {
  readonly engine: Engine;
  readonly apply: (facts: SlotFacts) => void;
}

/**
 * One backtest after another, step by step, in the thread of backtests. The last tape is kept, so
 * that another rule over the same range needs no second recording.
 */
export class BacktestSession {
  private readonly settings: PastSettings;
  private kept: KeptTape | null = null;
  private recording: { readonly key: string; readonly recorder: ProvenRecording } | null = null;
  private judged: Judged | null = null;
  private pass: Pass | null = null;

  constructor(settings: PastSettings) {
    this.settings = settings;
  }

  /** The answer to a step. Throws BacktestTooLarge, StoreError and DamagedStateError. */
  answer(step: BacktestStep): unknown {
    if (step.kind === 'record') return this.record(step);
    if (step.kind === 'apply') return this.apply(step.facts);
    if (step.kind === 'judge') return this.judge(step.rules, step.options);
    if (step.kind === 'report') return this.report(step.tries, step.isProved);
    this.release();
    return null;
  }

  private record({ linked, fromMs, untilMs, key }: RecordStep): boolean {
    this.release();
    if (this.kept?.key === key && this.kept.tape.endMs > untilMs) return true;
    // Two tapes need twice the memory.
    this.kept = null;
    const recorder = new ProvenRecording(TAPE_FEATURES, fromMs);
    this.recording = { key, recorder };
    const engine = this.openEngine(linked, recorder.model);
    this.pass = { engine, apply: (facts) => recorder.apply(engine, facts) };
    return false;
  }

  private apply(encoded: readonly string[]): AppliedStep {
    const { pass } = this;
    if (pass === null) throw new Error('There is no pass to apply slots to.');
    for (const facts of encoded) pass.apply(decodeSlotFacts(facts));
    const { lastSlot, timeMs } = pass.engine;
    return { slot: lastSlot ?? -1, timeMs };
  }

  private judge(texts: readonly string[], options: BacktestOptions): JudgedStep {
    if (this.recording !== null) {
      this.kept = { key: this.recording.key, tape: this.recording.recorder.finish() };
    }
    this.endPass();
    if (this.kept === null) throw new Error('There is no tape to judge rules on.');
    const rules = texts.flatMap((text) => {
      const { value } = compileRuleText(text);
      return value === null ? [] : [testedRule(value)];
    });
    const judged = judgeTape(this.kept.tape, rules, options);
    const hits = judged.hits[0] ?? [];
    this.judged = { rules: rules.map(({ id }) => id), options, judged };
    return { hits: hits.length };
  }

  private report(tries: number, isProved: boolean): BacktestReport {
    const { rules, options, judged } = this.last();
    const lookAhead = isProved ? lookAheadReport(judged.hits[0] ?? []) : null;
    if (this.kept === null) throw new Error('There is no tape.');
    return reportOf({ rules, options, tape: this.kept.tape, judged, tries, lookAhead });
  }

  private last(): Judged {
    if (this.judged === null) throw new Error('No rules were judged.');
    return this.judged;
  }

  private release(): void {
    this.endPass();
    this.judged = null;
  }

  private endPass(): void {
    this.pass?.engine.close();
    this.pass = null;
    this.recording = null;
  }

  private openEngine(linked: LinkedState | null, model: SignalModel): Engine {
    const models = [model];
    if (linked !== null) return openEngineAt(linked, this.settings, models);
    return new Engine({ fallbackSolUsd: this.settings.fallbackSolUsd, models });
  }
}
