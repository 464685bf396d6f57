import type { Address, Lamports, RawAmount, Signature, Slot, UsdNano } from './units.ts';

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

/** What a wallet did in a pattern, by the names the wire uses; the one that counts most stands first. */
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

/** What a stranger needs to look the evidence up on the chain. */
export type EvidencePayload =
  | {
      readonly kind: 'transaction';
      /** In block order. */
      readonly signatures: readonly Signature[];
      /** Of the first of them. */
      readonly slot: Slot;
      readonly wallets: readonly Address[];
      /** Of all that is meant, which may be more than the signatures shown. */
      readonly lamports: Lamports;
      /** Null when a price is unknown. */
      readonly usd: UsdNano | null;
      readonly isBundled: boolean;
    }
  | {
      readonly kind: 'wallet_relation';
      readonly sourceWallet: Address;
      readonly relatedWallets: readonly Address[];
      readonly relationship: Relationship;
      /** 0 to 1. */
      readonly strength: number;
    }
  | {
      readonly kind: 'supply_distribution';
      /** Largest first, at most 20; `share` is of the supply, 0 to 1. */
      readonly topHolders: readonly {
        readonly wallet: Address;
        readonly share: number;
        readonly isSuspicious: boolean;
      }[];
      readonly suspiciousShare: number;
      /** With each cluster counted as one holder: 0 to 1, higher is more concentrated. */
      readonly gini: number;
    }
  | {
      readonly kind: 'timing';
      readonly timesMs: readonly number[];
      readonly slots: readonly Slot[];
      readonly pattern: TimingPattern;
    };

/** One reason of a finding. */
export interface Evidence {
  readonly type: EvidenceType;
  /** A sentence for people. */
  readonly description: string;
  /** Its part of what speaks for the finding: all of a finding's add up to 1. */
  readonly weight: number;
  readonly payload: EvidencePayload;
}

export interface InvolvedWallet {
  readonly address: Address;
  readonly role: WalletRole;
  readonly tokensAcquiredRaw: RawAmount;
  /** Spent and received in trades of the mint, fees of the venue included. */
  readonly spentLamports: Lamports;
  readonly receivedLamports: Lamports;
  readonly firstSeenSlot: Slot;
  readonly labels: readonly string[];
}

/** A feature as it was measured and what became of it: enough to compute the score again by hand. */
export interface ScoredFeature {
  readonly name: string;
  /** As measured, in the unit that its name says; null where it could not be. */
  readonly measured: number | null;
  /** Where the ramp begins and ends; null for a feature that is 0 or 1 as it is. */
  readonly ramp: readonly [from: number, to: number] | null;
  /** 0 to 1. */
  readonly value: number;
  /** Above zero for what speaks for the pattern, below for what speaks against it. */
  readonly weight: number;
}

/** What a detector found in one mint. Ids, times and status are given by whoever keeps it. */
export interface Finding {
  readonly fraudType: FraudType;
  readonly mint: Address;
  readonly pool: Address | null;
  readonly bias: number;
  readonly features: readonly ScoredFeature[];
  /** σ(bias + Σ weight · value), before calibration. */
  readonly rawScore: number;
  /** After calibration, rounded to 4 decimals. */
  readonly confidence: number;
  readonly evidence: readonly Evidence[];
  /** Attackers first, then by role and address. */
  readonly wallets: readonly InvolvedWallet[];
  /** Null when a price is unknown. */
  readonly valueAtRiskUsd: UsdNano | null;
  /** Names the group of wallets, the same however the group grew. */
  readonly clusterRoot: Address;
  /** First slot that any evidence stands on. */
  readonly patternStartSlot: Slot;
}

/** What became of a finding, apart from what people said of it. */
export type ClassificationState = 'candidate' | 'active' | 'archived';

/**
 * A finding under its lasting name. A finding that grows, or whose group of wallets grows, stays one
 * classification; it is told again when something of it is another than before.
 */
export interface Classification {
  /** UUIDv5 of mint, type, cluster and pattern start as they were when it was first found. */
  readonly id: string;
  /** As last found. */
  readonly finding: Finding;
  /** Of the mint. */
  readonly decimals: number;
  /** Candidates are too weak to be told; archived ones were not found for a day. */
  readonly state: ClassificationState;
  /** First slot at whose end the confidence was enough to be told; null for a candidate. */
  readonly detectionSlot: Slot | null;
  /** Slot that this version is of, and its time. */
  readonly slot: Slot;
  readonly updatedMs: number;
  /** When it was first found, candidates included. */
  readonly createdMs: number;
  /** For each item of `finding.evidence`, when an item that says the same was first found. */
  readonly collectedMs: readonly number[];
  readonly calibrationVersion: number;
}
