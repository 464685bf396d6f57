import type { Static } from 'typebox';
import { uuidV5 } from '../../lib/uuid.ts';
import type { Classification, Evidence, EvidencePayload } from '../../model/fraud.ts';
import type { Address } from '../../model/units.ts';
import type { EvidenceBody } from '../schemas/evidence-body.ts';
import { formatInstant, formatSol, formatUsd } from './format-wire.ts';

type Body = Static<typeof EvidenceBody>;
type Payload<Kind extends EvidencePayload['kind']> = Extract<EvidencePayload, { kind: Kind }>;

/** The evidence of a classification, in its order. */
export function presentEvidence({
  id,
  finding,
  collectedMs,
  createdMs,
}: Pick<Classification, 'id' | 'finding' | 'collectedMs' | 'createdMs'>): Body[] {
  return finding.evidence.map((item, at) => ({
    id: uuidV5(id, keyOf(item, at, finding.evidence)),
    evidence_type: item.type,
    description: item.description,
    weight: item.weight,
    data: presentPayload(item.payload, finding.mint),
    collected_at: formatInstant(collectedMs[at] ?? createdMs),
  }));
}

/** Type and index among evidence of the same type: stable while the evidence grows. */
function keyOf({ type }: Evidence, at: number, all: readonly Evidence[]): string {
  return `${type}/${all.slice(0, at).filter((other) => other.type === type).length}`;
}

function presentPayload(payload: EvidencePayload, mint: Address): Body['data'] {
  switch (payload.kind) {
    case 'transaction':
      return { type: 'transaction', payload: presentTransactions(payload) };
    case 'wallet_relation':
      return {
        type: 'wallet_relation',
        payload: {
          source_wallet: payload.sourceWallet,
          related_wallets: [...payload.relatedWallets],
          relationship: payload.relationship,
          strength: payload.strength,
        },
      };
    case 'supply_distribution':
      return { type: 'supply_distribution', payload: presentSupply(payload, mint) };
    case 'timing':
      return { type: 'timing', payload: presentTiming(payload) };
  }
}

function presentTransactions(payload: Payload<'transaction'>) {
  const sol = formatSol(payload.lamports);
  return {
    signatures: [...payload.signatures],
    slot: payload.slot,
    wallets: [...payload.wallets],
    total_value: sol,
    total_value_sol: sol,
    total_value_usd: formatUsd(payload.usd),
    is_bundled: payload.isBundled,
  };
}

function presentSupply(payload: Payload<'supply_distribution'>, mint: Address) {
  return {
    token_address: mint,
    top_holders: payload.topHolders.map(({ wallet, share, isSuspicious }) => ({
      wallet,
      percentage: percentage(share),
      is_suspicious: isSuspicious,
    })),
    suspicious_percentage: percentage(payload.suspiciousShare),
    gini_coefficient: payload.gini,
  };
}

function presentTiming({ timesMs, slots, pattern }: Payload<'timing'>) {
  return {
    timestamps: timesMs.map(formatInstant),
    slots: [...slots],
    time_deltas_ms: timesMs.slice(1).map((timeMs, at) => timeMs - (timesMs[at] ?? timeMs)),
    pattern,
  };
}

/** Two decimals of a percentage equal four digits of the ratio; `share` is a statistic. */
function percentage(share: number): string {
  return (Math.round(share * 10_000) / 100).toFixed(2);
}
