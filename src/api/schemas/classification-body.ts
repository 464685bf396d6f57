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
  role: Word(WALLET_ROLES, 'What the wallet did.'),
  tokens_acquired: DecimalText('Whole tokens.'),
  sol_amount: DecimalText(
    'SOL that it spent on the token; what it received where it received more.',
  ),
  first_seen_slot: Type.Integer(),
  labels: Type.Array(Type.String()),
});

const CLASSIFICATION = {
  id: UuidText,
  token_address: AddressText,
  pair_address: Nullable(
    Type.String({ description: 'Pool; null, beyond the specification, while none is known.' }),
  ),
  fraud_type: Word(FRAUD_TYPES, 'The pattern.'),
  confidence_score: Type.Number({ description: '0 to 1, four decimals.' }),
  confidence_level: Word(
    ['critical', 'high', 'medium', 'low'],
    'From 0.9, from 0.7, from 0.5, and below.',
  ),
  evidence: Type.Array(EvidenceBody, { description: 'Weights add up to 1.' }),
  involved_wallets: Type.Array(Wallet, { description: 'Attackers first, then by role.' }),
  estimated_value_at_risk: DecimalText('US dollars; 0 when a price is unknown (METHODS §7.2).'),
  detection_slot: Nullable(
    Type.Integer({ description: 'Slot of first detection; null while it is too weak to be told.' }),
  ),
  pattern_start_slot: Nullable(Type.Integer({ description: 'Slot where the pattern began.' })),
  created_at: Instant,
  updated_at: Instant,
  status: Word(CLASSIFICATION_STATUSES, 'What was said of it last; active while nothing was.'),
};

/** A finding as a fraud check tells it (specification 2.7). */
export const ClassificationBody = Type.Object(CLASSIFICATION);

const Feature = Type.Object({
  name: Type.String(),
  measured: Nullable(Type.Number({ description: 'In the unit its name says; null: unknown.' })),
  threshold: Nullable(
    Type.Array(Type.Number(), {
      minItems: 2,
      maxItems: 2,
      description: 'Where the ramp begins and ends; null for what is 0 to 1 as it is.',
    }),
  ),
  value: Type.Number({ description: 'What the ramp makes of it, 0 to 1.' }),
  weight: Type.Number({ description: 'Below 0 for what speaks against the pattern.' }),
  contribution: Type.Number({ description: 'Value times weight.' }),
  confidence_without: Nullable(
    Type.Number({ description: 'Confidence if this had said nothing; null when unknown.' }),
  ),
});

const Review = Type.Object({
  from: Word(CLASSIFICATION_STATUSES, 'Status before.'),
  to: Word(REVIEW_STATUSES, 'Status after.'),
  account_id: Type.String(),
  key_id: Type.String({ description: 'Id of the API key, which is no secret.' }),
  note: Nullable(Type.String()),
  at: Instant,
});

/** The same, with everything its score is made of. */
export const ClassificationDetailBody = Type.Object(
  {
    ...CLASSIFICATION,
    slot: Type.Integer({ description: 'Slot at whose end it was found to be so.' }),
    bias: Type.Number({ description: 'Logit of the score where nothing speaks for or against.' }),
    raw_score: Type.Number({ description: 'σ(bias + Σ contribution), before calibration.' }),
    calibration_version: Type.Integer({ description: 'Of the map from raw score to confidence.' }),
    features: Type.Array(Feature),
    review: Type.Array(Review, { description: 'What was said of it, oldest first.' }),
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
    is_fraudulent: Type.Boolean({ description: 'True when any pattern is told.' }),
    risk_score: Type.Integer({ description: '0 to 100: of the surest, rounded.' }),
    classification_count: Type.Integer(),
    classifications: Type.Array(ClassificationBody, {
      description: 'Surest first, of equals the gravest.',
    }),
  },
  {
    description: 'What is told of the token; empty when nothing is.',
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

/** The path of one classification. */
export const ClassificationPath = Type.Object({
  id: UuidParameter({ description: 'Id of the classification.', example: EXAMPLE.uuid }),
});
