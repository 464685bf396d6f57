import type { CaseClass, MintCase } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';

/** Classes of addresses that trade for themselves. */
const TRADING_CLASSES: ReadonlySet<CaseClass> = new Set(['market_maker', 'mev_searcher']);

/**
 * Whether an address can take part in a pattern: it is not a pool, exchange, hub, sponsor or other
 * public service.
 */
export function isTrader(mintCase: MintCase, address: Address): boolean {
  if (address === mintCase.market?.pool) return false;
  const known = mintCase.wallets.get(address)?.class ?? null;
  return known === null || TRADING_CLASSES.has(known);
}
