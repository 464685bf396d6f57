import { buildGraph, recordedEdges } from '../fraud/graph/build-graph.ts';
import {
  evidenceSignatures,
  evidenceSlots,
  namedWallets,
} from '../fraud/graph/evidence-transactions.ts';
import { transactionEdges } from '../fraud/graph/transaction-edges.ts';
import type { AsOf } from '../model/as-of.ts';
import type { FindingGraph, GraphEdge, WalletLinks } from '../model/finding-graph.ts';
import type { Classification } from '../model/fraud.ts';
import type { Address } from '../model/units.ts';
import type { SlotLog } from '../store/reads/slot-log.ts';
import type { FindingReads } from './fraud-service.ts';

/** What graphs are read from. */
export interface GraphSources {
  readonly findings: Pick<FindingReads, 'find' | 'ofMint'>;
  /** What is recorded about wallets and a mint, as of the newest slot. */
  readonly links: (mint: Address, wallets: ReadonlySet<Address>) => AsOf<WalletLinks>;
  readonly log: Pick<SlotLog, 'findWith'>;
}

/** The graph of a finding; null for an unknown finding. */
export async function findingGraph(
  sources: GraphSources,
  id: string,
): Promise<AsOf<FindingGraph | null>> {
  const newest = await sources.findings.find(id);
  if (newest.data === null) return { ...newest, data: null };
  const wallets = namedWallets(newest.data);
  const links = sources.links(newest.data.finding.mint, wallets);
  const classification = await versionAt(sources, newest, links);
  if (classification === null) return { ...links, data: null };
  const found = await loggedEdges(sources, classification, links.data);
  return { ...links, data: buildGraph(classification, links.data, found) };
}

/** The finding as of the slot of the links: the stored rows may be ahead of the state or behind. */
async function versionAt(
  { findings }: GraphSources,
  { slot, data: newest }: AsOf<Classification | null>,
  links: AsOf<WalletLinks>,
): Promise<Classification | null> {
  if (newest === null || slot === links.slot) return newest;
  const { mint } = newest.finding;
  const { data } = await findings.ofMint({ mint, confidenceMin: 0, asOfSlot: links.slot });
  return data.find(({ id }) => id === newest.id) ?? null;
}

/** The transactions of the evidence that are not recorded any more, from the log. */
async function loggedEdges(
  { log }: GraphSources,
  classification: Classification,
  links: WalletLinks,
): Promise<GraphEdge[]> {
  const recorded = new Set(recordedEdges(links).map(({ signature }) => signature));
  const missing = new Set(evidenceSignatures(classification).filter((one) => !recorded.has(one)));
  const wallets = namedWallets(classification);
  const found: GraphEdge[] = [];
  if (missing.size === 0) return found;
  const slots = await log.findWith(evidenceSlots(classification), [...missing]);
  for (const { slot, transactions } of slots) {
    for (const transaction of transactions) {
      if (!missing.has(transaction.signature)) continue;
      found.push(...transactionEdges(transaction, slot, classification.finding.mint, wallets));
    }
  }
  return found;
}
