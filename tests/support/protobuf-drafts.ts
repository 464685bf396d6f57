import bs58 from 'bs58';
import { SPL_TOKEN_PROGRAM, SYSTEM_PROGRAM, VOTE_PROGRAM } from '../../src/model/program.ts';
import { address, signature } from './build-transaction.ts';
import type { Message } from './protobuf-messages.ts';

/**
 * One v0 transaction as ledgers store it: the payer sends lamports to a looked-up account, then
 * calls a router that moves 250.000000 tokens. Tests change the fields that they need.
 */
export const PAYER = address('payer');
export const SOURCE = address('source');
export const ROUTER = address('router');
export const TARGET = address('target');
export const DESTINATION = address('destination');
export const MINT = address('mint');
export const OWNER = address('other owner');
export const SIGNATURE = signature('drafted');
export const BLOCKHASH = address('blockhash');
export const PREVIOUS = address('previous');

export const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'));

export interface DraftParts {
  readonly message?: Message;
  readonly meta?: Message;
  readonly signatures?: readonly string[];
}

export function draftTransaction({ message, signatures = [SIGNATURE] }: DraftParts = {}): Message {
  return {
    signatures: signatures.map(bs58.decode),
    message: {
      header: { numRequiredSignatures: 1, numReadonlyUnsignedAccounts: 3 },
      accountKeys: [PAYER, SOURCE, SYSTEM_PROGRAM, ROUTER, SPL_TOKEN_PROGRAM].map(bs58.decode),
      recentBlockhash: bs58.decode(BLOCKHASH),
      instructions: [
        { programIdIndex: 2, accounts: bytes('0005'), data: bytes('02000000 40420f0000000000') },
        { programIdIndex: 3, accounts: bytes('000106'), data: bytes('ff00') },
      ],
      versioned: true,
      addressTableLookups: [
        {
          accountKey: bs58.decode(address('table')),
          writableIndexes: bytes('0309'),
          readonlyIndexes: bytes('c8'),
        },
      ],
      ...message,
    },
  };
}

export function draftMeta(changes: Message = {}): Message {
  return {
    fee: 5_000,
    preBalances: [10_000_000, 2_039_280, 1, 1, 1, 0, 2_039_280, '18446744073709551615'],
    postBalances: [8_995_000, 2_039_280, 1, 1, 1, 1_000_000, 2_039_280, '18446744073709551615'],
    innerInstructions: [
      {
        index: 1,
        instructions: [
          {
            programIdIndex: 4,
            accounts: bytes('01070600'),
            data: bytes('0c 80b2e60e00000000 06'),
            stackHeight: 2,
          },
        ],
      },
    ],
    logMessages: [`Program ${SYSTEM_PROGRAM} invoke [1]`, 'Program log: naïve ✓', ''],
    preTokenBalances: [tokenBalance(1, PAYER, '1000000000')],
    postTokenBalances: [tokenBalance(1, PAYER, '750000000'), tokenBalance(6, OWNER, '250000000')],
    rewards: [{ pubkey: PAYER, lamports: -5 }],
    loadedWritableAddresses: [TARGET, DESTINATION].map(bs58.decode),
    loadedReadonlyAddresses: [bs58.decode(MINT)],
    returnData: { programId: bs58.decode(ROUTER), data: bytes('01') },
    computeUnitsConsumed: 4_321,
    costUnits: 9,
    ...changes,
  };
}

export function tokenBalance(accountIndex: number, owner: string, amount: string): Message {
  const uiTokenAmount = { amount, decimals: 6, uiAmount: Number(amount) / 1e6, uiAmountString: '' };
  return { accountIndex, mint: MINT, owner, programId: SPL_TOKEN_PROGRAM, uiTokenAmount };
}

/** A vote; its bytes after the program ids cannot be parsed. */
export function draftVote(): Message {
  return {
    transaction: {
      message: {
        accountKeys: [PAYER, VOTE_PROGRAM].map(bs58.decode),
        instructions: [{ programIdIndex: 1 }],
      },
    },
    meta: { preBalances: [1] },
  };
}

export function draftBlock(transactions: readonly Message[], changes: Message = {}): Message {
  return {
    previousBlockhash: PREVIOUS,
    blockhash: BLOCKHASH,
    parentSlot: 299_999_997,
    transactions,
    rewards: [{ pubkey: PAYER, lamports: 7 }],
    blockTime: { timestamp: 1_730_000_000 },
    blockHeight: { blockHeight: 280_000_000 },
    ...changes,
  };
}

/** The expected result for the draft, written by hand. */
export const EXPECTED = {
  signature: SIGNATURE,
  txIndex: 1,
  version: 0,
  config: null,
  error: null,
  feeLamports: 5_000n,
  computeUnitsUsed: 4_321,
  signerCount: 1,
  usesLookupTables: true,
  keys: [PAYER, SOURCE, SYSTEM_PROGRAM, ROUTER, SPL_TOKEN_PROGRAM, TARGET, DESTINATION, MINT],
  lamportsBefore: [10_000_000n, 2_039_280n, 1n, 1n, 1n, 0n, 2_039_280n, 2n ** 64n - 1n],
  lamportsAfter: [8_995_000n, 2_039_280n, 1n, 1n, 1n, 1_000_000n, 2_039_280n, 2n ** 64n - 1n],
  logMessages: [`Program ${SYSTEM_PROGRAM} invoke [1]`, 'Program log: naïve ✓', ''],
  tokenBalances: [
    holding(1, PAYER, 1_000_000_000n, 750_000_000n),
    holding(6, OWNER, 0n, 250_000_000n),
  ],
  instructions: [
    {
      place: [0, 0, -1, 1],
      programId: SYSTEM_PROGRAM,
      accounts: [PAYER, TARGET],
      data: '0200000040420f0000000000',
    },
    {
      place: [1, 1, -1, 1],
      programId: ROUTER,
      accounts: [PAYER, SOURCE, DESTINATION],
      data: 'ff00',
    },
    {
      place: [2, 1, 0, 2],
      programId: SPL_TOKEN_PROGRAM,
      accounts: [SOURCE, MINT, DESTINATION, PAYER],
      data: '0c80b2e60e0000000006',
    },
  ],
};

function holding(accountIndex: number, owner: string, before: bigint, after: bigint) {
  const tokenProgram = SPL_TOKEN_PROGRAM;
  return { accountIndex, mint: MINT, owner, tokenProgram, decimals: 6, before, after };
}
