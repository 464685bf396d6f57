import type { MintCase } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import type { Clusters } from '../links/clusters.ts';

/** Launches sniped within 7 days, and creators of them, from which on sniping is a trade of its own. */
const SNIPES_MIN = 20;
const CREATORS_MIN = 20;

/**
 * Whether a wallet snipes launches of everybody and is linked to nobody (e_indep of METHODS §7.2).
 * Such a one stands beside a group by its trade, not by agreement, and is no part of it unless it
 * bought in the same transaction. `clusters` must not know links made by the group itself.
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
