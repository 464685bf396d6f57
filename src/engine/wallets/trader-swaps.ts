import { traderQuoteChange } from '../../fold/positions/transfer-residuals.ts';
import { absolute } from '../../lib/decimal.ts';
import { hasTrader, type PricedSwap, type WalletSwap } from '../../model/derived.ts';
import { isQuoteMint } from '../../model/quote-mints.ts';
import type { Address } from '../../model/units.ts';

/** The verified swaps of one trader in one transaction, in order. */
export interface TraderSwaps {
  readonly trader: Address;
  readonly swaps: readonly [WalletSwap, ...WalletSwap[]];
}

/** Maximum remainder of a round trip: one thousandth of the amount moved (METHODS §0.9). */
const ROUND_TRIP_SHARE = 1_000n;

/** Shared: most transactions have no swap. */
const NO_TRADERS: readonly TraderSwaps[] = [];

/** Groups swaps by trader, in order of first swap, without quarantined ones and unknown traders. */
export function swapsByTrader(swaps: readonly PricedSwap[]): readonly TraderSwaps[] {
  if (swaps.length === 0) return NO_TRADERS;
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

/**
 * Whether the trader bought and sold the same amount of a mint in the transaction, on any pools.
 */
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
  // Tokens that only pass through on a route leave no remainder either, but are no round trip.
  const own = swaps.filter(({ swap }) => !swap.isIntermediateHop);
  return own.some(({ swap }) => {
    const sum = gross.get(swap.baseMint);
    if (sum === undefined || sum.gross === 0n) return false;
    return absolute(sum.net) * ROUND_TRIP_SHARE <= sum.gross;
  });
}

/**
 * Quote tokens of the trader's own swaps, without SOL and stablecoins, each with the change of its
 * holding. Tokens that only pass through on a route leave no change; swaps with the token as their
 * base are not included.
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
