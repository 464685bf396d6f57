import { readTransaction } from '../../src/chain/rpc-json/read-block.ts';
import { SYSTEM_PROGRAM } from '../../src/model/program.ts';
import { address, signature } from './build-transaction.ts';

/** What a test changes of a record. */
export interface RecordParts {
  readonly meta?: object | null;
  readonly message?: object;
  readonly record?: object;
}

/** A slot long after the ledger began to record inner instructions. */
export const RECENT_SLOT = 300_000_000;

/** A transfer of zero in the encoding json, with the changes of a test. */
export function rpcRecord({ meta = {}, message = {}, record = {} }: RecordParts = {}) {
  return {
    slot: RECENT_SLOT,
    blockTime: 1_700_000_000,
    version: 'legacy',
    meta: meta === null ? null : { ...META, ...meta },
    transaction: {
      signatures: [signature('one') as string],
      message: {
        header: { numRequiredSignatures: 1 },
        accountKeys: [address('payer') as string, address('target') as string, SYSTEM_PROGRAM],
        instructions: [{ programIdIndex: 2, accounts: [0, 1], data: '3Bxs3zzLZLuLQEYX' }],
        ...message,
      },
    },
    ...record,
  };
}

const META = {
  err: null,
  fee: 5000,
  preBalances: [10, 0, 1],
  postBalances: [10, 0, 1],
  preTokenBalances: [],
  postTokenBalances: [],
  innerInstructions: [],
  logMessages: [],
};

/** One token account with the key index 1. */
export function rpcTokenBalance(
  owner: string | undefined,
  amount: string,
  mint: string = address('mint'),
) {
  return { accountIndex: 1, mint, owner, uiTokenAmount: { amount, decimals: 6 } };
}

/** The result for a record that must be readable. */
export function readParts(parts: RecordParts) {
  const reading = readTransaction(rpcRecord(parts));
  if (reading.status !== 'ok') throw new Error(JSON.stringify(reading));
  return reading.value;
}
