import bs58 from 'bs58';
import { describe, expect, test } from 'vitest';
import { address, signature } from '../../../tests/support/build-transaction.ts';
import { plainTransaction } from '../../../tests/support/plain-transaction.ts';
import { SPL_TOKEN_PROGRAM, SYSTEM_PROGRAM, VOTE_PROGRAM } from '../../model/program.ts';
import { readBlock, readTransaction } from './read-block.ts';

/**
 * One v0 transaction, written by hand in the four encodings: the payer sends 1,000,000 lamports to
 * a looked-up account, then calls a router that moves 250.000000 tokens.
 */
const PAYER = address('payer');
const SOURCE = address('source');
const ROUTER = address('router');
const TABLE = address('table');
const TARGET = address('target');
const DESTINATION = address('destination');
const MINT = address('mint');
const OWNER = address('other owner');
const BLOCKHASH = address('blockhash');
const SIGNATURE = signature('hand written');

const LAMPORTS_HEX = '40420f0000000000';
const SYSTEM_TRANSFER = `02000000${LAMPORTS_HEX}`;
const ROUTER_CALL = 'ff00';
const TRANSFER_CHECKED = '0c80b2e60e0000000006';

const META = {
  err: null,
  fee: 5000,
  preBalances: [10_000_000, 2_039_280, 1, 1, 1, 0, 2_039_280, 1_461_600],
  postBalances: [8_995_000, 2_039_280, 1, 1, 1, 1_000_000, 2_039_280, 1_461_600],
  preTokenBalances: [tokenBalance(1, PAYER, '1000000000')],
  postTokenBalances: [tokenBalance(1, PAYER, '750000000'), tokenBalance(6, OWNER, '250000000')],
  logMessages: [`Program ${SYSTEM_PROGRAM} invoke [1]`, `Program ${ROUTER} invoke [1]`],
  computeUnitsConsumed: 4_321,
};
const LOADED = { writable: [TARGET, DESTINATION], readonly: [MINT] };
const INNER = [
  {
    index: 1,
    instructions: [
      { programIdIndex: 4, accounts: [1, 7, 6, 0], data: base58(TRANSFER_CHECKED), stackHeight: 2 },
    ],
  },
];

const JSON_RECORD = {
  slot: 300_000_000,
  blockTime: 1_730_000_000,
  version: 0,
  meta: { ...META, loadedAddresses: LOADED, innerInstructions: INNER },
  transaction: {
    signatures: [SIGNATURE],
    message: {
      header: {
        numRequiredSignatures: 1,
        numReadonlySignedAccounts: 0,
        numReadonlyUnsignedAccounts: 3,
      },
      accountKeys: [PAYER, SOURCE, SYSTEM_PROGRAM, ROUTER, SPL_TOKEN_PROGRAM],
      recentBlockhash: BLOCKHASH,
      instructions: [
        { programIdIndex: 2, accounts: [0, 5], data: base58(SYSTEM_TRANSFER), stackHeight: null },
        { programIdIndex: 3, accounts: [0, 1, 6], data: base58(ROUTER_CALL), stackHeight: null },
      ],
      addressTableLookups: [{ accountKey: TABLE, writableIndexes: [3, 9], readonlyIndexes: [200] }],
    },
  },
};

/** Signatures, v0, header, static keys, blockhash, instructions, lookups. */
const WIRE = Buffer.concat([
  Buffer.from([1]),
  bs58.decode(SIGNATURE),
  Buffer.from('80010003', 'hex'),
  Buffer.from([5]),
  ...[PAYER, SOURCE, SYSTEM_PROGRAM, ROUTER, SPL_TOKEN_PROGRAM, BLOCKHASH].map(bs58.decode),
  Buffer.from(
    `02 02 02 0005 0c ${SYSTEM_TRANSFER} 03 03 000106 02 ${ROUTER_CALL}`.replaceAll(' ', ''),
    'hex',
  ),
  Buffer.from([1]),
  bs58.decode(TABLE),
  Buffer.from('02030901c8', 'hex'),
]);

const PARSED_RECORD = {
  ...JSON_RECORD,
  meta: {
    ...META,
    innerInstructions: [
      {
        index: 1,
        instructions: [
          {
            program: 'spl-token',
            programId: SPL_TOKEN_PROGRAM,
            parsed: {
              type: 'transferChecked',
              info: {
                source: SOURCE,
                mint: MINT,
                destination: DESTINATION,
                authority: PAYER,
                tokenAmount: {
                  amount: '250000000',
                  decimals: 6,
                  uiAmount: 250,
                  uiAmountString: '250',
                },
              },
            },
            stackHeight: 2,
          },
        ],
      },
    ],
  },
  transaction: {
    signatures: [SIGNATURE],
    message: {
      accountKeys: [
        { pubkey: PAYER, signer: true, writable: true, source: 'transaction' },
        { pubkey: SOURCE, signer: false, writable: true, source: 'transaction' },
        { pubkey: SYSTEM_PROGRAM, signer: false, writable: false, source: 'transaction' },
        { pubkey: ROUTER, signer: false, writable: false, source: 'transaction' },
        { pubkey: SPL_TOKEN_PROGRAM, signer: false, writable: false, source: 'transaction' },
        { pubkey: TARGET, signer: false, writable: true, source: 'lookupTable' },
        { pubkey: DESTINATION, signer: false, writable: true, source: 'lookupTable' },
        { pubkey: MINT, signer: false, writable: false, source: 'lookupTable' },
      ],
      recentBlockhash: BLOCKHASH,
      instructions: [
        {
          program: 'system',
          programId: SYSTEM_PROGRAM,
          parsed: {
            type: 'transfer',
            info: { source: PAYER, destination: TARGET, lamports: 1_000_000 },
          },
          stackHeight: null,
        },
        {
          programId: ROUTER,
          accounts: [PAYER, SOURCE, DESTINATION],
          data: base58(ROUTER_CALL),
          stackHeight: null,
        },
      ],
      addressTableLookups: [{ accountKey: TABLE, writableIndexes: [3, 9], readonlyIndexes: [200] }],
    },
  },
};

const ENCODINGS = {
  json: JSON_RECORD,
  jsonParsed: PARSED_RECORD,
  base64: { ...JSON_RECORD, transaction: [WIRE.toString('base64'), 'base64'] },
  base58: { ...JSON_RECORD, transaction: [bs58.encode(WIRE), 'base58'] },
  'bare base58': { ...JSON_RECORD, transaction: bs58.encode(WIRE) },
} as const;

const EXPECTED = {
  signature: SIGNATURE,
  txIndex: null,
  version: 0,
  config: null,
  error: null,
  feeLamports: 5_000n,
  computeUnitsUsed: 4_321,
  signerCount: 1,
  usesLookupTables: true,
  keys: [PAYER, SOURCE, SYSTEM_PROGRAM, ROUTER, SPL_TOKEN_PROGRAM, TARGET, DESTINATION, MINT],
  lamportsBefore: [10_000_000n, 2_039_280n, 1n, 1n, 1n, 0n, 2_039_280n, 1_461_600n],
  lamportsAfter: [8_995_000n, 2_039_280n, 1n, 1n, 1n, 1_000_000n, 2_039_280n, 1_461_600n],
  logMessages: META.logMessages,
  tokenBalances: [
    {
      accountIndex: 1,
      mint: MINT,
      owner: PAYER,
      tokenProgram: SPL_TOKEN_PROGRAM,
      decimals: 6,
      before: 1_000_000_000n,
      after: 750_000_000n,
    },
    {
      accountIndex: 6,
      mint: MINT,
      owner: OWNER,
      tokenProgram: SPL_TOKEN_PROGRAM,
      decimals: 6,
      before: 0n,
      after: 250_000_000n,
    },
  ],
  instructions: [
    {
      place: [0, 0, -1, 1],
      programId: SYSTEM_PROGRAM,
      accounts: [PAYER, TARGET],
      data: SYSTEM_TRANSFER,
    },
    {
      place: [1, 1, -1, 1],
      programId: ROUTER,
      accounts: [PAYER, SOURCE, DESTINATION],
      data: ROUTER_CALL,
    },
    {
      place: [2, 1, 0, 2],
      programId: SPL_TOKEN_PROGRAM,
      accounts: [SOURCE, MINT, DESTINATION, PAYER],
      data: TRANSFER_CHECKED,
    },
  ],
};

describe('a transaction', () => {
  test.each(Object.entries(ENCODINGS))('is the same in the encoding %s', (_, record) => {
    const reading = readTransaction(record);
    if (reading.status !== 'ok') throw new Error(JSON.stringify(reading));
    expect(reading.value.slot).toBe(300_000_000);
    expect(reading.value.blockTimeMs).toBe(1_730_000_000_000);
    expect(plainTransaction(reading.value.transaction)).toEqual(EXPECTED);
  });

  test.each(Object.entries(ENCODINGS))('is read in a block in the encoding %s', (_, record) => {
    const { transaction, meta, version } = record;
    const block = {
      blockhash: BLOCKHASH,
      previousBlockhash: TABLE,
      parentSlot: 299_999_997,
      blockTime: null,
      transactions: [vote(), { transaction, meta, version }],
    };
    for (const answer of [block, { result: block }, { jsonrpc: '2.0', id: 1, result: block }]) {
      const reading = readBlock(answer);
      if (reading.status !== 'ok') throw new Error(JSON.stringify(reading));
      const { transactions, ...rest } = reading.value;
      expect(rest).toEqual({
        slot: 299_999_998,
        parentSlot: 299_999_997,
        blockhash: BLOCKHASH,
        previousBlockhash: TABLE,
        blockTimeMs: null,
        isWhole: true,
        voteCount: 1,
      });
      expect(transactions.map(plainTransaction)).toEqual([{ ...EXPECTED, txIndex: 1 }]);
    }
  });
});

function tokenBalance(accountIndex: number, owner: string, amount: string) {
  return {
    accountIndex,
    mint: address('mint'),
    owner,
    programId: SPL_TOKEN_PROGRAM,
    uiTokenAmount: { amount, decimals: 6, uiAmount: Number(amount) / 1e6, uiAmountString: '' },
  };
}

/** A vote in which only the programs are valid: reading anything else fails. */
function vote() {
  const instruction = { programIdIndex: 1, accounts: 'nonsense', data: 5 };
  return {
    meta: { err: null },
    transaction: {
      signatures: ['x'],
      message: {
        accountKeys: [PAYER, VOTE_PROGRAM],
        header: { numRequiredSignatures: 1 },
        instructions: [instruction],
      },
    },
  };
}

function base58(hex: string): string {
  return bs58.encode(Buffer.from(hex, 'hex'));
}
