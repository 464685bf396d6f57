import { SYSTEM_PROGRAM, VOTE_PROGRAM } from '../../src/model/program.ts';
import { address, signature } from './build-transaction.ts';

/** The record of a transfer, as a node answers it in the encoding json. */
export function rpcTransaction(word: string, lamports = 10) {
  return {
    version: 'legacy',
    meta: {
      err: null,
      fee: 5000,
      preBalances: [lamports, 0, 1],
      postBalances: [lamports, 0, 1],
      preTokenBalances: [],
      postTokenBalances: [],
      innerInstructions: [],
      logMessages: [],
    },
    transaction: {
      signatures: [signature(word) as string],
      message: {
        header: { numRequiredSignatures: 1 },
        accountKeys: [
          address('payer') as string,
          address(word) as string,
          SYSTEM_PROGRAM as string,
        ],
        instructions: [{ programIdIndex: 2, accounts: [0, 1], data: '3Bxs3zzLZLuLQEYX' }],
      },
    },
  };
}

/** The same as `getTransaction` answers it. */
export function rpcLoose(slot: number, word: string) {
  return { slot, blockTime: 1_700_000_000, ...rpcTransaction(word) };
}

/** A block of one vote and then the named transactions; its parent is the slot before. */
export function rpcBlock(slot: number, words: readonly string[], fork = 'main') {
  return {
    parentSlot: slot - 1,
    blockhash: address(`${fork} ${slot}`) as string,
    previousBlockhash: address(`${fork} ${slot - 1}`) as string,
    blockTime: 1_700_000_000,
    transactions: [rpcVote(), ...words.map((word) => rpcTransaction(word))],
  };
}

function rpcVote() {
  const vote = rpcTransaction('vote');
  const message = { ...vote.transaction.message, accountKeys: [VOTE_PROGRAM as string] };
  const instructions = [{ programIdIndex: 0, accounts: [], data: '' }];
  return { ...vote, transaction: { ...vote.transaction, message: { ...message, instructions } } };
}
