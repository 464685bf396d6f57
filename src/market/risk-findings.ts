import type { UndoLog } from '../lib/undo-log.ts';
import { isPublished, type ReviewStatus, riskScoreOf, statusOf } from '../model/fraud-review.ts';
import type { RiskFinding } from '../model/market-rows.ts';
import type { Address } from '../model/units.ts';

/** Findings by mint, for the risk scores of many mints. Changes are recorded in `undo`. */
export class RiskFindings {
  private readonly undo: UndoLog;
  private readonly reviewOf: (id: string) => ReviewStatus | null;
  private readonly findings = new Map<string, RiskFinding>();
  private readonly ofMint = new Map<Address, Set<string>>();

  /** `reviewOf` is the status that a user gave a finding; null for none. */
  constructor(undo: UndoLog, reviewOf: (id: string) => ReviewStatus | null) {
    this.undo = undo;
    this.reviewOf = reviewOf;
  }

  /** Adds a finding or its newer version. */
  put({ id, state, finding: { confidence, mint } }: RiskFinding): void {
    this.undo.map(this.findings, id);
    this.findings.set(id, { id, state, finding: { confidence, mint } });
    const known = this.ofMint.get(mint) ?? new Set<string>();
    this.undo.map(this.ofMint, mint);
    this.undo.set(known, id);
    this.ofMint.set(mint, known.add(id));
  }

  /** The highest confidence of a published finding in percent; 0 without one. */
  scoreOf(mint: Address): number {
    return riskScoreOf(this.confidenceOf(mint));
  }

  /** The highest confidence of a published finding; 0 without one. */
  confidenceOf(mint: Address): number {
    let highest = 0;
    for (const id of this.ofMint.get(mint) ?? []) {
      const finding = this.findings.get(id);
      if (finding === undefined) continue;
      const status = statusOf(finding.state, this.reviewOf(id));
      if (!isPublished({ classification: finding, status })) continue;
      highest = Math.max(highest, finding.finding.confidence);
    }
    return highest;
  }
}
