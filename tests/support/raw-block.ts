import { encodeBase58 } from '../../src/lib/base58.ts';
import type { ChainTransaction } from '../../src/model/transaction.ts';
import { address, buildTransaction, type TransactionDraft } from './build-transaction.ts';

/** A block as a test writes it. */
export interface BlockDraft {
  readonly slot: number;
  readonly parentSlot?: number;
  /** Seconds since 1970. */
  readonly blockTime?: number | null;
  readonly transactions: readonly TransactionDraft[];
}

/** The getBlock answer of a node for a drafted block, with encoding json. */
export function rawBlock(draft: BlockDraft): Record<string, unknown> {
  const parentSlot = draft.parentSlot ?? draft.slot - 1;
  return {
    blockhash: address(`block ${draft.slot}`),
    previousBlockhash: address(`block ${parentSlot}`),
    parentSlot,
    blockHeight: draft.slot,
    blockTime: draft.blockTime === undefined ? 1_700_000_000 + draft.slot : draft.blockTime,
    transactions: draft.transactions.map((transaction) =>
      rawTransaction(buildTransaction(transaction)),
    ),
  };
}

/** One transaction of a getBlock answer, encoding json. */
export function rawTransaction(transaction: ChainTransaction): Record<string, unknown> {
  const { keys, instructions, tokenBalances } = transaction;
  const accountKeys = Array.from({ length: keys.length }, (_, index) => keys.at(index));
  const outer = instructions.filter((instruction) => instruction.innerIx < 0);
  return {
    transaction: {
      signatures: [transaction.signature],
      message: {
        header: {
          numRequiredSignatures: transaction.signerCount,
          numReadonlySignedAccounts: 0,
          numReadonlyUnsignedAccounts: 0,
        },
        accountKeys,
        recentBlockhash: address('recent'),
        instructions: outer.map(rawInstruction),
      },
    },
    meta: {
      err: transaction.error === null ? null : JSON.parse(transaction.error),
      fee: Number(transaction.feeLamports),
      preBalances: transaction.lamportsBefore.map(Number),
      postBalances: transaction.lamportsAfter.map(Number),
      innerInstructions: outer.map(({ outerIx }) => ({
        index: outerIx,
        instructions: instructions
          .filter((inner) => inner.outerIx === outerIx && inner.innerIx >= 0)
          .map(rawInstruction),
      })),
      logMessages: transaction.logMessages,
      preTokenBalances: tokenBalances.map((balance) => rawBalance(balance, balance.before)),
      postTokenBalances: tokenBalances.map((balance) => rawBalance(balance, balance.after)),
      loadedAddresses: { writable: [], readonly: [] },
      computeUnitsConsumed: 1_000,
    },
    version: 'legacy',
  };
}

function rawInstruction(instruction: ChainTransaction['instructions'][number]) {
  return {
    programIdIndex: instruction.programIndex,
    accounts: Array.from(instruction.accountIndexes),
    data: encodeBase58(instruction.data),
    stackHeight: instruction.stackHeight === 0 ? null : instruction.stackHeight,
  };
}

function rawBalance(balance: ChainTransaction['tokenBalances'][number], amount: bigint) {
  return {
    accountIndex: balance.accountIndex,
    mint: balance.mint,
    owner: balance.owner ?? undefined,
    uiTokenAmount: {
      amount: amount.toString(),
      decimals: balance.decimals,
      uiAmount: null,
      uiAmountString: '',
    },
  };
}
