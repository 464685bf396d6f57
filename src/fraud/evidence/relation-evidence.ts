import type { EvidencePayload, Relationship } from '../../model/fraud.ts';
import type { Address } from '../../model/units.ts';

export interface WalletRelation {
  readonly source: Address;
  /** In any order; the source itself is left out. */
  readonly related: Iterable<Address>;
  readonly relationship: Relationship;
  /** 0 to 1. */
  readonly strength: number;
}

/** Evidence of wallets related to a source wallet, ordered by address. */
export function relationEvidence(relation: WalletRelation): EvidencePayload {
  const { source, related, relationship, strength } = relation;
  return {
    kind: 'wallet_relation',
    sourceWallet: source,
    relatedWallets: [...new Set(related)].filter((wallet) => wallet !== source).sort(),
    relationship,
    strength: Math.min(1, Math.max(0, strength)),
  };
}
