import {
  type Described,
  float,
  interned,
  list,
  nullable,
  plain,
  record,
  text,
  type UnionOf,
  unionByKind,
} from './codec.ts';
import type { Slot } from './units.ts';
import { address, amount, lamports, maybeUsd, signature } from './value-codecs.ts';

/** The six patterns of the fraud check, by the names the wire uses. */
export const FRAUD_TYPES = [
  'traditional_bundle',
  'late_bundle',
  'bundle_and_launder',
  'fake_dump',
  'coordinated_exit',
  'wash_volume',
] as const;

export type FraudType = (typeof FRAUD_TYPES)[number];

/** Role of a wallet in a pattern, by the names the wire uses, most important first. */
export const WALLET_ROLES = [
  'attacker',
  'funding_source',
  'bundler',
  'intermediary',
  'destination',
  'unknown',
] as const;

export type WalletRole = (typeof WALLET_ROLES)[number];

/** How two wallets are connected, by the names the wire uses. */
export type Relationship =
  | 'direct_funding'
  | 'indirect_funding'
  | 'same_entity'
  | 'coordinated_trading'
  | 'common_program';

export type EvidenceType =
  | 'bundled_transaction'
  | 'common_funding'
  | 'similar_patterns'
  | 'supply_concentration'
  | 'suspicious_timing'
  | 'circular_flow'
  | 'same_block_trades'
  | 'wallet_cluster'
  | 'price_manipulation'
  | 'volume_manipulation';

export type TimingPattern =
  | 'launch_block'
  | 'burst'
  | 'synchronized_exit'
  | 'sell_then_bundle'
  | 'periodic'
  | 'sell_drop_rebuy'
  | 'drain'
  | 'spike_revert';

const PAYLOADS = {
  transaction: record({
    /** In block order. */
    signatures: list(signature),
    /** Of the first of them. */
    slot: plain<Slot>(),
    wallets: list(address),
    /** Total of all transactions concerned, which may be more than the signatures shown. */
    lamports,
    /** Null when a price is unknown. */
    usd: maybeUsd,
    isBundled: plain<boolean>(),
  }),
  wallet_relation: record({
    sourceWallet: address,
    relatedWallets: list(address),
    relationship: plain<Relationship>(),
    /** 0 to 1. */
    strength: float,
  }),
  supply_distribution: record({
    /** Largest first, at most 20; `share` is of the supply, 0 to 1. */
    topHolders: list(record({ wallet: address, share: float, isSuspicious: plain<boolean>() })),
    suspiciousShare: float,
    /** With each cluster counted as one holder: 0 to 1, where higher is more concentrated. */
    gini: float,
  }),
  timing: record({
    timesMs: plain<readonly number[]>(),
    slots: plain<readonly Slot[]>(),
    pattern: plain<TimingPattern>(),
  }),
};

/** The data needed to verify the evidence on the chain. */
export type EvidencePayload = UnionOf<typeof PAYLOADS>;

export const EVIDENCE = record({
  type: plain<EvidenceType>(),
  /** A sentence for human readers. */
  description: text,
  /** Its share of the evidence for the finding; the shares of a finding add up to 1. */
  weight: float,
  payload: unionByKind(PAYLOADS),
});

/** One piece of evidence for a finding. */
export interface Evidence extends Described<typeof EVIDENCE> {}

export const INVOLVED_WALLET = record({
  address,
  role: plain<WalletRole>(),
  tokensAcquiredRaw: amount,
  /** Spent and received in trades of the mint, venue fees included. */
  spentLamports: lamports,
  receivedLamports: lamports,
  firstSeenSlot: plain<Slot>(),
  labels: list(interned<string>()),
});

export interface InvolvedWallet extends Described<typeof INVOLVED_WALLET> {}

export const SCORED_FEATURE = record({
  name: text,
  /** Measured value, in the unit given by the name; null when it could not be measured. */
  measured: nullable(float),
  /** Start and end of the ramp; null for a feature that is 0 or 1. */
  ramp: plain<readonly [from: number, to: number] | null>(),
  /** 0 to 1. */
  value: float,
  /** Positive for a feature that supports the pattern, negative for one that contradicts it. */
  weight: float,
});

/** A feature as measured and its contribution: enough to recompute the score by hand. */
export interface ScoredFeature extends Described<typeof SCORED_FEATURE> {}

/** What a detector judges of one group of wallets. */
const JUDGED = {
  bias: float,
  features: list(SCORED_FEATURE),
  /** σ(bias + Σ weight · value), before calibration. */
  rawScore: float,
  /** After calibration, rounded to 4 decimals. */
  confidence: float,
  evidence: list(EVIDENCE),
  /** Attackers first, then by role and address. */
  wallets: list(INVOLVED_WALLET),
  /** Null when a price is unknown. */
  valueAtRiskUsd: maybeUsd,
  /** Identifies the group of wallets; unchanged when the group grows. */
  clusterRoot: address,
  /** First slot of any evidence. */
  patternStartSlot: plain<Slot>(),
};

export const JUDGEMENT = record(JUDGED);

/** What a detector found in one mint, without what the host of the detector knows. */
export interface Judgement extends Described<typeof JUDGEMENT> {}

export const FINDING = record({
  fraudType: plain<FraudType>(),
  mint: address,
  pool: nullable(address),
  ...JUDGED,
});

/**
 * A judgement of a built-in detector. Ids, times and statuses are assigned by the classification
 * that stores it.
 */
export interface Finding extends Described<typeof FINDING> {}

/** State of a finding, regardless of its reviews. */
export type ClassificationState = 'candidate' | 'active' | 'archived';

export const CLASSIFICATION = record({
  /** UUIDv5 of mint, type, cluster and pattern start at the time it was first found. */
  id: text,
  /** The latest version of the finding. */
  finding: FINDING,
  /** Decimals of the mint. */
  decimals: plain<number>(),
  /**
   * A candidate has too little confidence to be published; an archived one was not found for a day.
   */
  state: plain<ClassificationState>(),
  /** First slot at whose end the confidence was sufficient to publish it; null for a candidate. */
  detectionSlot: plain<Slot | null>(),
  /** Slot of this version, and its time. */
  slot: plain<Slot>(),
  updatedMs: plain<number>(),
  /** When it was first found, even if only as a candidate. */
  createdMs: plain<number>(),
  /** For each item of `finding.evidence`, when an equivalent item was first found. */
  collectedMs: plain<readonly number[]>(),
  calibrationVersion: plain<number>(),
});

/**
 * A finding under a permanent id. A finding that grows, or whose group of wallets grows, remains
 * one classification; it is published again when any part of it changes.
 */
export interface Classification extends Described<typeof CLASSIFICATION> {}
