import { createReading } from '../../fraud/detect/inspect-case.ts';
import { shareOf } from '../../fraud/readings/shares.ts';
import { isTrader } from '../../fraud/readings/traders.ts';
import type { MintCase } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import { circulatingSupply } from '../books/books.ts';
import type { CaseSources } from '../cases/case-sources.ts';
import { viewCase } from '../cases/read-case.ts';

/**
 * Share of the supply, net of burns, held by the largest group of linked wallets; an unlinked
 * wallet is a group of its own. Pools, exchanges and other services are not counted. Null when
 * supply or payments between wallets are unknown. Costs as much as finding the clusters of a case.
 */
export function topClusterShare(sources: CaseSources, mint: Address): number | null {
  return topClusterShareOf(sources.books, viewCase(sources, mint), mint);
}

/** The same of a case that was read or viewed; null for none. */
export function topClusterShareOf(
  books: CaseSources['books'],
  mintCase: MintCase | null,
  mint: Address,
): number | null {
  const supplyRaw = circulatingSupply(books, books.tokens.get(mint));
  if (mintCase === null || !mintCase.isFundingKnown || supplyRaw === null || supplyRaw <= 0n) {
    return null;
  }
  const heldRawOf = (wallet: Address): bigint => {
    const isCounted = books.holders.isHolder(mint, wallet, null) && isTrader(mintCase, wallet);
    return isCounted ? books.holders.balanceOfOwner(mint, wallet) : 0n;
  };
  const alone = [...mintCase.wallets.keys()].map((wallet) => [wallet]);
  const groups = createReading(mintCase).clusters().all;
  let mostRaw = 0n;
  for (const members of [...alone, ...groups.map((group) => group.members)]) {
    const heldRaw = members.reduce((sum, member) => sum + heldRawOf(member), 0n);
    if (heldRaw > mostRaw) mostRaw = heldRaw;
  }
  return shareOf(mostRaw, supplyRaw);
}
