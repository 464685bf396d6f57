import { isQuoteMint, quoteOf } from '../../model/quote-mints.ts';
import type { TransactionView } from '../transaction/transaction-view.ts';

/**
 * True when the pool's own base is also the base of the swap. This is always so, unless the pool's
 * base is SOL or a stablecoin that outranks its quote. A coin quoted in another coin keeps the
 * pool's order.
 */
export function isOwnBase(view: TransactionView, base: number, quote: number): boolean {
  const baseMint = view.tokenAccount(base)?.mint ?? null;
  const quoteMint = view.tokenAccount(quote)?.mint ?? null;
  if (baseMint === null || quoteMint === null || !isQuoteMint(baseMint)) return true;
  return quoteOf(baseMint, quoteMint) === quoteMint;
}
