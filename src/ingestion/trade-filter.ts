import {
  newestFirst,
  positionOf,
  type Trade,
  type TradeClass,
  type TradedSwap,
  type TradeFilter,
  type TradePosition,
  type TradeQuery,
} from '../model/trade.ts';
import type { Address, UsdNano } from '../model/units.ts';
import type { SwapRange } from '../store/reads/trade-sql.ts';

/** The address that unwritten swaps of a filter are found by. */
export function scopeOf({ wallet, pool, mint }: TradeFilter): Address {
  const scope = wallet ?? pool ?? mint;
  if (scope === null) throw new TypeError('trades are those of a wallet, a pool or a token');
  return scope;
}

/** Whether the store would return the swap for this range. */
export function isInRange(
  traded: TradedSwap,
  range: SwapRange,
  before: TradePosition | null,
): boolean {
  if (!isOfScope(traded, range) || !isInTime(traded, range)) return false;
  if (before !== null && newestFirst(positionOf(traded), before) <= 0) return false;
  if (range.view === 'user' && !isOfUser(traded)) return false;
  if (range.side !== null && traded.swap.side !== range.side) return false;
  return isOfValue(traded, range.valueUsdMin) && isOfClass(traded, range.class);
}

/** Whether a trade of a user is on or after a page, and passes the filters on the whole of it. */
export function isUserTradeListed(trade: Trade, query: TradeQuery): boolean {
  if (query.before !== null && newestFirst(trade, query.before) <= 0) return false;
  if (query.side !== null && trade.side !== query.side) return false;
  return isOfValue(trade, query.valueUsdMin) && isOfClass(trade, query.class);
}

function isOfScope({ swap }: TradedSwap, { wallet, pool, mint }: TradeFilter): boolean {
  if (wallet !== null && swap.trader !== wallet) return false;
  if (pool !== null && swap.pool !== pool) return false;
  return mint === null || swap.baseMint === mint;
}

function isInTime({ timeMs }: TradedSwap, { fromMs, toMs }: TradeFilter): boolean {
  return (fromMs === null || timeMs >= fromMs) && (toMs === null || timeMs < toMs);
}

/** Swaps that trades of users are made of. */
function isOfUser({ swap, exclusion }: TradedSwap): boolean {
  return !swap.isIntermediateHop && exclusion !== 'quarantined' && swap.trader !== null;
}

function isOfValue({ valueUsd }: Pick<Trade, 'valueUsd'>, least: UsdNano | null): boolean {
  return least === null || (valueUsd !== null && valueUsd >= least);
}

function isOfClass(
  { isOrganic, walletClass }: Pick<Trade, 'isOrganic' | 'walletClass'>,
  wanted: TradeClass,
): boolean {
  if (wanted === 'all') return true;
  return wanted === 'organic' ? isOrganic : walletClass === 'bot';
}
