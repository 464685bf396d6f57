import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { address, signature } from '../../../tests/support/build-transaction.ts';
import { parseLossless } from '../../lib/lossless-json.ts';
import { SYSTEM_PROGRAM, VOTE_PROGRAM } from '../../model/program.ts';
import { readBlock, readTransaction } from './read-block.ts';

const PAYER = address('payer');
const TARGET = address('target');
const MINT = address('mint');
const ALICE = address('alice');
const BOB = address('bob');
const SIGNATURE = signature('one');
/** Long after the ledger began to record inner instructions. */
const SLOT = 300_000_000;

interface Parts {
  readonly meta?: object | null;
  readonly message?: object;
  readonly record?: object;
  readonly without?: readonly string[];
}

/** A transfer of nothing, with whatever a test changes. */
function record({ meta = {}, message = {}, record: rest = {}, without = [] }: Parts = {}) {
  const fullMeta = {
    err: null,
    fee: 5000,
    preBalances: [10, 0, 1],
    postBalances: [10, 0, 1],
    preTokenBalances: [],
    postTokenBalances: [],
    innerInstructions: [],
    logMessages: [],
    ...meta,
  };
  for (const field of without) delete (fullMeta as Record<string, unknown>)[field];
  return {
    slot: SLOT,
    blockTime: 1_700_000_000,
    version: 'legacy',
    meta: meta === null ? null : fullMeta,
    transaction: {
      signatures: [SIGNATURE],
      message: {
        header: { numRequiredSignatures: 1 },
        accountKeys: [PAYER, TARGET, SYSTEM_PROGRAM],
        instructions: [{ programIdIndex: 2, accounts: [0, 1], data: '3Bxs3zzLZLuLQEYX' }],
        ...message,
      },
    },
    ...rest,
  };
}

function tokenBalance(owner: string | undefined, amount: string, mint: string = MINT) {
  return { accountIndex: 1, mint, owner, uiTokenAmount: { amount, decimals: 6 } };
}

function read(parts: Parts) {
  const reading = readTransaction(record(parts));
  if (reading.status !== 'ok') throw new Error(JSON.stringify(reading));
  return reading.value;
}

const LOOKUPS = { addressTableLookups: [{ writableIndexes: [1], readonlyIndexes: [] }] };

describe('a record that cannot be believed', () => {
  test.each<[string, string, Parts]>([
    ['missing-meta', 'meta is missing', { meta: null }],
    ['missing-meta', 'innerInstructions is missing', { meta: { innerInstructions: null } }],
    ['missing-meta', 'innerInstructions is missing', { without: ['innerInstructions'] }],
    ['missing-meta', 'postTokenBalances is missing', { meta: { postTokenBalances: null } }],
    ['missing-loaded-addresses', 'loadedAddresses is missing', { message: LOOKUPS }],
    [
      'missing-loaded-addresses',
      '0 of 1 loaded addresses',
      { message: LOOKUPS, meta: { loadedAddresses: { writable: [], readonly: [] } } },
    ],
    [
      'bad-address',
      'loaded address is not an address: "short"',
      { message: LOOKUPS, meta: { loadedAddresses: { writable: ['short'], readonly: [] } } },
    ],
    [
      'bad-address',
      `account key is not an address: "${PAYER}1"`,
      { message: { accountKeys: [`${PAYER}1`, TARGET, SYSTEM_PROGRAM] } },
    ],
    [
      'bad-address',
      'mint is not an address: "x"',
      { meta: { preTokenBalances: [tokenBalance(ALICE, '1', 'x')] } },
    ],
    [
      'bad-address',
      'token account owner is not an address: "y"',
      { meta: { postTokenBalances: [tokenBalance('y', '1')] } },
    ],
    ['unsupported-version', 'transaction version 2', { record: { version: 2 } }],
    ['bad-transaction', 'preBalances has 2 of 3', { meta: { preBalances: [1, 2] } }],
    [
      'bad-transaction',
      'postBalances is not an unsigned 64-bit integer',
      { meta: { postBalances: [-1, 0, 1] } },
    ],
    [
      'bad-transaction',
      'postBalances is not an unsigned 64-bit integer',
      { meta: { postBalances: ['18446744073709551616', 0, 1] } },
    ],
    ['bad-transaction', 'fee is not an unsigned 64-bit integer', { meta: { fee: 1.5 } }],
    [
      'bad-transaction',
      'token amount is not an unsigned 64-bit integer',
      { meta: { preTokenBalances: [tokenBalance(ALICE, '0x10')] } },
    ],
    [
      'bad-transaction',
      'token balance of account 3 of 3',
      { meta: { preTokenBalances: [{ ...tokenBalance(ALICE, '1'), accountIndex: 3 }] } },
    ],
    [
      'bad-transaction',
      'account index 3 of 3',
      { message: { instructions: [{ programIdIndex: 2, accounts: [0, 3], data: '' }] } },
    ],
    [
      'bad-transaction',
      'account index "1" of 3',
      { message: { instructions: [{ programIdIndex: 2, accounts: ['1'], data: '' }] } },
    ],
    [
      'bad-transaction',
      'program index -1 of 3',
      { message: { instructions: [{ programIdIndex: -1, accounts: [], data: '' }] } },
    ],
    [
      'bad-transaction',
      'inner instruction index 1 of 1',
      { meta: { innerInstructions: [{ index: 1, instructions: [] }] } },
    ],
    [
      'bad-encoding',
      'instruction data is not base58',
      { message: { instructions: [{ programIdIndex: 2, accounts: [], data: '0OIl' }] } },
    ],
    [
      'bad-transaction',
      '4 signers of 3 keys',
      { message: { header: { numRequiredSignatures: 4 } } },
    ],
  ])('is refused as %s: %s', (code, message, parts) => {
    const position = `signature ${SIGNATURE}`;
    const refusal = { status: 'refused', code, message };
    expect(readTransaction(record(parts))).toEqual({ ...refusal, position });
    const block = { parentSlot: SLOT - 1, transactions: [record(), record(parts)] };
    expect(readBlock(block)).toEqual({ ...refusal, position: `transaction 1, ${position}` });
  });

  test.each([
    ['transaction is not base58', ['0', 'base58']],
    ['transaction is not base64', ['AAA*', 'base64']],
    ['transaction is not base64', ['AAAAA', 'base64']],
    ['unknown encoding "base64+zstd"', ['AAAA', 'base64+zstd']],
    ['transaction is neither an object nor encoded text', null],
    ['transaction is neither an object nor encoded text', ['', 'base58']],
  ])('is refused as bad-encoding: %s', (message, transaction) => {
    expect(readTransaction({ ...record(), transaction })).toMatchObject({
      status: 'refused',
      code: 'bad-encoding',
      message,
    });
  });

  test.each([
    [undefined],
    [null],
    [7],
    ['text'],
    [[]],
    [{}],
    [{ result: null }],
    [{ transactions: 5 }],
  ])('is refused when it is %j', (value) => {
    expect(readBlock(value).status).toBe('refused');
    expect(readTransaction(value).status).toBe('refused');
  });

  test('has no place without a slot and a parent', () => {
    expect(readBlock({ transactions: [] })).toMatchObject({ code: 'no-slot' });
  });
});

describe('what a record may lack', () => {
  test('is everything the runtime did, when the transaction failed', () => {
    const err = { InstructionError: [0, { Custom: 1 }] };
    const { transaction } = read({
      meta: { err, innerInstructions: null, preTokenBalances: null, logMessages: null },
    });
    expect(transaction?.error).toBe('{"InstructionError":[0,{"Custom":1}]}');
  });

  test('is inner instructions before the ledger kept them, for the versions of that time', () => {
    const old = { meta: { innerInstructions: null }, record: { slot: 18_144_001 } };
    expect(read(old).transaction?.instructions).toHaveLength(1);
    const impossible = { ...old, record: { slot: 18_144_001, version: 0 } };
    expect(readTransaction(record(impossible))).toMatchObject({ code: 'missing-meta' });
    const unplaced = { ...old, record: { slot: null } };
    expect(readTransaction(record(unplaced))).toMatchObject({ code: 'missing-meta' });
  });

  test('is stack heights, compute units, owners and the version', () => {
    const { transaction } = read({
      meta: {
        innerInstructions: [
          { index: 0, instructions: [{ programIdIndex: 2, accounts: [], data: '' }] },
        ],
        postTokenBalances: [tokenBalance(undefined, '5')],
      },
      record: { version: undefined },
    });
    expect(transaction?.instructions[1]?.stackHeight).toBe(0);
    expect(transaction?.computeUnitsUsed).toBeNull();
    expect(transaction?.tokenBalances[0]).toMatchObject({ owner: null, before: 0n, after: 5n });
    expect(transaction?.version).toBe('legacy');
  });
});

describe('token balances', () => {
  test('are merged an account, a missing side being 0', () => {
    const other = { ...tokenBalance(BOB, '9'), accountIndex: 0 };
    const { transaction } = read({
      meta: {
        preTokenBalances: [other, tokenBalance(ALICE, '5')],
        postTokenBalances: [tokenBalance(ALICE, '3')],
      },
    });
    expect(transaction?.tokenBalances).toMatchObject([
      { accountIndex: 0, owner: BOB, before: 9n, after: 0n },
      { accountIndex: 1, owner: ALICE, before: 5n, after: 3n },
    ]);
  });

  test('go and come when the account changes hands', () => {
    const { transaction } = read({
      meta: {
        preTokenBalances: [tokenBalance(ALICE, '5')],
        postTokenBalances: [tokenBalance(BOB, '7')],
      },
    });
    expect(transaction?.tokenBalances).toMatchObject([
      { accountIndex: 1, owner: ALICE, before: 5n, after: 0n },
      { accountIndex: 1, owner: BOB, before: 0n, after: 7n },
    ]);
  });
});

describe('inner instructions', () => {
  test('follow their outer one, groups of one index joined', () => {
    const call = (data: string) => ({ programIdIndex: 2, accounts: [], data, stackHeight: 2 });
    const { transaction } = read({
      message: { instructions: [call('2'), call('3')] },
      meta: {
        innerInstructions: [
          { index: 1, instructions: [call('4')] },
          { index: 0, instructions: [call('5'), call('6')] },
          { index: 1, instructions: [call('7')] },
        ],
      },
    });
    const order = transaction?.instructions.map(({ outerIx, innerIx, data }) => [
      outerIx,
      innerIx,
      data[0],
    ]);
    // Base58 digits 2 to 7 have the values 1 to 6.
    expect(order).toEqual([
      [0, -1, 1],
      [0, 0, 4],
      [0, 1, 5],
      [1, -1, 2],
      [1, 0, 3],
      [1, 1, 6],
    ]);
  });
});

describe('integers', () => {
  test.each(['9007199254740993', '18446744073709551615'])(
    'of %s lamports are exact after a second reading without loss',
    (lamports) => {
      const text = JSON.stringify(record()).replace(
        '"postBalances":[10,',
        `"postBalances":[${lamports},`,
      );
      expect(readTransaction(JSON.parse(text))).toEqual({ status: 'imprecise' });
      const reading = readTransaction(parseLossless(text));
      if (reading.status !== 'ok') throw new Error(reading.status);
      expect(reading.value.transaction?.lamportsAfter[0]).toBe(BigInt(lamports));
    },
  );

  test('of 64 bits are never rounded, whatever the balances', () => {
    fc.assert(
      fc.property(
        fc.array(fc.bigInt(0n, 2n ** 64n - 1n), { minLength: 3, maxLength: 3 }),
        (all) => {
          const text = JSON.stringify(record()).replaceAll('[10,0,1]', `[${all.join(',')}]`);
          const optimistic = readTransaction(JSON.parse(text));
          const mustRepeat = all.some((value) => value > BigInt(Number.MAX_SAFE_INTEGER));
          expect(optimistic.status).toBe(mustRepeat ? 'imprecise' : 'ok');
          const reading = mustRepeat ? readTransaction(parseLossless(text)) : optimistic;
          if (reading.status !== 'ok') throw new Error(reading.status);
          expect(reading.value.transaction?.lamportsBefore).toEqual(all);
          expect(reading.value.transaction?.lamportsAfter).toEqual(all);
        },
      ),
    );
  });
});

describe('votes', () => {
  const VOTE_LOG = [`Program ${VOTE_PROGRAM} invoke [1]`, `Program ${VOTE_PROGRAM} success`];
  const encoded = (err: object | null, logMessages: readonly string[]) => ({
    parentSlot: SLOT - 1,
    transactions: [{ transaction: ['not base58: 0', 'base58'], meta: { err, logMessages } }],
  });

  test('are known by their log before any byte is decoded', () => {
    expect(readBlock(encoded(null, VOTE_LOG))).toMatchObject({
      status: 'ok',
      value: { voteCount: 1, transactions: [] },
    });
  });

  test.each<[string, object | null, readonly string[]]>([
    ['failed', { InstructionError: [0, 'Custom'] }, VOTE_LOG],
    ['has a log that was cut short', null, [...VOTE_LOG, 'Log truncated']],
    ['called another program', null, [...VOTE_LOG, `Program ${SYSTEM_PROGRAM} invoke [1]`]],
    ['has an empty log', null, []],
  ])('are not guessed when the transaction %s', (_, err, logMessages) => {
    expect(readBlock(encoded(err, logMessages))).toMatchObject({ code: 'bad-encoding' });
  });

  test('are not transactions that do more than vote', () => {
    const { transaction } = read({
      message: {
        accountKeys: [PAYER, VOTE_PROGRAM, SYSTEM_PROGRAM],
        instructions: [
          { programIdIndex: 1, accounts: [], data: '' },
          { programIdIndex: 2, accounts: [], data: '' },
        ],
      },
    });
    expect(transaction).not.toBeNull();
  });
});

test('any part of a record replaced by anything is answered, never thrown', () => {
  const original = record({
    message: LOOKUPS,
    meta: {
      loadedAddresses: { writable: [ALICE], readonly: [] },
      preBalances: [1, 2, 3, 4],
      postBalances: [1, 2, 3, 4],
      preTokenBalances: [tokenBalance(ALICE, '5')],
      innerInstructions: [
        { index: 0, instructions: [{ programIdIndex: 2, accounts: [0], data: '2' }] },
      ],
    },
    record: { version: 0 },
  });
  const paths = leavesOf(original, []);
  expect(readTransaction(original).status).toBe('ok');
  fc.assert(
    fc.property(fc.constantFrom(...paths), fc.jsonValue(), (path, value) => {
      const { status } = readTransaction(replaced(original, path, value));
      expect(['ok', 'refused', 'imprecise']).toContain(status);
    }),
    { numRuns: 3_000 },
  );
});

function leavesOf(value: unknown, path: readonly string[]): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  const below = Object.entries(value).flatMap(([key, child]) => leavesOf(child, [...path, key]));
  return path.length === 0 ? below : [path, ...below];
}

function replaced(value: unknown, path: readonly string[], replacement: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return replacement;
  const child = replaced((value as Record<string, unknown>)[key], rest, replacement);
  if (!Array.isArray(value)) return { ...(value as object), [key]: child };
  return value.map((entry, at) => (String(at) === key ? child : entry));
}
