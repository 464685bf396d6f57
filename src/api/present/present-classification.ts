import { Type } from 'typebox';
import { formatFixed } from '../../lib/decimal.ts';
import { CONFIDENCE_LEVELS, levelOf } from '../../model/finding-page.ts';
import {
  type Classification,
  FRAUD_TYPES,
  type InvolvedWallet,
  type ScoredFeature,
  WALLET_ROLES,
} from '../../model/fraud.ts';
import {
  CLASSIFICATION_STATUSES,
  type ClassificationDetail,
  type JudgedClassification,
  REVIEW_STATUSES,
  type ReviewEntry,
  riskScoreOf,
} from '../../model/fraud-review.ts';
import type { CheckWithHits } from '../../model/rule-hit-page.ts';
import type { Address, Lamports } from '../../model/units.ts';
import { EXAMPLE } from '../schemas/examples.ts';
import { FRESHNESS_HEADERS } from '../schemas/wire.ts';
import { CLASSIFICATION_EXAMPLE, DETAIL_EXAMPLE } from './classification-example.ts';
import { EvidenceBody, presentEvidence } from './evidence-body.ts';
import { formatUsd } from './format-wire.ts';
import { presentHits, RuleHits } from './present-rule.ts';
import {
  address,
  decimal,
  flag,
  instant,
  integer,
  list,
  nullable,
  number,
  plain,
  sol,
  text,
  uuid,
  word,
} from './wire-kinds.ts';
import { wireRecord } from './wire-record.ts';

/** The context are the decimals of the mint. */
const Wallet = wireRecord<InvolvedWallet, number>()({
  address: [address, 'address'],
  role: [word(WALLET_ROLES), 'role', 'How the wallet took part in the pattern.'],
  tokens_acquired: [
    decimal,
    ({ tokensAcquiredRaw }, decimals) => formatFixed(tokensAcquiredRaw, decimals),
    'Whole tokens the wallet acquired.',
  ],
  sol_amount: [
    sol,
    greaterAmountOf,
    'SOL the wallet spent on the token, or the SOL it received if that is more.',
  ],
  first_seen_slot: [integer, 'firstSeenSlot'],
  labels: [list(text), 'labels'],
});

function greaterAmountOf({ spentLamports, receivedLamports }: InvolvedWallet): Lamports {
  return receivedLamports > spentLamports ? receivedLamports : spentLamports;
}

/** A classification in a fraud check (specification 2.7). */
export const ClassificationBody = wireRecord<JudgedClassification>()({
  id: [uuid, ({ classification }) => classification.id],
  token_address: [address, ({ classification }) => classification.finding.mint],
  pair_address: [
    nullable(address),
    ({ classification }) => classification.finding.pool,
    'Pool address; null while no pool is known (extension of the specification).',
  ],
  fraud_type: [
    word(FRAUD_TYPES),
    ({ classification }) => classification.finding.fraudType,
    'The fraud pattern.',
  ],
  confidence_score: [number, confidenceOf, 'Confidence from 0 to 1, with four decimals.'],
  confidence_level: [
    word(CONFIDENCE_LEVELS),
    (judged) => levelOf(confidenceOf(judged)),
    'critical: 0.9 and above; high: 0.7 and above; medium: 0.5 and above; low: below 0.5.',
  ],
  evidence: [
    plain(Type.Array(EvidenceBody.schema)),
    ({ classification }) => presentEvidence(classification),
    'Evidence items. Their weights sum to 1.',
  ],
  involved_wallets: [
    plain(Type.Array(Wallet.schema)),
    ({ classification }) => presentWallets(classification),
    'Wallets involved: attackers first, then by role.',
  ],
  estimated_value_at_risk: [
    decimal,
    ({ classification }) => formatUsd(classification.finding.valueAtRiskUsd) ?? '0',
    'Estimated value at risk in US dollars; 0 when a price is unknown (METHODS §7.2).',
  ],
  detection_slot: [
    nullable(integer),
    ({ classification }) => classification.detectionSlot,
    'Slot of first detection; null while the confidence is below the reporting threshold.',
  ],
  pattern_start_slot: [
    nullable(integer),
    ({ classification }) => classification.finding.patternStartSlot,
    'Slot in which the pattern began.',
  ],
  created_at: [instant, ({ classification }) => classification.createdMs],
  updated_at: [instant, ({ classification }) => classification.updatedMs],
  status: [
    word(CLASSIFICATION_STATUSES),
    'status',
    'Status of the most recent review; active if there is none. No slot decides it: it is as of ' +
      'at of that review.',
  ],
});

export const presentClassification = ClassificationBody.present;

function confidenceOf({ classification }: JudgedClassification): number {
  return classification.finding.confidence;
}

function presentWallets({ finding, decimals }: Classification) {
  return finding.wallets.map((wallet) => Wallet.present(wallet, decimals));
}

interface WeighedFeature extends ScoredFeature {
  readonly confidenceWithout: number | null;
}

const Feature = wireRecord<WeighedFeature>()({
  name: [text, 'name'],
  measured: [
    nullable(number),
    // JSON cannot represent infinity or NaN.
    ({ measured }) => (measured !== null && Number.isFinite(measured) ? measured : null),
    'Measured value, in the unit named by the feature; null if unknown.',
  ],
  threshold: [
    nullable(plain(Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }))),
    ({ ramp }) => ramp && [...ramp],
    'Start and end of the ramp; null for a feature that already ranges from 0 to 1.',
  ],
  value: [number, 'value', 'Value of the feature after the ramp, from 0 to 1.'],
  weight: [number, 'weight', 'Weight in the score; negative for evidence against the pattern.'],
  contribution: [number, ({ weight, value }) => weight * value, 'value × weight.'],
  confidence_without: [
    nullable(number),
    'confidenceWithout',
    'Confidence of the classification without this feature; null if unknown.',
  ],
});

const Review = wireRecord<ReviewEntry>()({
  from: [word(CLASSIFICATION_STATUSES), 'from', 'Status before the review.'],
  to: [word(REVIEW_STATUSES), 'to', 'Status after the review.'],
  account_id: [text, 'accountId'],
  key_id: [text, 'keyId', 'Public ID of the API key that submitted the review.'],
  note: [nullable(text), 'note'],
  at: [instant, 'atMs'],
});

/** The classification with all inputs of its score, sufficient to recompute it, and its reviews. */
export const { schema: ClassificationDetailBody, present: presentDetail } =
  wireRecord<ClassificationDetail>()(
    {
      ...ClassificationBody.fields,
      slot: [
        integer,
        ({ classification }) => classification.slot,
        'Slot as of which the classification was computed.',
      ],
      bias: [
        number,
        ({ classification }) => classification.finding.bias,
        'Logit of the score with no evidence for or against the pattern.',
      ],
      raw_score: [
        number,
        ({ classification }) => classification.finding.rawScore,
        'σ(bias + Σ contribution), before calibration.',
      ],
      calibration_version: [
        integer,
        ({ classification }) => classification.calibrationVersion,
        'Version of the calibration that maps raw score to confidence.',
      ],
      features: [list(Feature), weighedFeaturesOf],
      review: [
        list(Review),
        'reviews',
        'Reviews so far, whatever the slot of the response, oldest first.',
      ],
    },
    {
      title: 'ClassificationDetail',
      description: 'The classification.',
      headers: FRESHNESS_HEADERS,
      examples: [DETAIL_EXAMPLE],
    },
  );

function weighedFeaturesOf({
  classification,
  confidencesWithout,
}: ClassificationDetail): WeighedFeature[] {
  return classification.finding.features.map((feature, at) => ({
    ...feature,
    confidenceWithout: confidencesWithout[at] ?? null,
  }));
}

/**
 * The body of a fraud check (specification 2.7): the reported findings of a mint, highest confidence
 * first.
 */
const FraudCheck = wireRecord<readonly JudgedClassification[], Address>()({
  token_address: [address, (_, mint) => mint],
  is_fraudulent: [
    flag,
    (judged) => judged.length > 0,
    'Whether any fraud pattern is reported for the token.',
  ],
  risk_score: [
    integer,
    (judged) => riskScoreOf(Math.max(0, ...judged.map(confidenceOf))),
    'Risk from 0 to 100: the highest confidence times 100, rounded.',
  ],
  classification_count: [integer, 'length'],
  classifications: [
    list(ClassificationBody),
    (judged) => judged,
    'Highest confidence first; ties are ordered by severity.',
  ],
});

export const FraudCheckBody = Type.Object(
  {
    ...FraudCheck.schema.properties,
    rule_hits: RuleHits(
      'Hits of rules of kind fraud with a confidence of at least 0.5, highest first, at most 100; ' +
        'only if author names authors of rules. They do not change risk_score.',
    ),
  },
  {
    description: 'Classifications reported for the token; empty if there are none.',
    headers: FRESHNESS_HEADERS,
    examples: [
      {
        token_address: EXAMPLE.mint,
        is_fraudulent: true,
        risk_score: 86,
        classification_count: 1,
        classifications: [CLASSIFICATION_EXAMPLE],
      },
    ],
  },
);

export function presentCheck(mint: Address, judged: readonly JudgedClassification[]) {
  return FraudCheck.present(judged, mint);
}

export function presentCheckWithHits(mint: Address, { findings, hits }: CheckWithHits) {
  return { ...presentCheck(mint, findings), rule_hits: presentHits(hits) };
}
