import type { ChainBlock, ChainTransaction } from '../model/transaction.ts';

/** What a block says of balances that cannot all be true. */
export interface BlockContradictions {
  /** Transactions that made or destroyed lamports: what was there before is not what is after and the fee. */
  readonly unbalanced: number;
  /** Mints of which a transaction's accounts together have more or less than before, transaction by transaction. */
  readonly unconserved: number;
  /** Balances that are not what the transaction before in the block left in the account. */
  readonly unconnected: number;
}

/**
 * Holds the balances of a whole block against each other. The runtime lets no transaction make or
 * destroy lamports, so that `unbalanced` is 0 for every true block. The others are not: tokens are
 * minted, burned and withheld, and votes move lamports and are left out of blocks here. They are for
 * comparing two tellings of one block, of which the true one has fewer.
 */
export function contradictionsOf(block: ChainBlock): BlockContradictions {
  let unbalanced = 0;
  let unconserved = 0;
  let unconnected = 0;
  const lamports = new Map<string, bigint>();
  const tokens = new Map<string, bigint>();
  for (const transaction of block.transactions) {
    if (!isBalanced(transaction)) unbalanced++;
    unconserved += mintsUnconserved(transaction);
    unconnected += connect(transaction, lamports, tokens);
  }
  return { unbalanced, unconserved, unconnected };
}

function isBalanced({ lamportsBefore, lamportsAfter, feeLamports }: ChainTransaction): boolean {
  let difference = -feeLamports;
  for (const lamports of lamportsBefore) difference += lamports;
  for (const lamports of lamportsAfter) difference -= lamports;
  return difference === 0n;
}

function mintsUnconserved({ tokenBalances }: ChainTransaction): number {
  const differences = new Map<string, bigint>();
  for (const { mint, before, after } of tokenBalances) {
    differences.set(mint, (differences.get(mint) ?? 0n) + after - before);
  }
  return [...differences.values()].filter((difference) => difference !== 0n).length;
}

/** Counts what does not follow from the balances so far, and takes note of the new ones. */
function connect(
  { keys, lamportsBefore, lamportsAfter, tokenBalances }: ChainTransaction,
  lamports: Map<string, bigint>,
  tokens: Map<string, bigint>,
): number {
  let unconnected = 0;
  for (let index = 0; index < lamportsAfter.length && index < keys.length; index++) {
    const key = keys.at(index);
    const known = lamports.get(key);
    if (known !== undefined && known !== lamportsBefore[index]) unconnected++;
    lamports.set(key, lamportsAfter[index] as bigint);
  }
  for (const { accountIndex, mint, before, after } of tokenBalances) {
    if (accountIndex >= keys.length) continue;
    const key = `${keys.at(accountIndex)} ${mint}`;
    const known = tokens.get(key);
    if (known !== undefined && known !== before) unconnected++;
    tokens.set(key, after);
  }
  return unconnected;
}
