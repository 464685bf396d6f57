import type { FindingGraph, GraphEdge } from '../../model/finding-graph.ts';
import type { Evidence, EvidenceType, Finding } from '../../model/fraud.ts';
import type { Address, Signature, Slot } from '../../model/units.ts';

/** A transaction of a finding, with all that it shows. */
export interface ReportTransaction {
  readonly signature: Signature;
  /** Null where only the evidence names it, which has the slot of its first transaction alone. */
  readonly slot: Slot | null;
  /** Kinds of edges and types of evidence, each once. */
  readonly roles: readonly (GraphEdge['kind'] | EvidenceType)[];
  /** Addresses of its edges or of its evidence, each once. */
  readonly wallets: readonly Address[];
}

interface Draft {
  slot: Slot | null;
  readonly roles: Set<ReportTransaction['roles'][number]>;
  readonly wallets: Set<Address>;
}

/** Transactions of the graph in block order, then those that only the evidence names. */
export function reportTransactions(
  finding: Finding,
  { edges, unresolved }: Pick<FindingGraph, 'edges' | 'unresolved'>,
): readonly ReportTransaction[] {
  const drafts = new Drafts();
  for (const edge of edges) drafts.addEdge(edge);
  for (const evidence of finding.evidence) drafts.addEvidence(evidence);
  for (const signature of unresolved) drafts.of(signature);
  return drafts.all();
}

class Drafts {
  private readonly drafts = new Map<Signature, Draft>();

  of(signature: Signature): Draft {
    const known = this.drafts.get(signature);
    if (known !== undefined) return known;
    const draft: Draft = { slot: null, roles: new Set(), wallets: new Set() };
    this.drafts.set(signature, draft);
    return draft;
  }

  addEdge({ signature, slot, kind, from, to }: GraphEdge): void {
    if (signature === null) return;
    const draft = this.of(signature);
    draft.slot = slot;
    draft.roles.add(kind);
    draft.wallets.add(from).add(to);
  }

  addEvidence({ type, payload }: Evidence): void {
    if (payload.kind !== 'transaction') return;
    const { signatures, slot, wallets } = payload;
    for (const [at, signature] of signatures.entries()) {
      const draft = this.of(signature);
      draft.roles.add(type);
      if (at === 0) draft.slot ??= slot;
    }
    // Of several transactions the evidence does not say which wallet is of which.
    const [only] = signatures;
    if (signatures.length !== 1 || only === undefined) return;
    for (const wallet of wallets) this.of(only).wallets.add(wallet);
  }

  all(): readonly ReportTransaction[] {
    return [...this.drafts].map(([signature, { slot, roles, wallets }]) => ({
      signature,
      slot,
      roles: [...roles],
      wallets: [...wallets],
    }));
  }
}
