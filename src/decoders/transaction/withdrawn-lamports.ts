import type { TransactionView } from './transaction-view.ts';

/**
 * What a withdrawal pays, the rent of the account aside: rent leaves it when it is emptied for good.
 * `account` is a key index.
 */
export function withdrawnLamports(
  { transaction }: TransactionView,
  account: number,
  lamports: bigint,
  rentLamports: bigint,
): bigint {
  const isEmptied = transaction.lamportsAfter[account] === 0n;
  if (!isEmptied) return lamports;
  return lamports > rentLamports ? lamports - rentLamports : 0n;
}
