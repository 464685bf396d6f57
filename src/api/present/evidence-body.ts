import { Type } from 'typebox';
import { uuidV5 } from '../../lib/uuid.ts';
import type {
  Classification,
  Evidence,
  EvidencePayload,
  EvidenceType,
  Relationship,
  TimingPattern,
} from '../../model/fraud.ts';
import type { Address } from '../../model/units.ts';
import { ExplainedWord } from '../schemas/wire.ts';
import {
  address,
  decimal,
  flag,
  instant,
  integer,
  list,
  nullable,
  number,
  oneOf,
  plain,
  sol,
  text,
  usd,
  uuid,
} from './wire-kinds.ts';
import { wireRecord } from './wire-record.ts';

type Payload<Kind extends EvidencePayload['kind']> = Extract<EvidencePayload, { kind: Kind }>;

const EVIDENCE_TYPE_TEXTS: Readonly<Record<EvidenceType, string>> = {
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
};
const EvidenceTypeWord = ExplainedWord<EvidenceType>(EVIDENCE_TYPE_TEXTS);

/** In the order of the documentation. */
export const EVIDENCE_TYPES = Object.keys(EVIDENCE_TYPE_TEXTS) as readonly EvidenceType[];

export const RelationshipWord = ExplainedWord<Relationship>({
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

const Transactions = wireRecord<Payload<'transaction'>>()(
  {
    signatures: [list(text), 'signatures', 'Transaction signatures, in block order.'],
    slot: [integer, 'slot', 'Slot of the first transaction.'],
    wallets: [list(address), 'wallets'],
    total_value: [sol, 'lamports', 'Same as total_value_sol.'],
    total_value_sol: [
      sol,
      'lamports',
      'SOL moved by all transactions of the evidence, which may be more than the signatures listed.',
    ],
    total_value_usd: [nullable(usd), 'usd', 'US dollar value; null when a price is unknown.'],
    is_bundled: [flag, 'isBundled'],
  },
  { title: 'TransactionEvidence' },
);

const WalletRelation = wireRecord<Payload<'wallet_relation'>>()(
  {
    source_wallet: [address, 'sourceWallet'],
    related_wallets: [list(address), 'relatedWallets'],
    relationship: [plain(RelationshipWord), 'relationship'],
    strength: [number, 'strength', 'Strength of the relationship, from 0 to 1.'],
  },
  { title: 'WalletRelationEvidence' },
);

type SupplyDistribution = Payload<'supply_distribution'>;

const TopHolder = wireRecord<SupplyDistribution['topHolders'][number]>()(
  {
    wallet: [address, 'wallet'],
    percentage: [
      decimal,
      ({ share }) => percentage(share),
      'Percentage of the supply, from 0 to 100.',
    ],
    is_suspicious: [flag, 'isSuspicious'],
  },
  { title: 'TopHolder' },
);

const Supply = wireRecord<SupplyDistribution, Address>()(
  {
    token_address: [address, (_, mint) => mint],
    top_holders: [list(TopHolder), 'topHolders', 'Largest holders first, at most 20.'],
    suspicious_percentage: [
      decimal,
      ({ suspiciousShare }) => percentage(suspiciousShare),
      'Percentage of the supply held by suspicious wallets, from 0 to 100.',
    ],
    gini_coefficient: [
      number,
      'gini',
      'From 0 to 1; higher values mean more concentrated holdings.',
    ],
  },
  { title: 'SupplyDistributionEvidence' },
);

/** Two decimals of a percentage equal four digits of the ratio; `share` is a statistic. */
function percentage(share: number): string {
  return (Math.round(share * 10_000) / 100).toFixed(2);
}

const Timing = wireRecord<Payload<'timing'>>()(
  {
    timestamps: [list(instant), 'timesMs'],
    slots: [list(integer), 'slots'],
    time_deltas_ms: [
      list(integer),
      ({ timesMs }) => timesMs.slice(1).map((timeMs, at) => timeMs - (timesMs[at] ?? timeMs)),
      'Milliseconds between consecutive timestamps; one item fewer than timestamps.',
    ],
    pattern: [plain(TimingPatternWord), 'pattern'],
  },
  { title: 'TimingEvidence' },
);

/** Data of evidence by its kind. The context is the mint. */
const data = oneOf<EvidencePayload, Address>()({
  transaction: wireRecord<Payload<'transaction'>, Address>()({
    type: [plain(Type.Literal('transaction')), 'kind'],
    payload: [Transactions, (payload) => payload],
  }),
  wallet_relation: wireRecord<Payload<'wallet_relation'>, Address>()({
    type: [plain(Type.Literal('wallet_relation')), 'kind'],
    payload: [WalletRelation, (payload) => payload],
  }),
  supply_distribution: wireRecord<SupplyDistribution, Address>()({
    type: [plain(Type.Literal('supply_distribution')), 'kind'],
    payload: [Supply, (payload) => payload],
  }),
  timing: wireRecord<Payload<'timing'>, Address>()({
    type: [plain(Type.Literal('timing')), 'kind'],
    payload: [Timing, (payload) => payload],
  }),
});

interface CollectedEvidence extends Evidence {
  readonly id: string;
  readonly collectedMs: number;
}

/** One evidence item of a classification (specification 2.7). The context is the mint. */
export const EvidenceBody = wireRecord<CollectedEvidence, Address>()(
  {
    id: [uuid, 'id'],
    evidence_type: [plain(EvidenceTypeWord), 'type'],
    description: [text, 'description', 'Human-readable description.'],
    weight: [number, 'weight', 'Share of the supporting evidence, from 0 to 1.'],
    data: [data, 'payload'],
    collected_at: [instant, 'collectedMs'],
  },
  { title: 'FraudEvidence' },
);

/** The evidence of a classification, in its order. */
export function presentEvidence({
  id,
  finding: { evidence, mint },
  collectedMs,
  createdMs,
}: Pick<Classification, 'id' | 'finding' | 'collectedMs' | 'createdMs'>) {
  return evidence.map((item, at) =>
    EvidenceBody.present(
      {
        ...item,
        id: uuidV5(id, keyOf(item, at, evidence)),
        collectedMs: collectedMs[at] ?? createdMs,
      },
      mint,
    ),
  );
}

/** Type and index among evidence of the same type: stable while the evidence grows. */
function keyOf({ type }: Evidence, at: number, all: readonly Evidence[]): string {
  return `${type}/${all.slice(0, at).filter((other) => other.type === type).length}`;
}
