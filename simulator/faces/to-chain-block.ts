import { AccountKeys } from '../../src/model/account-keys.ts';
import { Instruction } from '../../src/model/instruction.ts';
import type { ChainBlock, ChainTransaction, TokenBalance } from '../../src/model/transaction.ts';
import { asSlot } from '../../src/model/units.ts';
import type {
  SimulatedBlock,
  SimulatedTokenBalance,
  SimulatedTransaction,
} from '../chain/simulated-transaction.ts';
import { keysOf } from './format-instructions.ts';

/** Converts a block to the form that every source yields, without the detour through JSON. */
export function toChainBlock(block: SimulatedBlock): ChainBlock {
  const transactions: ChainTransaction[] = [];
  block.transactions.forEach((transaction, txIndex) => {
    if (!transaction.isVote) transactions.push(toChainTransaction(transaction, txIndex));
  });
  return {
    slot: asSlot(block.slot),
    parentSlot: asSlot(block.parentSlot),
    blockhash: block.blockhash,
    previousBlockhash: block.previousBlockhash,
    blockTimeMs: block.blockTime * 1_000,
    isWhole: true,
    transactions,
    voteCount: block.transactions.length - transactions.length,
  };
}

function toChainTransaction(transaction: SimulatedTransaction, txIndex: number): ChainTransaction {
  const keys = AccountKeys.ofTexts(keysOf(transaction));
  const { signatures, error } = transaction;
  return {
    signature: signatures[0] as ChainTransaction['signature'],
    txIndex,
    version: transaction.version,
    config: null,
    error: error === null ? null : JSON.stringify(error),
    feeLamports: transaction.feeLamports,
    computeUnitsUsed: transaction.computeUnitsUsed,
    keys,
    signerCount: transaction.header.requiredSignatures,
    usesLookupTables: transaction.lookups.length > 0,
    instructions: transaction.instructions.map(
      (instruction, index) =>
        new Instruction(
          keys,
          { ...placeOf(instruction), index },
          instruction.programIndex,
          instruction.accountIndexes,
          instruction.data,
        ),
    ),
    lamportsBefore: transaction.lamportsBefore,
    lamportsAfter: transaction.lamportsAfter,
    tokenBalances: toTokenBalances(transaction.tokenBalances),
    logMessages: transaction.logs,
  };
}

function placeOf({ outerIx, innerIx, stackHeight }: SimulatedTransaction['instructions'][number]) {
  return { outerIx, innerIx, stackHeight };
}

/** Accounts that existed before come first: a node lists them apart from new ones. */
function toTokenBalances(balances: readonly SimulatedTokenBalance[]): TokenBalance[] {
  const known = balances.filter(({ beforeRaw }) => beforeRaw !== null);
  const added = balances.filter(
    ({ beforeRaw, afterRaw }) => beforeRaw === null && afterRaw !== null,
  );
  return [...known, ...added].map(({ beforeRaw, afterRaw, ...rest }) => ({
    ...rest,
    before: beforeRaw ?? 0n,
    after: afterRaw ?? 0n,
  }));
}
