import type { Moment } from '../../fold/market/logical-time.ts';
import { createReading, detectGroups, findingsOf } from '../../fraud/detect/inspect-case.ts';
import { CALIBRATION } from '../../fraud/scoring/calibration.ts';
import type { AddressIds } from '../../lib/address-ids.ts';
import { StateValue } from '../../lib/state-value.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import type { BundledTransaction } from '../../model/derived.ts';
import type { Classification } from '../../model/fraud.ts';
import type { RuleHit } from '../../model/rule-hit.ts';
import type { Address } from '../../model/units.ts';
import { judgedCase } from '../../rules/features/case/judged-case.ts';
import type { CaseUpdate } from '../cases/case-update.ts';
import type { CaseRules } from '../rules/case-rules.ts';
import type { CaseSource } from './case-source.ts';
import type { DetectorState, DetectorWatch } from './detector-watch.ts';
import { EvaluationSchedule } from './evaluation-schedule.ts';
import { FindingBook, type Leading } from './finding-book.ts';
import { LinkedBuys } from './linked-buys.ts';

/** Every pattern needs at least three wallets, and therefore three trades. */
const TRADES_MIN = 3;

/** Results of evaluating cases. */
export interface FraudUpdates {
  readonly classifications: Classification[];
  /** Bundles of level L3, of this slot and earlier ones. */
  readonly linkedBuys: BundledTransaction[];
  /** Rules of cases that passed, in order of number. */
  readonly ruleHits: RuleHit[];
}

export interface FraudWatchStatus {
  /** Cases that were evaluated. */
  readonly evaluations: number;
  /** Findings that can still change. */
  readonly findings: number;
  /** Mints with recent updates. */
  readonly awaited: number;
  /** Installed detectors whose judgements are published. */
  readonly detectors: readonly DetectorState[];
}

/** What judges a case beside the built-in detectors. */
export interface FurtherJudges {
  readonly rules: CaseRules;
  /** Null without installed detectors. */
  readonly detectors: DetectorWatch | null;
}

/** Runs the detectors on mints when the schedule requires it, and keeps their findings. */
export class FraudWatch {
  private readonly schedule: EvaluationSchedule;
  private readonly findings: FindingBook;
  private readonly linkedBuys: LinkedBuys;
  private readonly counts: StateValue<{ evaluations: number }>;
  private readonly undo: UndoLog;
  private readonly rules: CaseRules;
  private readonly detectors: DetectorWatch | null;

  /** `rules` are judged after the built-in detectors, installed ones after the rules. */
  constructor(undo: UndoLog, ids: AddressIds<Address>, { rules, detectors }: FurtherJudges) {
    this.undo = undo;
    this.rules = rules;
    this.detectors = detectors;
    this.schedule = new EvaluationSchedule(undo, ids);
    this.findings = new FindingBook(undo, ids);
    this.linkedBuys = new LinkedBuys(undo, ids);
    this.counts = new StateValue({ evaluations: 0 }, undo, 'evaluations');
  }

  /**
   * Takes the updates of a slot at its end, after everything else is applied. Installed detectors
   * judge the same cases last. `onPause` is called after each mint.
   */
  settle(
    updates: readonly CaseUpdate[],
    at: Moment,
    source: CaseSource,
    onPause: () => void,
  ): FraudUpdates {
    for (const update of updates) this.schedule.note(update, at.timeMs, source);
    const found: Classification[] = [];
    const linkedBuys: BundledTransaction[] = [];
    const ruleHits: RuleHit[] = [];
    for (const mint of this.schedule.take(at.slot, at.timeMs, source)) {
      const mintCase = source.read(mint);
      if (mintCase === null || mintCase.trades.length < TRADES_MIN) continue;
      this.undo.keep(this.counts.now);
      this.counts.now.evaluations++;
      const reading = createReading(mintCase);
      const { slot, timeMs } = at;
      const { decimals } = mintCase;
      const groups = detectGroups(reading);
      const foundAt = { slot, timeMs, decimals, calibrationVersion: CALIBRATION.version };
      found.push(...this.findings.take(mint, findingsOf(groups), foundAt));
      linkedBuys.push(...this.linkedBuys.take(reading));
      if (!this.rules.isEmpty) {
        ruleHits.push(...this.rules.judge(judgedCase(reading, groups), at, source.priceOf));
      }
      ruleHits.push(...(this.detectors?.judge(mint, at, source) ?? []));
      onPause();
    }
    const lapsed = this.findings.takeLapsed(at.slot, at.timeMs);
    return { classifications: lastVersions(found, lapsed), linkedBuys, ruleHits };
  }

  /** Confidence of the strongest finding of a mint, 0 to 1; 0 without a finding. */
  confidenceOf(mint: Address): number {
    return this.findings.confidenceOf(mint);
  }

  /** As FindingBook.refuse. */
  refuse(id: string): Address | null {
    return this.findings.refuse(id);
  }

  isRefused(id: string): boolean {
    return this.findings.isRefused(id);
  }

  /** As FindingBook.leadersOf. */
  leadersOf(mint: Address): ReadonlyMap<Address, Leading> {
    return this.findings.leadersOf(mint);
  }

  get status(): FraudWatchStatus {
    const { evaluations } = this.counts.now;
    return {
      evaluations,
      findings: this.findings.size,
      awaited: this.schedule.size,
      detectors: this.detectors?.states() ?? [],
    };
  }
}

/** A finding has one version a slot: that in which it lapses has what was found of it before. */
function lastVersions(
  found: readonly Classification[],
  lapsed: readonly Classification[],
): Classification[] {
  if (lapsed.length === 0) return [...found];
  const ids = new Set(lapsed.map(({ id }) => id));
  return [...found.filter(({ id }) => !ids.has(id)), ...lapsed];
}
