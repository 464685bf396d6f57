import { traderQuoteChange } from '../../fold/positions/transfer-residuals.ts';
import { absolute } from '../../lib/decimal.ts';
import { hasTrader, type PricedSwap, type WalletSwap } from '../../model/derived.ts';
import { isQuoteMint } from '../../model/quote-mints.ts';
import type { Address } from '../../model/units.ts';

/** The believed swaps of one trader in one transaction, in order. */
export interface TraderSwaps {
  readonly trader: Address;
  readonly swaps: readonly [WalletSwap, ...WalletSwap[]];
}

/** What is left of a mint after a round trip, at most: a thousandth of what moved (METHODS §0.9). */
const ROUND_TRIP_SHARE = 1_000n;

/** By trader in order of first swap; quarantined swaps and those without a trader are nobody's. */
export function swapsByTrader(swaps: readonly PricedSwap[]): TraderSwaps[] {
  const traders: { trader: Address; swaps: [WalletSwap, ...WalletSwap[]] }[] = [];
  for (const priced of swaps) {
    if (priced.exclusion === 'quarantined' || !hasTrader(priced)) continue;
    const { trader } = priced.swap;
    const known = traders.find((one) => one.trader === trader);
    if (known === undefined) traders.push({ trader, swaps: [priced] });
    else known.swaps.push(priced);
  }
  return traders;
}

/** The trader sold within the transaction what it bought there, of one mint, on whatever pools. */
export function isRoundTrip({ swaps }: TraderSwaps): boolean {
  for (const { swap } of swaps) {
    if (swap.isAtomicRoundTrip || swap.isPureArbitrage) return true;
  }
  if (swaps.length === 1) return false;
  const gross = new Map<Address, { gross: bigint; net: bigint }>();
  for (const { swap } of swaps) {
    const sum = gross.get(swap.baseMint) ?? { gross: 0n, net: 0n };
    sum.gross += absolute(swap.poolBaseDelta);
    sum.net += swap.poolBaseDelta;
    gross.set(swap.baseMint, sum);
  }
  // Of what passes through on a route nothing is left either: that is no trip of the trader's.
  const own = swaps.filter(({ swap }) => !swap.isIntermediateHop);
  return own.some(({ swap }) => {
    const sum = gross.get(swap.baseMint);
    if (sum === undefined || sum.gross === 0n) return false;
    return absolute(sum.net) * ROUND_TRIP_SHARE <= sum.gross;
  });
}

/**
 * Tokens that the trader's own swaps are quoted in, SOL and the stablecoins left out, each with what
 * they changed of its holding. Of what only passed through on a route nothing is left; swaps that
 * have the token as their base are told apart from this.
 */
export function quoteTokens({ swaps }: TraderSwaps): ReadonlyMap<Address, bigint> {
  if (!swaps.some(isQuotedInToken)) return NO_CHANGES;
  const changes = new Map<Address, bigint>();
  for (const { swap } of swaps) {
    if (isQuotedInToken({ swap })) changes.set(swap.quoteMint, 0n);
  }
  const add = (mint: Address, change: bigint) => {
    const sum = changes.get(mint);
    if (sum !== undefined) changes.set(mint, sum + change);
  };
  for (const { swap } of swaps) {
    add(swap.quoteMint, traderQuoteChange(swap));
    if (swap.isIntermediateHop) add(swap.baseMint, swap.traderBaseDelta);
  }
  return changes;
}

const NO_CHANGES: ReadonlyMap<Address, bigint> = new Map();

function isQuotedInToken({ swap }: Pick<PricedSwap, 'swap'>): boolean {
  return !swap.isIntermediateHop && !isQuoteMint(swap.quoteMint);
}
