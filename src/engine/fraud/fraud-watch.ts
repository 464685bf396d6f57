import type { Moment } from '../../fold/market/logical-time.ts';
import { createReading, inspectReading } from '../../fraud/detect/inspect-case.ts';
import { CALIBRATION } from '../../fraud/scoring/calibration.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import type { BundledTransaction } from '../../model/derived.ts';
import type { Classification } from '../../model/fraud.ts';
import type { MintCase } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import type { CaseUpdate } from '../cases/case-update.ts';
import { type CaseSizes, EvaluationSchedule } from './evaluation-schedule.ts';
import { FindingBook } from './finding-book.ts';
import { LinkedBuys } from './linked-buys.ts';

/** With fewer trades no pattern has its three wallets. */
const TRADES_MIN = 3;

/** Where cases come from. */
export interface CaseSource extends CaseSizes {
  /** As of now; null for a mint of which nothing is held. */
  readonly read: (mint: Address) => MintCase | null;
}

/** What looking at cases told. */
export interface FraudUpdates {
  readonly classifications: Classification[];
  /** Bundles of level L3, of this slot and earlier ones. */
  readonly linkedBuys: BundledTransaction[];
}

export interface FraudWatchStatus {
  /** Cases that detectors were shown. */
  readonly evaluations: number;
  /** That can still change. */
  readonly findings: number;
  /** Mints of which there is news, or was a short while ago. */
  readonly awaited: number;
}

/** Has detectors look at mints when there is a reason, and keeps what they found. */
export class FraudWatch {
  private readonly schedule: EvaluationSchedule;
  private readonly findings: FindingBook;
  private readonly linkedBuys: LinkedBuys;
  private readonly counts = { evaluations: 0 };
  private readonly undo: UndoLog;

  constructor(undo: UndoLog) {
    this.undo = undo;
    this.schedule = new EvaluationSchedule(undo);
    this.findings = new FindingBook(undo);
    this.linkedBuys = new LinkedBuys(undo);
  }

  /** Takes what a slot changed, at its end, when all else is folded. */
  settle(updates: readonly CaseUpdate[], at: Moment, source: CaseSource): FraudUpdates {
    for (const one of updates) this.schedule.note(one, at.timeMs, source);
    const classifications = this.findings.takeLapsed(at.slot, at.timeMs);
    const linkedBuys: BundledTransaction[] = [];
    for (const mint of this.schedule.take(at.slot, at.timeMs, source)) {
      const mintCase = source.read(mint);
      if (mintCase === null || mintCase.trades.length < TRADES_MIN) continue;
      this.undo.keep(this.counts);
      this.counts.evaluations++;
      const reading = createReading(mintCase);
      const { slot, timeMs } = at;
      const { decimals } = mintCase;
      const found = inspectReading(reading);
      const calibrationVersion = CALIBRATION.version;
      classifications.push(
        ...this.findings.take(mint, found, { slot, timeMs, decimals, calibrationVersion }),
      );
      linkedBuys.push(...this.linkedBuys.take(reading));
    }
    return { classifications, linkedBuys };
  }

  /** Of the strongest finding in a mint, 0 to 1; 0 where there is none. */
  confidenceOf(mint: Address): number {
    return this.findings.confidenceOf(mint);
  }

  get status(): FraudWatchStatus {
    const { evaluations } = this.counts;
    return { evaluations, findings: this.findings.size, awaited: this.schedule.size };
  }

  *digestRows(): Iterable<string> {
    yield `fraud ${this.counts.evaluations}`;
    yield* this.schedule.digestRows();
    yield* this.findings.digestRows();
    yield* this.linkedBuys.digestRows();
  }
}
