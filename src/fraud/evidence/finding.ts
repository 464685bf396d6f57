import type { Finding, InvolvedWallet } from '../../model/fraud.ts';
import type { MintCase } from '../../model/mint-case.ts';
import type { Address, Slot, UsdNano } from '../../model/units.ts';
import type { Score } from '../scoring/score.ts';
import { type EvidenceTexts, gatherEvidence } from './gather-evidence.ts';

export interface FindingDraft {
  readonly mintCase: MintCase;
  readonly score: Score;
  readonly texts: EvidenceTexts;
  readonly wallets: readonly InvolvedWallet[];
  readonly valueAtRiskUsd: UsdNano | null;
  readonly clusterRoot: Address;
  readonly patternStartSlot: Slot;
}

/** Creates a finding from a score and the evidence texts of a detector. */
export function toFinding({ mintCase, score, texts, ...rest }: FindingDraft): Finding {
  const { fraudType, bias, features, rawScore, confidence } = score;
  return {
    fraudType,
    mint: mintCase.mint,
    pool: mintCase.market?.pool ?? null,
    bias,
    features,
    rawScore,
    confidence,
    evidence: gatherEvidence(score, texts),
    ...rest,
  };
}

/** Strongest first; ties are ordered by start of the pattern, then by cluster root. */
export function byStrength(one: Finding, other: Finding): number {
  return (
    other.confidence - one.confidence ||
    one.patternStartSlot - other.patternStartSlot ||
    (one.clusterRoot < other.clusterRoot ? -1 : 1)
  );
}
