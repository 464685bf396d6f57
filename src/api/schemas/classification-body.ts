import { Type } from 'typebox';
import { FRAUD_TYPES, WALLET_ROLES } from '../../model/fraud.ts';
import { CLASSIFICATION_STATUSES, REVIEW_STATUSES } from '../../model/fraud-review.ts';
import { CLASSIFICATION_EXAMPLE, DETAIL_EXAMPLE } from './classification-example.ts';
import { EvidenceBody } from './evidence-body.ts';
import { EXAMPLE } from './examples.ts';
import { UuidParameter } from './parameters.ts';
import {
  AddressText,
  DecimalText,
  FRESHNESS_HEADERS,
  Instant,
  Nullable,
  UuidText,
  Word,
} from './wire.ts';

const Wallet = Type.Object({
  address: AddressText,
  role: Word(WALLET_ROLES, 'How the wallet took part in the pattern.'),
  tokens_acquired: DecimalText('Whole tokens the wallet acquired.'),
  sol_amount: DecimalText(
    'SOL the wallet spent on the token, or the SOL it received if that is more.',
  ),
  first_seen_slot: Type.Integer(),
  labels: Type.Array(Type.String()),
});

const CLASSIFICATION = {
  id: UuidText,
  token_address: AddressText,
  pair_address: Nullable(
    Type.String({
      description: 'Pool address; null while no pool is known (extension of the specification).',
    }),
  ),
  fraud_type: Word(FRAUD_TYPES, 'The fraud pattern.'),
  confidence_score: Type.Number({ description: 'Confidence from 0 to 1, with four decimals.' }),
  confidence_level: Word(
    ['critical', 'high', 'medium', 'low'],
    'critical: 0.9 and above; high: 0.7 and above; medium: 0.5 and above; low: below 0.5.',
  ),
  evidence: Type.Array(EvidenceBody, { description: 'Evidence items. Their weights sum to 1.' }),
  involved_wallets: Type.Array(Wallet, {
    description: 'Wallets involved: attackers first, then by role.',
  }),
  estimated_value_at_risk: DecimalText(
    'Estimated value at risk in US dollars; 0 when a price is unknown (METHODS §7.2).',
  ),
  detection_slot: Nullable(
    Type.Integer({
      description:
        'Slot of first detection; null while the confidence is below the reporting threshold.',
    }),
  ),
  pattern_start_slot: Nullable(Type.Integer({ description: 'Slot in which the pattern began.' })),
  created_at: Instant,
  updated_at: Instant,
  status: Word(
    CLASSIFICATION_STATUSES,
    'Status of the most recent review; active if there is none.',
  ),
};

/** A classification in a fraud check (specification 2.7). */
export const ClassificationBody = Type.Object(CLASSIFICATION);

const Feature = Type.Object({
  name: Type.String(),
  measured: Nullable(
    Type.Number({
      description: 'Measured value, in the unit named by the feature; null if unknown.',
    }),
  ),
  threshold: Nullable(
    Type.Array(Type.Number(), {
      minItems: 2,
      maxItems: 2,
      description: 'Start and end of the ramp; null for a feature that already ranges from 0 to 1.',
    }),
  ),
  value: Type.Number({ description: 'Value of the feature after the ramp, from 0 to 1.' }),
  weight: Type.Number({
    description: 'Weight in the score; negative for evidence against the pattern.',
  }),
  contribution: Type.Number({ description: 'value × weight.' }),
  confidence_without: Nullable(
    Type.Number({
      description: 'Confidence of the classification without this feature; null if unknown.',
    }),
  ),
});

const Review = Type.Object({
  from: Word(CLASSIFICATION_STATUSES, 'Status before the review.'),
  to: Word(REVIEW_STATUSES, 'Status after the review.'),
  account_id: Type.String(),
  key_id: Type.String({ description: 'Public ID of the API key that submitted the review.' }),
  note: Nullable(Type.String()),
  at: Instant,
});

/** A classification with all inputs of its score. */
export const ClassificationDetailBody = Type.Object(
  {
    ...CLASSIFICATION,
    slot: Type.Integer({ description: 'Slot as of which the classification was computed.' }),
    bias: Type.Number({
      description: 'Logit of the score with no evidence for or against the pattern.',
    }),
    raw_score: Type.Number({ description: 'σ(bias + Σ contribution), before calibration.' }),
    calibration_version: Type.Integer({
      description: 'Version of the calibration that maps raw score to confidence.',
    }),
    features: Type.Array(Feature),
    review: Type.Array(Review, { description: 'Reviews, oldest first.' }),
  },
  {
    description: 'The classification.',
    headers: FRESHNESS_HEADERS,
    examples: [DETAIL_EXAMPLE],
  },
);

/** Body of a fraud check. */
export const FraudCheckBody = Type.Object(
  {
    token_address: AddressText,
    is_fraudulent: Type.Boolean({
      description: 'Whether any fraud pattern is reported for the token.',
    }),
    risk_score: Type.Integer({
      description: 'Risk from 0 to 100: the highest confidence times 100, rounded.',
    }),
    classification_count: Type.Integer(),
    classifications: Type.Array(ClassificationBody, {
      description: 'Highest confidence first; ties are ordered by severity.',
    }),
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

export const UNKNOWN_CLASSIFICATION = 'This classification is not known.';

/** Path parameters of a classification. */
export const ClassificationPath = Type.Object({
  id: UuidParameter({ description: 'ID of the classification.', example: EXAMPLE.uuid }),
});
