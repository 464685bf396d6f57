import type { Static } from 'typebox';
import { formatFixed } from '../../lib/decimal.ts';
import type { Classification, InvolvedWallet, ScoredFeature } from '../../model/fraud.ts';
import type {
  ClassificationDetail,
  JudgedClassification,
  ReviewEntry,
} from '../../model/fraud-review.ts';
import type { Address } from '../../model/units.ts';
import type {
  ClassificationBody,
  ClassificationDetailBody,
  FraudCheckBody,
} from '../schemas/classification-body.ts';
import { formatInstant, formatSol, formatUsd } from './format-wire.ts';
import { presentEvidence } from './present-evidence.ts';

type Body = Static<typeof ClassificationBody>;
type DetailBody = Static<typeof ClassificationDetailBody>;

/**
 * The response of a fraud check (specification 2.7). `judged` are the reported findings, highest
 * confidence first.
 */
export function presentCheck(
  mint: Address,
  judged: readonly JudgedClassification[],
): Static<typeof FraudCheckBody> {
  const highest = Math.max(0, ...judged.map(({ classification }) => confidenceOf(classification)));
  return {
    token_address: mint,
    is_fraudulent: judged.length > 0,
    risk_score: riskScore(highest),
    classification_count: judged.length,
    classifications: judged.map(presentClassification),
  };
}

export function presentClassification({ classification, status }: JudgedClassification): Body {
  const { id, finding, decimals, detectionSlot, createdMs, updatedMs } = classification;
  return {
    id,
    token_address: finding.mint,
    pair_address: finding.pool,
    fraud_type: finding.fraudType,
    confidence_score: finding.confidence,
    confidence_level: levelOf(finding.confidence),
    evidence: presentEvidence(classification),
    involved_wallets: finding.wallets.map((wallet) => presentWallet(wallet, decimals)),
    estimated_value_at_risk: formatUsd(finding.valueAtRiskUsd) ?? '0',
    detection_slot: detectionSlot,
    pattern_start_slot: finding.patternStartSlot,
    created_at: formatInstant(createdMs),
    updated_at: formatInstant(updatedMs),
    status,
  };
}

/** The classification with all inputs of its score, sufficient to recompute it, and its reviews. */
export function presentDetail(detail: ClassificationDetail): DetailBody {
  const { classification, confidencesWithout, reviews } = detail;
  const { finding, slot, calibrationVersion } = classification;
  return {
    ...presentClassification(detail),
    slot,
    bias: finding.bias,
    raw_score: finding.rawScore,
    calibration_version: calibrationVersion,
    features: finding.features.map((feature, at) =>
      presentFeature(feature, confidencesWithout[at] ?? null),
    ),
    review: reviews.map(presentReview),
  };
}

function presentWallet(wallet: InvolvedWallet, decimals: number): Body['involved_wallets'][number] {
  const { spentLamports, receivedLamports } = wallet;
  const hasReceivedMore = receivedLamports > spentLamports;
  return {
    address: wallet.address,
    role: wallet.role,
    tokens_acquired: formatFixed(wallet.tokensAcquiredRaw, decimals),
    sol_amount: formatSol(hasReceivedMore ? receivedLamports : spentLamports),
    first_seen_slot: wallet.firstSeenSlot,
    labels: [...wallet.labels],
  };
}

function presentFeature(
  { name, measured, ramp, value, weight }: ScoredFeature,
  confidenceWithout: number | null,
): DetailBody['features'][number] {
  return {
    name,
    // JSON cannot represent infinity or NaN.
    measured: measured !== null && Number.isFinite(measured) ? measured : null,
    threshold: ramp === null ? null : [...ramp],
    value,
    weight,
    contribution: weight * value,
    confidence_without: confidenceWithout,
  };
}

function presentReview({ from, to, accountId, keyId, note, atMs }: ReviewEntry) {
  return { from, to, account_id: accountId, key_id: keyId, note, at: formatInstant(atMs) };
}

const LEVELS = [
  ['critical', 0.9],
  ['high', 0.7],
  ['medium', 0.5],
] as const;

function levelOf(confidence: number): Body['confidence_level'] {
  return LEVELS.find(([, from]) => confidence >= from)?.[0] ?? 'low';
}

/** 100 × confidence, rounded half up based on its four decimals rather than on the binary value. */
function riskScore(confidence: number): number {
  return Math.round(Math.round(confidence * 10_000) / 100);
}

function confidenceOf({ finding }: Classification): number {
  return finding.confidence;
}
