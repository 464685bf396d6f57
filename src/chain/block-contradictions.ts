import type { ChainBlock, ChainTransaction } from '../model/transaction.ts';

/** Counts of contradictions between the balances of a block. */
export interface BlockContradictions {
  /** Transactions that create or destroy lamports: sum before ≠ sum after + fee. */
  readonly unbalanced: number;
  /** Mints whose total over a transaction's accounts changes, counted per transaction. */
  readonly unconserved: number;
  /**
   * Balances before a transaction that differ from what the previous one in the block left there.
   */
  readonly unconnected: number;
}

/**
 * Cross-checks the balances of a whole block. The runtime lets no transaction create or destroy
 * lamports, so `unbalanced` is 0 for every genuine block. The other counts are not: tokens are
 * minted, burned and withheld, and votes, which are omitted from blocks here, move lamports. They
 * serve to compare two versions of one block, of which the genuine one has fewer.
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

/** Counts balances that do not follow from the known ones, and records the new ones. */
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
