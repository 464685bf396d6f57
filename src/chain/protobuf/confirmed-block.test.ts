import bs58 from 'bs58';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plainTransaction } from '../../../tests/support/plain-transaction.ts';
import {
  BLOCKHASH,
  bytes,
  DESTINATION,
  type DraftParts,
  draftBlock,
  draftMeta,
  draftTransaction,
  draftVote,
  EXPECTED,
  PAYER,
  PREVIOUS,
  ROUTER,
  SIGNATURE,
  TARGET,
  tokenBalance,
} from '../../../tests/support/protobuf-drafts.ts';
import { encodeMessage, type Message } from '../../../tests/support/protobuf-messages.ts';
import { COMPUTE_BUDGET_PROGRAM, VOTE_PROGRAM } from '../../model/program.ts';
import type { ChainBlock, ChainTransaction } from '../../model/transaction.ts';
import { asSlot } from '../../model/units.ts';
import { isConfirmedBlock, readConfirmedBlock } from './confirmed-block.ts';

const record = (parts: DraftParts = {}): Message => ({
  transaction: draftTransaction(parts),
  meta: draftMeta(parts.meta),
});
const encode = (block: Message) => encodeMessage('ConfirmedBlock', block);
const WHOLE = encode(draftBlock([draftVote(), record()]));

function readOk(block: Message, slot: number | null = null): ChainBlock {
  const reading = readConfirmedBlock(encode(block), slot === null ? null : asSlot(slot));
  if (reading.status === 'refused') throw new Error(JSON.stringify(reading));
  return reading.value;
}

function readOne(parts: DraftParts): ChainTransaction {
  const [transaction] = readOk(draftBlock([record(parts)])).transactions;
  if (transaction === undefined) throw new Error('it was taken for a vote');
  return transaction;
}

function refusalOf(parts: DraftParts) {
  return readConfirmedBlock(encode(draftBlock([record(parts)])));
}

describe('readConfirmedBlock', () => {
  test('reads a block and its transactions as written', () => {
    const { transactions, ...head } = readOk(draftBlock([draftVote(), record()]));
    expect(head).toEqual({
      slot: 299_999_998,
      parentSlot: 299_999_997,
      blockhash: BLOCKHASH,
      previousBlockhash: PREVIOUS,
      blockTimeMs: 1_730_000_000_000,
      isWhole: true,
      voteCount: 1,
    });
    expect(transactions.map(plainTransaction)).toEqual([EXPECTED]);
  });

  test('uses the slot that is passed, because a block carries none', () => {
    expect(readOk(draftBlock([]), 300_000_005)).toMatchObject({
      slot: 300_000_005,
      parentSlot: 299_999_997,
    });
  });

  test('distinguishes an absent block time from zero', () => {
    expect(readOk(draftBlock([], { blockTime: null })).blockTimeMs).toBeNull();
    expect(readOk(draftBlock([], { blockTime: {} })).blockTimeMs).toBe(0);
    const past = readConfirmedBlock(encode(draftBlock([], { blockTime: { timestamp: -1 } })));
    expect(past).toMatchObject({
      code: 'bad-transaction',
      message: 'blockTime -1 is not a valid time',
    });
  });

  test('skips votes with a compute budget, but not votes with any other call', () => {
    const vote = (...programs: string[]) => ({
      accountKeys: [PAYER, ...programs].map(bs58.decode),
      instructions: programs.map((_, at) => ({ programIdIndex: at + 1 })),
    });
    const transactions = [
      { transaction: { message: vote(VOTE_PROGRAM, COMPUTE_BUDGET_PROGRAM) } },
      { transaction: { message: vote(COMPUTE_BUDGET_PROGRAM, VOTE_PROGRAM) } },
    ];
    expect(readOk(draftBlock(transactions)).voteCount).toBe(2);
    const mixed = encode(draftBlock([{ transaction: { message: vote(VOTE_PROGRAM, ROUTER) } }]));
    expect(readConfirmedBlock(mixed)).toMatchObject({ message: 'no signature' });
  });

  test('reads input that is part of a larger buffer', () => {
    const padded = Buffer.concat([Buffer.alloc(7, 255), WHOLE, Buffer.alloc(7, 255)]);
    const reading = readConfirmedBlock(padded.subarray(7, 7 + WHOLE.length));
    if (reading.status === 'refused') throw new Error(JSON.stringify(reading));
    expect(reading.value.transactions.map(plainTransaction)).toEqual([EXPECTED]);
  });

  test('reads fields in any order, and messages written in two parts', () => {
    const { previousBlockhash, blockhash, parentSlot, transactions } = draftBlock([record()]);
    const tail = encode({ parentSlot, blockhash });
    const reading = readConfirmedBlock(
      Buffer.concat([encode({ transactions }), tail, encode({ previousBlockhash })]),
    );
    if (reading.status === 'refused') throw new Error(JSON.stringify(reading));
    expect(reading.value).toMatchObject({ blockhash: BLOCKHASH, slot: 299_999_998 });
    expect(reading.value.transactions.map(plainTransaction)).toEqual([{ ...EXPECTED, txIndex: 0 }]);
  });
});

describe('a transaction', () => {
  const legacy = {
    message: { versioned: false, addressTableLookups: [], instructions: [] },
    meta: {
      preBalances: [1, 2, 3, 4, 5],
      postBalances: [1, 2, 3, 4, 5],
      innerInstructions: [],
      preTokenBalances: [],
      postTokenBalances: [],
      loadedWritableAddresses: [],
      loadedReadonlyAddresses: [],
    },
  };

  test('without the version flag is legacy', () => {
    expect(readOne(legacy)).toMatchObject({ version: 'legacy', usesLookupTables: false });
  });

  test('with a config is v1, and the config is read', () => {
    const config = {
      priorityFee: '18446744073709551615',
      computeUnitLimit: 450_000,
      loadedAccountsDataSizeLimit: 65_536,
      heapSize: 32_768,
    };
    const message = { ...legacy.message, versioned: true };
    expect(readOne({ ...legacy, message: { ...message, config } })).toMatchObject({
      version: 1,
      config: { priorityFeeLamports: 2n ** 64n - 1n, computeUnitLimit: 450_000 },
    });
    expect(readOne({ ...legacy, message: { ...message, config: {} } })).toMatchObject({
      version: 1,
      config: { priorityFeeLamports: null, computeUnitLimit: null },
    });
    const zero = { priorityFee: 0, computeUnitLimit: 0 };
    expect(readOne({ ...legacy, message: { ...message, config: zero } })).toMatchObject({
      config: { priorityFeeLamports: 0n, computeUnitLimit: 0 },
    });
  });

  test('that failed carries its error as getBlock shows it', () => {
    const err = { err: bytes('08000000 01 19000000 70170000') };
    expect(readOne({ meta: { err } }).error).toBe('{"InstructionError":[1,{"Custom":6000}]}');
  });

  test('of long ago lacks stack heights, compute units, owners and inner instructions', () => {
    const instructions = [{ programIdIndex: 4, accounts: bytes('01'), data: bytes('03') }];
    const transaction = readOne({
      meta: {
        innerInstructions: [{ instructions }],
        computeUnitsConsumed: null,
        preTokenBalances: [],
        postTokenBalances: [{ ...tokenBalance(1, '', '5'), programId: '' }],
      },
    });
    expect(transaction.computeUnitsUsed).toBeNull();
    expect(transaction.instructions.map((each) => each.stackHeight)).toEqual([1, 0, 1]);
    expect(transaction.tokenBalances).toMatchObject([{ owner: null, tokenProgram: null }]);
    const none = { ...legacy, meta: { ...legacy.meta, innerInstructionsNone: true } };
    const old = draftBlock([record(none)], { parentSlot: 18_144_000 });
    expect(readOk(old).transactions).toHaveLength(1);
    expect(refusalOf(none)).toMatchObject({ code: 'missing-meta' });
  });

  test('may contain a thousand inner instructions below each outer one, in several groups', () => {
    const group = (index: number) => ({
      index,
      instructions: Array.from({ length: 500 }, (_, at) => ({
        programIdIndex: 4,
        data: bytes(at < 250 ? '01' : '02'),
        stackHeight: 1 + (at % 64),
      })),
    });
    const innerInstructions = [group(1), group(0), group(1), group(0)];
    const { instructions } = readOne({ meta: { innerInstructions } });
    expect(instructions).toHaveLength(2_002);
    expect(instructions.map(({ index }) => index)).toEqual(
      Array.from({ length: 2_002 }, (_, at) => at),
    );
    expect(instructions[1_000]).toMatchObject({ outerIx: 0, innerIx: 999, stackHeight: 52 });
    expect(instructions[1_001]).toMatchObject({ outerIx: 1, innerIx: -1 });
  });
});

describe('a block is refused, with the transaction named,', () => {
  const refused = (code: string, message: string) => ({
    status: 'refused',
    code,
    position: `transaction 0, signature ${SIGNATURE}`,
    message,
  });
  const many = (count: number, value: unknown) => Array.from({ length: count }, () => value);

  test.each<[string, DraftParts, string, string]>([
    [
      'a balance is missing',
      { meta: { postBalances: [1] } },
      'bad-transaction',
      '1 balances of 8 keys',
    ],
    [
      'loaded addresses are missing',
      { meta: { loadedWritableAddresses: [bs58.decode(TARGET)] } },
      'missing-loaded-addresses',
      '2 of 3 loaded addresses',
    ],
    [
      'loaded addresses have swapped counts',
      {
        meta: {
          loadedWritableAddresses: [bs58.decode(TARGET)],
          loadedReadonlyAddresses: [TARGET, DESTINATION].map(bs58.decode),
        },
      },
      'missing-loaded-addresses',
      '3 of 3 loaded addresses',
    ],
    [
      'a loaded address is cut',
      { meta: { loadedReadonlyAddresses: [bytes('01')] } },
      'bad-transaction',
      'a loaded address has 1 bytes, not 32',
    ],
    [
      'an account index is beyond the keys',
      {
        message: { instructions: [{ programIdIndex: 3, accounts: bytes('0008') }] },
        meta: { innerInstructions: [] },
      },
      'bad-transaction',
      'account index 8 of 8',
    ],
    [
      'a program index is beyond the keys',
      {
        message: { instructions: [{ programIdIndex: 4_000_000_000 }] },
        meta: { innerInstructions: [] },
      },
      'bad-transaction',
      'program index 4000000000 of 8',
    ],
    [
      'inner instructions belong to no instruction',
      { meta: { innerInstructions: [{ index: 2 }] } },
      'bad-transaction',
      'inner instruction index 2 of 2',
    ],
    [
      'a token balance belongs to no account',
      { meta: { preTokenBalances: [tokenBalance(8, PAYER, '1')] } },
      'bad-transaction',
      'token balance of account 8 of 8',
    ],
    [
      'a token amount exceeds 64 bits',
      { meta: { preTokenBalances: [tokenBalance(1, PAYER, '18446744073709551616')] } },
      'bad-transaction',
      'token amount is not an unsigned 64-bit integer',
    ],
    [
      'an owner is not an address',
      { meta: { preTokenBalances: [tokenBalance(1, 'nobody', '1')] } },
      'bad-address',
      'token account owner is not an address: "nobody"',
    ],
    [
      'it has more balances than there can be keys',
      { meta: { preBalances: many(257, 0) } },
      'bad-transaction',
      'more than 256 balances',
    ],
    [
      'it has more token balances than there can be keys',
      { meta: { preTokenBalances: many(257, tokenBalance(1, PAYER, '1')) } },
      'bad-transaction',
      'more than 256 token balances',
    ],
    [
      'it contains more inner instructions than can be executed',
      { meta: { innerInstructions: [{ index: 1, instructions: many(16_384, {}) }] } },
      'bad-transaction',
      'more than 16384 instructions',
    ],
    [
      'its error is too long',
      { meta: { err: { err: new Uint8Array(1_025) } } },
      'bad-transaction',
      'an error of more than 1024 bytes',
    ],
  ])('where %s', (_, parts, code, message) => {
    expect(refusalOf(parts)).toEqual(refused(code, message));
  });

  test.each<[string, DraftParts, string]>([
    ['there is no signature', { signatures: [] }, 'no signature'],
    ['a signature is cut', { signatures: ['2'] }, 'a signature has 1 bytes, not 64'],
    [
      'there are more signatures than the header says',
      { signatures: [SIGNATURE, SIGNATURE] },
      'signatures do not match the header',
    ],
    [
      'there are more signers than keys',
      {
        signatures: many(9, SIGNATURE) as string[],
        message: { header: { numRequiredSignatures: 9 } },
      },
      '9 signers of 5 keys',
    ],
    ['a key is cut', { message: { accountKeys: [bytes('07')] } }, 'a key has 1 bytes, not 32'],
    [
      'there are more keys than one byte can address',
      { message: { accountKeys: many(257, bs58.decode(PAYER)) } },
      'more than 256 keys',
    ],
    [
      'a legacy transaction uses address lookups',
      { message: { versioned: false } },
      'address lookups in a transaction of version legacy',
    ],
    [
      'a v1 transaction uses address lookups',
      { message: { config: {} } },
      'address lookups in a transaction of version 1',
    ],
  ])('where %s', (_, parts, message) => {
    const position = 'transaction 0';
    expect(refusalOf(parts)).toEqual({
      status: 'refused',
      code: 'bad-transaction',
      position,
      message,
    });
  });

  test('where the meta is missing', () => {
    const block = encode(draftBlock([draftVote(), { transaction: draftTransaction() }]));
    expect(readConfirmedBlock(block)).toEqual({
      status: 'refused',
      code: 'missing-meta',
      position: `transaction 1, signature ${SIGNATURE}`,
      message: 'meta is missing',
    });
  });
});

describe('hostile bytes', () => {
  /** Where fields of the block itself end: cut there, the rest is a shorter block. */
  function fieldEnds(): Set<number> {
    const fields = Object.entries(draftBlock([draftVote(), record()]));
    const cut = (count: number) => Object.fromEntries(fields.slice(0, count));
    const ends = fields.map((_, at) => encode(cut(at)).length);
    return new Set([...ends, encode({ ...cut(3), transactions: [draftVote()] }).length]);
  }

  test('cut off at any byte are refused, unless the cut is between two fields', () => {
    const ends = fieldEnds();
    for (let length = 0; length < WHOLE.length; length++) {
      const { status } = readConfirmedBlock(WHOLE.subarray(0, length));
      expect([length, status]).toEqual([length, ends.has(length) ? 'ok' : 'refused']);
    }
  });

  test('never throw', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (hostile) => {
        expect(['ok', 'refused']).toContain(readConfirmedBlock(hostile).status);
      }),
      { numRuns: 2_000 },
    );
  });

  test('never throw wherever a block is changed, and never yield an index beyond the keys', () => {
    const change = fc.tuple(fc.nat(WHOLE.length - 1), fc.nat(255));
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
        const hostile = WHOLE.slice();
        for (const [at, value] of changes) hostile[at] = value;
        const reading = readConfirmedBlock(hostile);
        if (reading.status === 'refused') return;
        for (const { keys, instructions } of reading.value.transactions) {
          for (const { programIndex, accountIndexes } of instructions) {
            const greatest = Math.max(programIndex, ...Array.from(accountIndexes));
            expect(greatest).toBeLessThan(keys.length);
          }
        }
      }),
      { numRuns: 5_000 },
    );
  });

  test('that claim more than there is are refused at once', () => {
    const promised = Buffer.concat([WHOLE, bytes('22 ff ff ff ff 7f')]);
    expect(readConfirmedBlock(promised)).toMatchObject({ code: 'bad-encoding' });
    expect(readConfirmedBlock(bytes('22 ff ff ff ff ff ff ff ff ff 01'))).toMatchObject({
      message: 'an integer exceeds 2^53 at byte 11',
    });
  });
});

describe('isConfirmedBlock', () => {
  test('recognises a block by its two hashes and nothing else', () => {
    expect(isConfirmedBlock(WHOLE)).toBe(true);
    expect(isConfirmedBlock(WHOLE.subarray(0, 60))).toBe(false);
    expect(isConfirmedBlock(new Uint8Array(0))).toBe(false);
    expect(isConfirmedBlock(Buffer.from('{"blockhash":"x"}'))).toBe(false);
    expect(isConfirmedBlock(Buffer.from(`\n,${'1'.repeat(44)}\n`))).toBe(false);
    expect(isConfirmedBlock(encode({ blockhash: BLOCKHASH, parentSlot: 5 }))).toBe(false);
  });
});
