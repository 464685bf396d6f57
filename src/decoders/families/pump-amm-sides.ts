import { isQuoteMint, quoteOf } from '../../model/quote-mints.ts';
import type { TransactionView } from '../transaction/transaction-view.ts';

/**
 * True when a pool's own base is our base: always, except where it is SOL or a stablecoin that
 * outranks the pool's own quote. A coin quoted in another coin stays what was launched.
 */
export function isOwnBase(view: TransactionView, base: number, quote: number): boolean {
  const baseMint = view.tokenAccount(base)?.mint ?? null;
  const quoteMint = view.tokenAccount(quote)?.mint ?? null;
  if (baseMint === null || quoteMint === null || !isQuoteMint(baseMint)) return true;
  return quoteOf(baseMint, quoteMint) === quoteMint;
}
