import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { address, signature } from '../../../tests/support/build-transaction.ts';
import {
  RECENT_SLOT,
  type RecordParts,
  rpcRecord,
  rpcTokenBalance,
} from '../../../tests/support/rpc-parts.ts';
import { parseLossless } from '../../lib/lossless-json.ts';
import { SYSTEM_PROGRAM } from '../../model/program.ts';
import { readBlock, readTransaction } from './read-block.ts';

const PAYER = address('payer');
const TARGET = address('target');
const ALICE = address('alice');
const SIGNATURE = signature('one');
const LOOKUPS = { addressTableLookups: [{ writableIndexes: [1], readonlyIndexes: [] }] };

describe('an invalid record', () => {
  test.each<[string, string, RecordParts]>([
    ['missing-meta', 'meta is missing', { meta: null }],
    ['missing-meta', 'innerInstructions is missing', { meta: { innerInstructions: null } }],
    ['missing-meta', 'innerInstructions is missing', { meta: { innerInstructions: undefined } }],
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
      { meta: { preTokenBalances: [rpcTokenBalance(ALICE, '1', 'x')] } },
    ],
    [
      'bad-address',
      'token account owner is not an address: "y"',
      { meta: { postTokenBalances: [rpcTokenBalance('y', '1')] } },
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
      { meta: { preTokenBalances: [rpcTokenBalance(ALICE, '0x10')] } },
    ],
    [
      'bad-transaction',
      'token balance of account 3 of 3',
      { meta: { preTokenBalances: [{ ...rpcTokenBalance(ALICE, '1'), accountIndex: 3 }] } },
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
    expect(readTransaction(rpcRecord(parts))).toEqual({ ...refusal, position });
    const block = { parentSlot: RECENT_SLOT - 1, transactions: [rpcRecord(), rpcRecord(parts)] };
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
    expect(readTransaction({ ...rpcRecord(), transaction })).toMatchObject({
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

  test('is refused without a slot and a parent', () => {
    expect(readBlock({ transactions: [] })).toMatchObject({ code: 'no-slot' });
  });

  test.each([2 ** 40 - 1, Number.MAX_SAFE_INTEGER])(
    'is refused with the parent %d',
    (parentSlot) => {
      expect(readBlock({ parentSlot, transactions: [] })).toMatchObject({
        status: 'refused',
        message: 'parentSlot is not a slot',
      });
    },
  );
});

describe('integers', () => {
  test.each(['9007199254740993', '18446744073709551615'])(
    'of %s lamports are exact after a second, lossless reading',
    (lamports) => {
      const text = JSON.stringify(rpcRecord()).replace(
        '"postBalances":[10,',
        `"postBalances":[${lamports},`,
      );
      expect(readTransaction(JSON.parse(text))).toEqual({ status: 'imprecise' });
      const reading = readTransaction(parseLossless(text));
      if (reading.status !== 'ok') throw new Error(reading.status);
      expect(reading.value.transaction?.lamportsAfter[0]).toBe(BigInt(lamports));
    },
  );

  test('of 64 bits are never rounded, for any balances', () => {
    fc.assert(
      fc.property(
        fc.array(fc.bigInt(0n, 2n ** 64n - 1n), { minLength: 3, maxLength: 3 }),
        (all) => {
          const text = JSON.stringify(rpcRecord()).replaceAll('[10,0,1]', `[${all.join(',')}]`);
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

/** This index was once used for a lookup without being checked. */
const PROGRAM_PLACE = ['transaction', 'message', 'instructions', '0', 'programIdIndex'];

test('any part of a record may be replaced by anything without an exception', () => {
  const original = rpcRecord({
    message: LOOKUPS,
    meta: {
      loadedAddresses: { writable: [ALICE], readonly: [] },
      preBalances: [1, 2, 3, 4],
      postBalances: [1, 2, 3, 4],
      preTokenBalances: [rpcTokenBalance(ALICE, '5')],
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
    { numRuns: 3_000, examples: [[PROGRAM_PLACE, { toString: null }]] },
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

describe('the config of a v1 transaction', () => {
  const read = (transactionConfig: unknown) => {
    const message = { transactionConfig };
    return readTransaction(rpcRecord({ message, record: { version: 1 } }));
  };
  const config = (priorityFeeLamports: bigint | null, computeUnitLimit: number | null) => ({
    value: { transaction: { version: 1, config: { priorityFeeLamports, computeUnitLimit } } },
  });

  test('is read as the node gives it, null where nothing was requested', () => {
    const requested = { priorityFee: 7_000, computeUnitLimit: 450_000, heapSize: 32_768 };
    expect(read(requested)).toMatchObject(config(7_000n, 450_000));
    expect(read({ priorityFee: null, computeUnitLimit: null })).toMatchObject(config(null, null));
    expect(read({})).toMatchObject(config(null, null));
  });

  test('is null where the record has none', () => {
    expect(read(undefined)).toMatchObject({ value: { transaction: { version: 1, config: null } } });
  });

  test('is refused when malformed, and read again where a fee was rounded', () => {
    expect(read('450000')).toMatchObject({ message: 'transactionConfig is not an object' });
    expect(read({ computeUnitLimit: -1 })).toMatchObject({
      message: 'computeUnitLimit is not a whole number',
    });
    expect(read({ priorityFee: 2 ** 60 })).toEqual({ status: 'imprecise' });
    expect(read({ priorityFee: '1152921504606846977' })).toMatchObject(
      config(1_152_921_504_606_846_977n, null),
    );
  });
});
