import { Type } from 'typebox';
import type { EvidenceType, Relationship, TimingPattern } from '../../model/fraud.ts';
import { AddressText, DecimalText, ExplainedWord, Instant, Nullable, UuidText } from './wire.ts';

const EvidenceTypeWord = ExplainedWord<EvidenceType>({
  bundled_transaction: 'bundled transaction in the same block',
  common_funding: 'wallets funded by one source',
  similar_patterns: 'similar transaction patterns',
  supply_concentration: 'supply concentrated in suspicious wallets',
  suspicious_timing: 'timing correlation',
  circular_flow: 'circular flow of funds',
  same_block_trades: 'several wallets trading in one block',
  wallet_cluster: 'cluster of related wallets',
  price_manipulation: 'price moved on purpose',
  volume_manipulation: 'volume made on purpose',
});

const RelationshipWord = ExplainedWord<Relationship>({
  direct_funding: 'one paid the others',
  indirect_funding: 'one paid the others through wallets between',
  same_entity: 'one owner behind all',
  coordinated_trading: 'they trade together',
  common_program: 'they trade through one program that few use',
});

const TimingPatternWord = ExplainedWord<TimingPattern>({
  launch_block: 'in the block of the launch or right behind it',
  burst: 'many within a short time',
  synchronized_exit: 'sales together',
  sell_then_bundle: 'public sales, then buying back together',
  periodic: 'at even distances',
  sell_drop_rebuy: 'sales, a fallen price, buying back',
  drain: 'liquidity taken out',
  spike_revert: 'a price that jumps and comes back',
});

const TransactionData = Type.Object({
  type: Type.Literal('transaction'),
  payload: Type.Object({
    signatures: Type.Array(Type.String(), { description: 'In block order.' }),
    slot: Type.Integer({ description: 'Of the first of them.' }),
    wallets: Type.Array(AddressText),
    total_value: DecimalText('SOL, as total_value_sol.'),
    total_value_sol: DecimalText(
      'SOL of all that is meant, which may be more than the signatures shown.',
    ),
    total_value_usd: Nullable(DecimalText('US dollars; null when a price is unknown.')),
    is_bundled: Type.Boolean(),
  }),
});

const WalletRelationData = Type.Object({
  type: Type.Literal('wallet_relation'),
  payload: Type.Object({
    source_wallet: AddressText,
    related_wallets: Type.Array(AddressText),
    relationship: RelationshipWord,
    strength: Type.Number({ description: '0 to 1.' }),
  }),
});

const SupplyDistributionData = Type.Object({
  type: Type.Literal('supply_distribution'),
  payload: Type.Object({
    token_address: AddressText,
    top_holders: Type.Array(
      Type.Object({
        wallet: AddressText,
        percentage: DecimalText('Of the supply, 0 to 100.'),
        is_suspicious: Type.Boolean(),
      }),
      { description: 'Largest first, at most 20.' },
    ),
    suspicious_percentage: DecimalText('Of the supply, 0 to 100.'),
    gini_coefficient: Type.Number({ description: '0 to 1, higher is more concentrated.' }),
  }),
});

const TimingData = Type.Object({
  type: Type.Literal('timing'),
  payload: Type.Object({
    timestamps: Type.Array(Instant),
    slots: Type.Array(Type.Integer()),
    time_deltas_ms: Type.Array(Type.Integer(), {
      description: 'Milliseconds from each time to the next: one fewer than there are times.',
    }),
    pattern: TimingPatternWord,
  }),
});

/** One reason of a finding (specification 2.7). */
export const EvidenceBody = Type.Object({
  id: UuidText,
  evidence_type: EvidenceTypeWord,
  description: Type.String({ description: 'A sentence for people.' }),
  weight: Type.Number({ description: 'Its part of what speaks for the finding.' }),
  data: Type.Union([TransactionData, WalletRelationData, SupplyDistributionData, TimingData]),
  collected_at: Instant,
});
