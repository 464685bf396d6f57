import { Type } from 'typebox';
import type { EvidenceType, Relationship, TimingPattern } from '../../model/fraud.ts';
import { AddressText, DecimalText, ExplainedWord, Instant, Nullable, UuidText } from './wire.ts';

const EvidenceTypeWord = ExplainedWord<EvidenceType>({
  bundled_transaction: 'bundled transactions in one block',
  common_funding: 'wallets funded by the same source',
  similar_patterns: 'similar transaction patterns',
  supply_concentration: 'supply concentrated in suspicious wallets',
  suspicious_timing: 'correlated timing',
  circular_flow: 'circular flow of funds',
  same_block_trades: 'several wallets trading in one block',
  wallet_cluster: 'cluster of related wallets',
  price_manipulation: 'deliberate price movement',
  volume_manipulation: 'artificial volume',
});

const RelationshipWord = ExplainedWord<Relationship>({
  direct_funding: 'one wallet funded the others',
  indirect_funding: 'one wallet funded the others through intermediate wallets',
  same_entity: 'all wallets have the same owner',
  coordinated_trading: 'the wallets trade together',
  common_program: 'the wallets trade through the same rarely used program',
});

const TimingPatternWord = ExplainedWord<TimingPattern>({
  launch_block: 'in the launch block or directly after it',
  burst: 'many trades within a short time',
  synchronized_exit: 'simultaneous sales',
  sell_then_bundle: 'sales by the public, followed by a bundled buyback',
  periodic: 'trades at regular intervals',
  sell_drop_rebuy: 'sales, a price drop, then a buyback',
  drain: 'liquidity removed',
  spike_revert: 'a price spike that reverts',
});

const TransactionData = Type.Object({
  type: Type.Literal('transaction'),
  payload: Type.Object({
    signatures: Type.Array(Type.String(), {
      description: 'Transaction signatures, in block order.',
    }),
    slot: Type.Integer({ description: 'Slot of the first transaction.' }),
    wallets: Type.Array(AddressText),
    total_value: DecimalText('Same as total_value_sol.'),
    total_value_sol: DecimalText(
      'SOL moved by all transactions of the evidence, which may be more than the signatures ' +
        'listed.',
    ),
    total_value_usd: Nullable(DecimalText('US dollar value; null when a price is unknown.')),
    is_bundled: Type.Boolean(),
  }),
});

const WalletRelationData = Type.Object({
  type: Type.Literal('wallet_relation'),
  payload: Type.Object({
    source_wallet: AddressText,
    related_wallets: Type.Array(AddressText),
    relationship: RelationshipWord,
    strength: Type.Number({ description: 'Strength of the relationship, from 0 to 1.' }),
  }),
});

const SupplyDistributionData = Type.Object({
  type: Type.Literal('supply_distribution'),
  payload: Type.Object({
    token_address: AddressText,
    top_holders: Type.Array(
      Type.Object({
        wallet: AddressText,
        percentage: DecimalText('Percentage of the supply, from 0 to 100.'),
        is_suspicious: Type.Boolean(),
      }),
      { description: 'Largest holders first, at most 20.' },
    ),
    suspicious_percentage: DecimalText(
      'Percentage of the supply held by suspicious wallets, from 0 to 100.',
    ),
    gini_coefficient: Type.Number({
      description: 'From 0 to 1; higher values mean more concentrated holdings.',
    }),
  }),
});

const TimingData = Type.Object({
  type: Type.Literal('timing'),
  payload: Type.Object({
    timestamps: Type.Array(Instant),
    slots: Type.Array(Type.Integer()),
    time_deltas_ms: Type.Array(Type.Integer(), {
      description: 'Milliseconds between consecutive timestamps; one item fewer than timestamps.',
    }),
    pattern: TimingPatternWord,
  }),
});

/** One evidence item of a classification (specification 2.7). */
export const EvidenceBody = Type.Object({
  id: UuidText,
  evidence_type: EvidenceTypeWord,
  description: Type.String({ description: 'Human-readable description.' }),
  weight: Type.Number({ description: 'Share of the supporting evidence, from 0 to 1.' }),
  data: Type.Union([TransactionData, WalletRelationData, SupplyDistributionData, TimingData]),
  collected_at: Instant,
});
