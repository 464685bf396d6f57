import { quoteOf } from '../../model/quote-mints.ts';
import type { Address } from '../../model/units.ts';
import type { TransactionView } from '../transaction/transaction-view.ts';

/** A pool's two vaults (key indices), as base and quote. */
export interface PoolPair {
  readonly base: number;
  readonly quote: number;
  readonly baseMint: Address;
  readonly quoteMint: Address;
  readonly baseDecimals: number;
  readonly quoteDecimals: number;
}

/**
 * Determines which of two vaults is the base and which the quote, or returns the reason why it
 * cannot. The mints decide, unless the first vault is known to be the base's: a launched token is
 * the base regardless of what it is paid with.
 */
export function orientPair(
  view: TransactionView,
  one: number,
  other: number,
  isBaseFirst = false,
): PoolPair | string {
  const first = sideOf(view, one);
  const second = sideOf(view, other);
  if (first === null || second === null) return 'a vault without a known mint or decimals';
  const isFirstBase = isBaseFirst || quoteOf(first.mint, second.mint) === second.mint;
  const [base, quote] = isFirstBase ? [first, second] : [second, first];
  return {
    base: isFirstBase ? one : other,
    quote: isFirstBase ? other : one,
    baseMint: base.mint,
    quoteMint: quote.mint,
    baseDecimals: base.decimals,
    quoteDecimals: quote.decimals,
  };
}

function sideOf(view: TransactionView, index: number): { mint: Address; decimals: number } | null {
  const account = view.tokenAccount(index);
  if (account === null || account.mint === null) return null;
  const decimals = account.decimals ?? view.decimalsOf(account.mint);
  return decimals === null ? null : { mint: account.mint, decimals };
}
