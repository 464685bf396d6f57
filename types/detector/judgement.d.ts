import type { Address, Lamports, RawAmount, Signature, Slot, UsdNano } from './units.js';

/** Role of a wallet in a pattern, most important first. */
export type WalletRole =
  | 'attacker'
  | 'funding_source'
  | 'bundler'
  | 'intermediary'
  | 'destination'
  | 'unknown';

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

/** The data needed to verify the evidence on the chain. */
export type EvidencePayload =
  | {
      readonly kind: 'transaction';
      /** In block order. */
      readonly signatures: readonly Signature[];
      /** Of the first of them. */
      readonly slot: Slot;
      readonly wallets: readonly Address[];
      /** Total of all transactions concerned, which may be more than the signatures shown. */
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
      /** With each cluster counted as one holder: 0 to 1, where higher is more concentrated. */
      readonly gini: number;
    }
  | {
      readonly kind: 'timing';
      readonly timesMs: readonly number[];
      readonly slots: readonly Slot[];
      readonly pattern: TimingPattern;
    };

/** One piece of evidence. */
export interface Evidence {
  readonly type: EvidenceType;
  /** A sentence for human readers. */
  readonly description: string;
  /** Its share of the evidence for the finding; the shares of a finding add up to 1. */
  readonly weight: number;
  readonly payload: EvidencePayload;
}

export interface InvolvedWallet {
  readonly address: Address;
  readonly role: WalletRole;
  readonly tokensAcquiredRaw: RawAmount;
  /** Spent and received in trades of the mint, venue fees included. */
  readonly spentLamports: Lamports;
  readonly receivedLamports: Lamports;
  readonly firstSeenSlot: Slot;
  readonly labels: readonly string[];
}

/** A feature as measured and its contribution: enough to recompute the score by hand. */
export interface ScoredFeature {
  readonly name: string;
  /** Measured value, in the unit given by the name; null when it could not be measured. */
  readonly measured: number | null;
  /** Start and end of the ramp; null for a feature that is 0 or 1. */
  readonly ramp: readonly [from: number, to: number] | null;
  /** 0 to 1. */
  readonly value: number;
  /** Positive for a feature that supports the pattern, negative for one that contradicts it. */
  readonly weight: number;
}

/** What a detector judges of one group of wallets. */
export interface Judgement {
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
  /** Identifies the group of wallets; unchanged when the group grows. */
  readonly clusterRoot: Address;
  /** First slot of any evidence. */
  readonly patternStartSlot: Slot;
}
