import type { Address } from '../../src/model/units.ts';
import type { Random } from '../random/random.ts';
import type { TradeStyle, TradeStyles } from '../venues/trade-style.ts';

/**
 * The distribution of wallets' clients over the forms of pump's instructions. Shares are of
 * wallets.
 */
export interface StyleShares {
  /** Clients that keep fees in the curve or pool, as terminals and the website do. */
  readonly keptFeesShare: number;
  /** Share of the other clients that call the second form; the rest call the first. */
  readonly secondFormShare: number;
  /** Clients whose purchases specify a number of tokens. */
  readonly exactTokensShare: number;
}

/** Number of cached styles; others are drawn again. */
const REMEMBERED_MAX = 50_000;

/**
 * A wallet's style depends only on its address and the stream's seed: a wallet keeps its client,
 * and an order that is repeated after a fork is unchanged.
 */
export function tradeStyles(random: Random, shares: StyleShares): TradeStyles {
  const { keptFeesShare, secondFormShare, exactTokensShare } = shares;
  const styles = new Map<Address, TradeStyle>();
  const draw = (trader: Address): TradeStyle => {
    const own = random.fork(trader);
    const isKept = own.chance(keptFeesShare);
    const isSecond = own.chance(secondFormShare);
    const asksForTokens = own.chance(exactTokensShare);
    if (isKept) return { form: 'kept', asksForTokens };
    return { form: isSecond ? 'v2' : 'v1', asksForTokens };
  };
  return (trader) => {
    const known = styles.get(trader);
    if (known !== undefined) return known;
    if (styles.size >= REMEMBERED_MAX) styles.clear();
    const drawn = draw(trader);
    styles.set(trader, drawn);
    return drawn;
  };
}
