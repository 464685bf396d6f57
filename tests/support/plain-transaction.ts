import type { ChainTransaction } from '../../src/model/transaction.ts';

/** A transaction in comparable values, independent of the form of its keys and data. */
export function plainTransaction(transaction: ChainTransaction | null) {
  if (transaction === null) return null;
  const { keys, instructions } = transaction;
  return {
    signature: transaction.signature,
    txIndex: transaction.txIndex,
    version: transaction.version,
    config: transaction.config,
    error: transaction.error,
    feeLamports: transaction.feeLamports,
    computeUnitsUsed: transaction.computeUnitsUsed,
    signerCount: transaction.signerCount,
    usesLookupTables: transaction.usesLookupTables,
    lamportsBefore: transaction.lamportsBefore,
    lamportsAfter: transaction.lamportsAfter,
    tokenBalances: transaction.tokenBalances,
    logMessages: transaction.logMessages,
    keys: Array.from({ length: keys.length }, (_, index) => keys.at(index)),
    instructions: instructions.map((instruction) => ({
      place: [instruction.index, instruction.outerIx, instruction.innerIx, instruction.stackHeight],
      programId: instruction.programId,
      accounts: Array.from({ length: instruction.accountCount }, (_, at) =>
        instruction.account(at),
      ),
      data: Buffer.from(instruction.data).toString('hex'),
    })),
  };
}
