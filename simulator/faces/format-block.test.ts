import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { readBlock, readTransaction } from '../../src/chain/rpc-json/read-block.ts';
import type { ChainBlock } from '../../src/model/transaction.ts';
import { asSlot } from '../../src/model/units.ts';
import { plainTransaction } from '../../tests/support/plain-transaction.ts';
import { SmallMarket } from '../../tests/support/small-market.ts';
import type { SimulatedBlock } from '../chain/simulated-transaction.ts';
import { type BlockFormat, blockText, formatBlock, WHOLE_BLOCK } from './format-block.ts';
import { formatTransaction, TRANSACTION_ENCODINGS } from './format-transaction.ts';
import { toChainBlock } from './to-chain-block.ts';
import { writeWire } from './write-wire.ts';

let blocks: readonly SimulatedBlock[];

beforeAll(() => {
  blocks = new SmallMarket({ seed: 'formats' }).steps(60).map(({ block }) => block);
});

describe('a block in every encoding', () => {
  test.each(TRANSACTION_ENCODINGS)(
    '%s is parsed to the same block as the direct conversion',
    (encoding) => {
      for (const block of blocks) {
        const reading = readBlock(JSON.parse(blockText(block, encoding)), asSlot(block.slot));
        if (reading.status !== 'ok') throw new Error(JSON.stringify(reading));
        expect(plain(reading.value)).toEqual(plain(toChainBlock(block)));
      }
    },
  );

  test.each(TRANSACTION_ENCODINGS)('%s is parsed correctly by transaction, too', (encoding) => {
    for (const block of blocks.slice(0, 20)) {
      block.transactions.forEach((transaction, txIndex) => {
        const formatted = formatTransaction(block, transaction, {
          encoding,
          maxSupportedTransactionVersion: 0,
        });
        if (formatted.status !== 'ok') throw new Error(formatted.message);
        const reading = readTransaction(JSON.parse(JSON.stringify(formatted.answer)));
        if (reading.status !== 'ok') throw new Error(JSON.stringify(reading));
        const { slot, blockTimeMs, transaction: read } = reading.value;
        expect([slot, blockTimeMs]).toEqual([block.slot, block.blockTime * 1_000]);
        if (transaction.isVote) expect(read).toBeNull();
        else {
          const direct = toChainBlock(block).transactions.find((each) => each.txIndex === txIndex);
          expect(plainTransaction(read)).toEqual({
            ...plainTransaction(direct ?? null),
            txIndex: null,
          });
        }
      });
    }
  });

  test('counts votes and omits them', () => {
    for (const block of blocks) {
      const { voteCount, transactions } = toChainBlock(block);
      expect(voteCount).toBe(3);
      expect(transactions.length).toBe(block.transactions.length - 3);
    }
  });
});

describe('a transaction in wire format', () => {
  test('fits into 1,232 bytes, the size of a network packet', () => {
    const sizes = blocks.flatMap(({ transactions }) =>
      transactions.map((transaction) => writeWire(transaction).length),
    );
    expect(Math.max(...sizes)).toBeLessThanOrEqual(1_232);
    expect(Math.min(...sizes)).toBeGreaterThan(150);
  });
});

describe('the same seed', () => {
  test('gives the same bytes in each encoding, and another seed gives others', () => {
    const digestOf = (seed: string): string => {
      const hash = createHash('sha256');
      for (const { block } of new SmallMarket({ seed }).steps(50)) {
        for (const encoding of TRANSACTION_ENCODINGS) hash.update(blockText(block, encoding));
      }
      return hash.digest('hex');
    };
    expect(digestOf('one')).toBe(digestOf('one'));
    expect(digestOf('one')).not.toBe(digestOf('other'));
  });
});

/** Names of fields in recorded answers of nodes, in their order. */
const META = [
  'computeUnitsConsumed',
  'err',
  'fee',
  'innerInstructions',
  'loadedAddresses',
  'logMessages',
  'postBalances',
  'postTokenBalances',
  'preBalances',
  'preTokenBalances',
  'rewards',
  'status',
];

describe('the structure of an answer', () => {
  test('has the fields of a recorded answer in their order, in every object', () => {
    const answer = answerOf({ encoding: 'json', showRewards: true });
    expect(Object.keys(answer)).toEqual([
      'blockHeight',
      'blockTime',
      'blockhash',
      'parentSlot',
      'previousBlockhash',
      'rewards',
      'transactions',
    ]);
    const [record] = answer.transactions;
    expect(Object.keys(record ?? {})).toEqual(['meta', 'transaction', 'version']);
    expect(Object.keys(record?.meta ?? {})).toEqual(META);
    expect(objectsOf(answer).every(isSorted)).toBe(true);
    expect(objectsOf(answerOf({ encoding: 'jsonParsed' })).every(isSorted)).toBe(true);
  });

  test('omits rewards unless they are requested', () => {
    const answer = answerOf({ encoding: 'json', showRewards: false });
    expect('rewards' in answer).toBe(false);
    const fields = META.filter((field) => field !== 'rewards');
    expect(Object.keys(answer.transactions[0]?.meta ?? {})).toEqual(fields);
  });

  test('gives the source of parsed keys instead of listing the loaded ones', () => {
    const records = answerOf({ encoding: 'jsonParsed' }).transactions;
    expect(records.some(({ meta }) => 'loadedAddresses' in meta)).toBe(false);
    const text = JSON.stringify(records);
    expect(text).toContain('"source":"lookupTable"');
    expect(text).toContain('"type":"towersync"');
    expect(text).not.toContain('"header"');
  });

  test('distinguishes a legacy message without lookups and a version 0 message with them', () => {
    for (const { version, transaction } of answerOf({ encoding: 'json' }).transactions) {
      expect('addressTableLookups' in (transaction.message ?? {})).toBe(version === 0);
    }
  });

  test('lists inner instructions only for outer ones that have some', () => {
    let groups = 0;
    for (const { meta } of answerOf({ encoding: 'json' }).transactions) {
      for (const { instructions } of meta.innerInstructions) {
        groups++;
        expect(instructions.length).toBeGreaterThan(0);
      }
    }
    expect(groups).toBeGreaterThan(0);
  });
});

describe('transactionDetails', () => {
  test('signatures lists the first signature of each transaction, accounts their keys', () => {
    const block = versioned();
    const signatures = answerOf({ transactionDetails: 'signatures' }, block);
    expect(signatures).toMatchObject({
      signatures: block.transactions.map((each) => each.signatures[0]),
    });
    expect('transactions' in signatures).toBe(false);
    const { transactions } = answerOf({ transactionDetails: 'accounts' }, block);
    expect(transactions.length).toBe(block.transactions.length);
    expect(Object.keys(transactions[0]?.meta ?? {})).toEqual([
      'err',
      'fee',
      'postBalances',
      'postTokenBalances',
      'preBalances',
      'preTokenBalances',
      'status',
    ]);
    expect(Object.keys(transactions[0]?.transaction ?? {})).toEqual(['accountKeys', 'signatures']);
  });

  test('none returns the block only', () => {
    const answer = answerOf({ transactionDetails: 'none' });
    expect('transactions' in answer || 'signatures' in answer).toBe(false);
  });
});

describe('maxSupportedTransactionVersion', () => {
  const absent = { ...WHOLE_BLOCK, maxSupportedTransactionVersion: null };

  test("refuses a block with version 0 when it is absent, in agave's words", () => {
    const refused = {
      status: 'refused',
      code: -32_015,
      message:
        'Transaction version (0) is not supported by the requesting client. Please try the ' +
        'request again with the following configuration parameter: "maxSupportedTransactionVersion": 0',
    };
    expect(formatBlock(versioned(), absent)).toEqual(refused);
    expect(formatBlock(versioned(), { ...absent, transactionDetails: 'accounts' })).toEqual(
      refused,
    );
  });

  test('has no effect when no transaction is returned', () => {
    for (const transactionDetails of ['signatures', 'none'] as const) {
      expect(formatBlock(versioned(), { ...absent, transactionDetails }).status).toBe('ok');
    }
  });

  test('omits the version from a block of legacy transactions when it is absent', () => {
    const block = versioned();
    const legacy = block.transactions.filter(({ version }) => version === 'legacy');
    const formatted = formatBlock({ ...block, transactions: legacy }, absent);
    if (formatted.status !== 'ok') throw new Error(formatted.message);
    const { transactions } = JSON.parse(JSON.stringify(formatted.answer)) as Answer;
    expect(transactions.every((record) => !('version' in record))).toBe(true);
    expect(transactions.length).toBeGreaterThan(0);
  });
});

interface Answer {
  readonly transactions: readonly {
    readonly version?: unknown;
    readonly meta: { readonly innerInstructions: readonly { readonly instructions: unknown[] }[] };
    readonly transaction: { readonly message?: object };
  }[];
}

/** A block with loaded keys, calls and failures. */
function versioned(): SimulatedBlock {
  const block = blocks.findLast(
    ({ transactions }) =>
      transactions.some(({ lookups }) => lookups.length > 0) &&
      transactions.some(({ version, isVote }) => version === 'legacy' && !isVote) &&
      transactions.some(({ instructions }) => instructions.some(({ innerIx }) => innerIx >= 0)),
  );
  if (block === undefined) throw new Error('no block has loaded keys');
  return block;
}

function answerOf(format: Partial<BlockFormat>, block = versioned()): Answer {
  const formatted = formatBlock(block, { ...WHOLE_BLOCK, ...format });
  if (formatted.status !== 'ok') throw new Error(formatted.message);
  return JSON.parse(JSON.stringify(formatted.answer)) as Answer;
}

function objectsOf(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return [];
  const below = Object.values(value).flatMap(objectsOf);
  return Array.isArray(value) ? below : [value, ...below];
}

function isSorted(value: object): boolean {
  const keys = Object.keys(value);
  return keys.every((key, index) => index === 0 || (keys[index - 1] ?? '') < key);
}

function plain({ transactions, ...block }: ChainBlock) {
  return { ...block, transactions: transactions.map(plainTransaction) };
}
