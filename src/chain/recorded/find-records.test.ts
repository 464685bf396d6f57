import bs58 from 'bs58';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { address, signature } from '../../../tests/support/build-transaction.ts';
import { rpcBlock, rpcLoose, rpcTransaction } from '../../../tests/support/rpc-records.ts';
import { SYSTEM_PROGRAM } from '../../model/program.ts';
import { readBlock, readTransaction } from '../rpc-json/read-block.ts';
import { findRecords } from './find-records.ts';

const PAYER = address('payer');
const TARGET = address('target');
const SIGNATURE = signature('one');

/** Kinds, paths and slots of the records found. */
function outline(document: unknown) {
  return findRecords(document).records.map(({ kind, path, value }) => [kind, path, value.slot]);
}

describe('findRecords', () => {
  const block = rpcBlock(9, ['a']);
  const loose = rpcLoose(9, 'a');

  test.each<[string, unknown, unknown[]]>([
    ['a block', block, ['block', '', undefined]],
    ['a block in an answer', { jsonrpc: '2.0', result: block }, ['block', 'result', undefined]],
    ['a transaction', loose, ['transaction', '', 9]],
    ['a transaction in an answer', { result: loose }, ['transaction', 'result', 9]],
    [
      'one in a batch',
      [
        { id: 0, result: null },
        { id: 1, result: loose },
      ],
      ['transaction', '[1].result', 9],
    ],
    [
      'a block notification',
      {
        method: 'blockNotification',
        params: { result: { context: { slot: 12 }, value: { slot: 12, err: null, block } } },
      },
      ['block', 'params.result.value.block', 12],
    ],
    [
      'a transaction notification',
      {
        method: 'transactionNotification',
        params: { result: { transaction: rpcTransaction('a'), signature: 'x', slot: 12 } },
      },
      ['transaction', 'params.result.transaction', 12],
    ],
    [
      'encoded bytes',
      { transaction: ['AA==', 'base64'], meta: null },
      ['transaction', '', undefined],
    ],
    [
      'a record of a client without meta',
      { ...rpcTransaction('a'), meta: null },
      ['transaction', '', undefined],
    ],
  ])('finds %s', (_, document, expected) => {
    expect(outline(document)).toEqual([expected]);
  });

  test('finds every record of an array', () => {
    expect(outline([block, [loose, { other: true }], loose])).toEqual([
      ['block', '[0]', undefined],
      ['transaction', '[1][0]', 9],
      ['transaction', '[2]', 9],
    ]);
  });

  test.each([null, 5, 'text', {}, { transactions: [] }, { transaction: {} }, { data: { a: 1 } }])(
    'finds nothing in %j',
    (document) => {
      expect(findRecords(document)).toEqual({ records: [], rpcError: null });
    },
  );

  test('returns the error of a node', () => {
    const error = { code: -32_004, message: 'Block not available for slot 5' };
    expect(findRecords([{ id: 1, error }]).rpcError).toBe(
      'Block not available for slot 5 (RPC error -32004)',
    );
  });

  test('never throws for any document', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 12 }), (document) => {
        expect(findRecords(document).records.length).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

/** The expected result for every shape below: one transfer of 1 lamport to a looked-up account. */
const EXPECTED = {
  signature: SIGNATURE,
  version: 0,
  txIndex: 4,
  feeLamports: 5_000n,
  lamportsAfter: [9n, 1n, 2n],
  keys: [PAYER, SYSTEM_PROGRAM, TARGET],
  instructions: [
    { program: SYSTEM_PROGRAM, accounts: [PAYER, TARGET], data: '020000000100000000000000' },
    { program: SYSTEM_PROGRAM, accounts: [PAYER], data: '' },
  ],
};
const TRANSFER = Buffer.from('020000000100000000000000', 'hex');
const HEADER = { numRequiredSignatures: 1 };

type Bytes = (bytes: Uint8Array) => unknown;

/** Forms in which JSON writers store bytes. */
const BYTE_FORMS: Readonly<Record<string, Bytes>> = {
  'base64 text': (bytes) => Buffer.from(bytes).toString('base64'),
  'base58 text': (bytes) => bs58.encode(bytes),
  numbers: (bytes) => [...bytes],
  'Buffer objects': (bytes) => JSON.parse(JSON.stringify(Buffer.from(bytes))) as unknown,
  'Buffer objects in hex': (bytes) => ({
    type: 'Buffer',
    encoding: 'hex',
    data: Buffer.from(bytes).toString('hex'),
  }),
  'numbered fields': (bytes) => ({ ...bytes }),
};

/** A Yellowstone update; zeros are omitted as in protobuf. */
function yellowstone(form: Bytes) {
  const key = (text: string) => form(bs58.decode(text));
  const bytes = (...values: number[]) => form(Uint8Array.from(values));
  return {
    filters: ['all'],
    transaction: {
      slot: '300000000',
      transaction: {
        signature: key(SIGNATURE),
        isVote: false,
        index: '4',
        transaction: {
          signatures: [key(SIGNATURE)],
          message: {
            header: HEADER,
            accountKeys: [key(PAYER), key(SYSTEM_PROGRAM)],
            instructions: [{ programIdIndex: 1, accounts: bytes(0, 2), data: form(TRANSFER) }],
            versioned: true,
            addressTableLookups: [
              { accountKey: key(TARGET), writableIndexes: bytes(7), readonlyIndexes: bytes() },
            ],
          },
        },
        meta: {
          fee: '5000',
          preBalances: ['10', '0', '2'],
          postBalances: ['9', '1', '2'],
          innerInstructions: [{ instructions: [{ programIdIndex: 1, accounts: bytes(0) }] }],
          logMessages: [],
          preTokenBalances: [],
          postTokenBalances: [],
          loadedWritableAddresses: [key(TARGET)],
          loadedReadonlyAddresses: [],
        },
      },
    },
  };
}

/** `VersionedTransactionResponse` of web3.js through JSON.stringify. */
function web3(form: Bytes) {
  const { preBalances, postBalances } = yellowstone(form).transaction.transaction.meta;
  return {
    slot: 300_000_000,
    blockTime: null,
    version: 0,
    transactionIndex: 4,
    meta: {
      err: null,
      fee: 5000,
      preBalances,
      postBalances,
      innerInstructions: [
        { index: 0, instructions: [{ programIdIndex: 1, accounts: [0], data: '' }] },
      ],
      preTokenBalances: [],
      postTokenBalances: [],
      loadedAddresses: { writable: [TARGET], readonly: [] },
    },
    transaction: {
      signatures: [SIGNATURE],
      message: {
        header: HEADER,
        staticAccountKeys: [PAYER, SYSTEM_PROGRAM],
        compiledInstructions: [
          { programIdIndex: 1, accountKeyIndexes: [0, 2], data: form(TRANSFER) },
        ],
        addressTableLookups: [{ writableIndexes: [7], readonlyIndexes: [] }],
      },
    },
  };
}

describe('a record in another shape', () => {
  const shapes = Object.entries(BYTE_FORMS).flatMap(([name, form]) => [
    [`a Yellowstone update with ${name}`, yellowstone(form)] as const,
    ...(name === 'base64 text' ? [] : [[`a web3.js response with ${name}`, web3(form)] as const]),
  ]);

  test.each(shapes)('is read from %s', (_, document) => {
    const [found] = findRecords(document).records;
    const reading = readTransaction(found?.value);
    if (reading.status !== 'ok') throw new Error(JSON.stringify(reading));
    expect(reading.value.slot).toBe(300_000_000);
    const { transaction } = reading.value;
    if (transaction === null) throw new Error('read as a vote');
    expect({
      ...transaction,
      keys: [0, 1, 2].map((index) => transaction.keys.at(index)),
      instructions: transaction.instructions.map((instruction) => ({
        program: instruction.programId,
        accounts: Array.from({ length: instruction.accountCount }, (__, at) =>
          instruction.account(at),
        ),
        data: Buffer.from(instruction.data).toString('hex'),
      })),
    }).toMatchObject(EXPECTED);
  });

  test('is read from a Yellowstone block, which may contain only some of the transactions', () => {
    const { transaction } = yellowstone(BYTE_FORMS.numbers as Bytes).transaction;
    const document = {
      block: {
        slot: '300000000',
        parentSlot: '299999999',
        blockhash: TARGET,
        parentBlockhash: PAYER,
        blockTime: { timestamp: '1700000000' },
        executedTransactionCount: '1665',
        transactions: [transaction],
      },
    };
    const [found] = findRecords(document).records;
    const reading = readBlock(found?.value);
    if (reading.status !== 'ok') throw new Error(JSON.stringify(reading));
    expect(reading.value).toMatchObject({
      slot: 300_000_000,
      previousBlockhash: PAYER,
      blockTimeMs: 1_700_000_000_000,
      isWhole: false,
      voteCount: 0,
      transactions: [{ signature: SIGNATURE, txIndex: 4 }],
    });
  });

  test('may lack the lookups and keep the loaded addresses', () => {
    const update = yellowstone(BYTE_FORMS.numbers as Bytes);
    const { message } = update.transaction.transaction.transaction;
    Object.assign(message, { versioned: false, addressTableLookups: [] });
    const [found] = findRecords(update).records;
    expect(readTransaction(found?.value)).toMatchObject({
      status: 'ok',
      value: { transaction: { version: 0, usesLookupTables: true } },
    });
  });

  test('is v1 where its message has a config, the only difference from v0', () => {
    const update = yellowstone(BYTE_FORMS.numbers as Bytes);
    const { transaction, meta } = update.transaction.transaction;
    const keyCount = transaction.message.accountKeys.length;
    Object.assign(transaction.message, {
      addressTableLookups: [],
      instructions: [],
      config: { priorityFee: '18446744073709551615', computeUnitLimit: 450000 },
    });
    Object.assign(meta, {
      loadedWritableAddresses: [],
      loadedReadonlyAddresses: [],
      innerInstructions: [],
      preTokenBalances: [],
      postTokenBalances: [],
      preBalances: meta.preBalances.slice(0, keyCount),
      postBalances: meta.postBalances.slice(0, keyCount),
    });
    const [found] = findRecords(update).records;
    expect(readTransaction(found?.value)).toMatchObject({
      status: 'ok',
      value: {
        transaction: {
          version: 1,
          config: { priorityFeeLamports: 2n ** 64n - 1n, computeUnitLimit: 450_000 },
        },
      },
    });
  });
});
