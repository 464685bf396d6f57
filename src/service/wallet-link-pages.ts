import type { AsOf } from '../model/as-of.ts';
import type { FindingPage, FindingQuery } from '../model/finding-page.ts';
import type { Classification } from '../model/fraud.ts';
import type { JudgedClassification } from '../model/fraud-review.ts';
import type { Address } from '../model/units.ts';
import {
  compareLinks,
  type LinkPage,
  type LinkPageQuery,
  type LinkTransaction,
  linkCursorOf,
  type WalletLink,
} from '../model/wallet-lists.ts';

/** Findings of a wallet that its links are read from: those with the highest confidence. */
const FINDINGS_MAX = 100;

export interface LinkSources {
  readonly recorded: (wallet: Address) => AsOf<readonly WalletLink[]>;
  readonly findings: (query: FindingQuery) => Promise<AsOf<FindingPage>>;
}

/** After so many attempts, findings of another slot than the records are returned. */
const ATTEMPTS_MAX = 4;

/** A page of the links of a wallet, strongest first. */
export async function walletLinks(
  { recorded, findings }: LinkSources,
  { wallet, kinds, after, limit }: LinkPageQuery,
): Promise<AsOf<LinkPage>> {
  for (let attempt = 1; ; attempt++) {
    const found = kinds.includes('same_finding') ? await findings(reportedOf(wallet)) : null;
    const links = recorded(wallet);
    const isSame = found === null || found.slot === links.slot;
    if (!isSame && attempt < ATTEMPTS_MAX) continue;
    const all = [...links.data, ...findingLinks(found?.data.findings ?? [], wallet)]
      .filter((link) => kinds.includes(link.kind))
      .filter((link) => after === null || compareLinks(after, linkCursorOf(link)) < 0)
      .sort((one, other) => compareLinks(linkCursorOf(one), linkCursorOf(other)));
    const shown = all.slice(0, limit);
    const last = all.length > limit ? shown.at(-1) : undefined;
    const next = last === undefined ? null : linkCursorOf(last);
    return { ...links, data: { links: shown, next } };
  }
}

/** The reported findings of a wallet. */
function reportedOf(wallet: Address): FindingQuery {
  return {
    fraudTypes: null,
    levels: ['critical', 'high', 'medium'],
    statuses: ['active', 'reviewed', 'confirmed'],
    fromMs: null,
    toMs: null,
    mint: null,
    wallet,
    after: null,
    limit: FINDINGS_MAX,
    orderBy: 'confidence',
    orderDir: 'desc',
  };
}

/** A link to each wallet that a finding also involves. */
function findingLinks(
  findings: readonly JudgedClassification[],
  wallet: Address,
): readonly WalletLink[] {
  const involved = findings.flatMap(({ classification }) =>
    classification.finding.wallets
      .filter(({ address }) => address !== wallet)
      .map(({ address }) => ({ address, classification })),
  );
  return [...Map.groupBy(involved, ({ address }) => address)].map(([address, all]) => {
    const shared = all.map(({ classification }) => classification);
    return {
      wallet: address,
      kind: 'same_finding',
      class: null,
      strength: Math.max(...shared.map(({ finding }) => finding.confidence)),
      transactions: evidenceOf(shared, [wallet, address]),
      findings: shared.map(({ id }) => id).sort(),
    };
  });
}

/** Transactions of a link between wallets of findings. */
const TRANSACTIONS_MAX = 16;

/**
 * The first transactions of the evidence that name both wallets, then those that name one of them,
 * of the finding with the highest confidence first.
 */
function evidenceOf(
  findings: readonly Classification[],
  pair: readonly [Address, Address],
): readonly LinkTransaction[] {
  const payloads = findings.flatMap(({ finding: { mint, evidence }, decimals }) =>
    evidence.flatMap(({ payload }) =>
      payload.kind === 'transaction' ? [{ ...payload, mint, decimals }] : [],
    ),
  );
  const ordered = [2, 1].flatMap((names) =>
    payloads.filter(({ wallets }) => pair.filter((one) => wallets.includes(one)).length === names),
  );
  const all = ordered.flatMap(({ signatures, slot, mint, decimals }) =>
    signatures.map((signature, at): LinkTransaction => {
      // The slot of evidence is that of its first transaction.
      const own = { slot: at === 0 ? slot : null, signature };
      return { ...own, lamports: null, mint, amountRaw: null, decimals };
    }),
  );
  const first = new Map<string, LinkTransaction>();
  for (const one of all) if (!first.has(one.signature)) first.set(one.signature, one);
  return [...first.values()].slice(0, TRANSACTIONS_MAX);
}
