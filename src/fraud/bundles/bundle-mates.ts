import type { CaseTrade, MintCase } from '../../model/mint-case.ts';
import { type BundleGroup, isPlainBuy } from '../groups/bundle-group.ts';
import { findFreshMoneyBursts } from '../groups/fresh-money.ts';
import type { Clusters } from '../links/clusters.ts';
import { firstBuysOf } from '../links/participants.ts';

/** Maximum number of slots over which tools spread a bundle (METHODS §7.10). */
const SPREAD_SLOTS = 30;

/**
 * First purchases that belong to a bundle but are not counted in its measures: of wallets that are
 * linked to a member and buy within 30 slots after the bundle's first buy. In block order.
 */
export function linkedMates(
  mintCase: MintCase,
  group: BundleGroup,
  clusters: Clusters,
): readonly CaseTrade[] {
  const own = new Set([...group.wallets].flatMap((wallet) => clusters.of(wallet) ?? []));
  return firstBuysBehind(mintCase, group).filter(({ wallet }) => {
    const cluster = clusters.of(wallet);
    return cluster !== null && own.has(cluster);
  });
}

/**
 * First purchases of wallets with fresh money that form one burst with a member, and are too many
 * beside the members for the usual rate of buyers: so many at once cannot be unrelated.
 */
export function burstMates(mintCase: MintCase, group: BundleGroup): readonly CaseTrade[] {
  const buys = [...firstBuysBehind(mintCase, group), ...group.buys];
  const paidFromMs = Number.NEGATIVE_INFINITY;
  return findFreshMoneyBursts({ mintCase, buys, paidFromMs, known: group.wallets })
    .filter((run) => run.some(({ wallet }) => group.wallets.has(wallet)))
    .flat()
    .filter(({ wallet }) => !group.wallets.has(wallet));
}

function firstBuysBehind(mintCase: MintCase, { buys, wallets }: BundleGroup): CaseTrade[] {
  const fromSlot = buys[0]?.slot ?? Number.POSITIVE_INFINITY;
  return [...firstBuysOf(mintCase).values()].filter(
    (buy) =>
      isPlainBuy(buy) &&
      buy.slot >= fromSlot &&
      buy.slot <= fromSlot + SPREAD_SLOTS &&
      !wallets.has(buy.wallet),
  );
}
