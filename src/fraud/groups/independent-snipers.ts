import type { MintCase } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import type { Clusters } from '../links/clusters.ts';

/**
 * Minimum number of launches sniped within 7 days, and of their creators, for an independent
 * sniper.
 */
const SNIPES_MIN = 20;
const CREATORS_MIN = 20;

/**
 * Whether a wallet snipes launches of many creators and is not linked to any wallet (e_indep of
 * METHODS §7.2). Such a wallet buys next to a group by coincidence and is not part of it unless it
 * bought in the same transaction. `clusters` must not include links created by the group itself.
 */
export function isIndependentSniper(
  mintCase: MintCase,
  wallet: Address,
  clusters: Clusters,
): boolean {
  const known = mintCase.wallets.get(wallet);
  if (known === undefined || clusters.of(wallet) !== null) return false;
  return known.snipes >= SNIPES_MIN && known.snipedCreators >= CREATORS_MIN;
}
