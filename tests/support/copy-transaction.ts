import type { ChainTransaction } from '../../src/model/transaction.ts';

/** A transaction with some fields replaced, independent of how it stores the others. */
export function copyTransaction(
  transaction: ChainTransaction,
  changes: Partial<ChainTransaction>,
): ChainTransaction {
  return {
    signature: transaction.signature,
    txIndex: transaction.txIndex,
    version: transaction.version,
    config: transaction.config,
    error: transaction.error,
    feeLamports: transaction.feeLamports,
    computeUnitsUsed: transaction.computeUnitsUsed,
    keys: transaction.keys,
    signerCount: transaction.signerCount,
    usesLookupTables: transaction.usesLookupTables,
    instructions: transaction.instructions,
    lamportsBefore: transaction.lamportsBefore,
    lamportsAfter: transaction.lamportsAfter,
    tokenBalances: transaction.tokenBalances,
    logMessages: transaction.logMessages,
    ...changes,
  };
}
