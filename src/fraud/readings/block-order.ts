import type { CaseTrade, TransactionRef } from '../../model/mint-case.ts';

/**
 * Order in the chain; ties are ordered by signature, which keeps results independent of list order.
 */
export function byChainOrder(one: TransactionRef, other: TransactionRef): number {
  if (one.slot !== other.slot) return one.slot - other.slot;
  if (one.txIndex !== other.txIndex) return one.txIndex - other.txIndex;
  return compareText(one.signature, other.signature);
}

/** Order of trades in the chain; within a transaction by wallet, side and size. */
export function byTradeOrder(one: CaseTrade, other: CaseTrade): number {
  return (
    byChainOrder(one, other) ||
    compareText(one.wallet, other.wallet) ||
    compareText(one.side, other.side) ||
    compareText(one.pool, other.pool) ||
    Number(one.baseRaw - other.baseRaw)
  );
}

export function compareText(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
