import type { InvolvedWallet, Judgement } from '../../model/fraud.ts';
import type { Address, Slot, UsdNano } from '../../model/units.ts';
import type { Score } from '../scoring/score.ts';
import { type EvidenceTexts, gatherEvidence } from './gather-evidence.ts';

export interface JudgementDraft {
  readonly score: Score;
  readonly texts: EvidenceTexts;
  readonly wallets: readonly InvolvedWallet[];
  readonly valueAtRiskUsd: UsdNano | null;
  readonly clusterRoot: Address;
  readonly patternStartSlot: Slot;
}

/** Creates a judgement from a score and the evidence texts of a detector. */
export function toJudgement({ score, texts, ...rest }: JudgementDraft): Judgement {
  const { bias, features, rawScore, confidence } = score;
  return {
    bias,
    features,
    rawScore,
    confidence,
    evidence: gatherEvidence(score, texts),
    ...rest,
  };
}

/** Strongest first; ties are ordered by start of the pattern, then by cluster root. */
export function byStrength(one: Judgement, other: Judgement): number {
  return (
    other.confidence - one.confidence ||
    one.patternStartSlot - other.patternStartSlot ||
    (one.clusterRoot < other.clusterRoot ? -1 : 1)
  );
}
