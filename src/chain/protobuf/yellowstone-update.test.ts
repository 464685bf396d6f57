import bs58 from 'bs58';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plainTransaction } from '../../../tests/support/plain-transaction.ts';
import {
  BLOCKHASH,
  bytes,
  draftMeta,
  draftTransaction,
  draftVote,
  EXPECTED,
  PREVIOUS,
  SIGNATURE,
} from '../../../tests/support/protobuf-drafts.ts';
import { encodeMessage, type Message } from '../../../tests/support/protobuf-messages.ts';
import {
  readUpdateBlock,
  readUpdateBlockMeta,
  readUpdateTransaction,
  readYellowstoneUpdate,
} from './yellowstone-update.ts';

const SLOT = 299_999_998;
const INFO = {
  signature: bs58.decode(SIGNATURE),
  transaction: draftTransaction(),
  meta: draftMeta(),
  index: 1,
};
const TRANSACTION = { transaction: INFO, slot: SLOT, bankId: 77 };
const BLOCK = {
  slot: SLOT,
  blockhash: BLOCKHASH,
  rewards: { rewards: [{ pubkey: BLOCKHASH, lamports: 9 }] },
  blockTime: { timestamp: 1_730_000_000 },
  blockHeight: { blockHeight: 280_000_000 },
  parentSlot: 299_999_997,
  parentBlockhash: PREVIOUS,
};
const HEAD = {
  slot: SLOT,
  parentSlot: 299_999_997,
  blockhash: BLOCKHASH,
  previousBlockhash: PREVIOUS,
  blockTimeMs: 1_730_000_000_000,
};
const VOTE_INFO = { ...draftVote(), isVote: true };
const WHOLE = { ...BLOCK, executedTransactionCount: 2, transactions: [VOTE_INFO, INFO] };

const update = (member: Message) =>
  encodeMessage('SubscribeUpdate', {
    filters: ['client', 'other'],
    ...member,
    createdAt: { seconds: 1_730_000_001, nanos: 5 },
  });

describe('a transaction update', () => {
  test('is read with its slot and index, and without a block time', () => {
    for (const reading of [
      readYellowstoneUpdate(update({ transaction: TRANSACTION })),
      readUpdateTransaction(encodeMessage('SubscribeUpdateTransaction', TRANSACTION)),
    ]) {
      if (reading.status === 'refused') throw new Error(JSON.stringify(reading));
      const { value } = reading;
      const loose = 'loose' in value ? value.loose : 'kind' in value ? null : value;
      expect(loose).toMatchObject({ slot: SLOT, blockTimeMs: null });
      expect(plainTransaction(loose?.transaction ?? null)).toEqual(EXPECTED);
    }
  });

  test('of a vote is recognised by its calls, with its position in the block', () => {
    const vote = { transaction: { ...VOTE_INFO, index: 3 }, slot: SLOT, bankId: 78 };
    expect(readYellowstoneUpdate(update({ transaction: vote }))).toEqual({
      status: 'ok',
      value: {
        kind: 'transaction',
        loose: { slot: SLOT, blockTimeMs: null, transaction: null },
        txIndex: 3,
        bankId: 78n,
      },
    });
  });

  test('that is invalid is refused with its index and signature', () => {
    const cut = { ...INFO, meta: draftMeta({ preBalances: [1] }), index: 812 };
    expect(
      readYellowstoneUpdate(update({ transaction: { transaction: cut, slot: SLOT } })),
    ).toEqual({
      status: 'refused',
      code: 'bad-transaction',
      position: `transaction 812, signature ${SIGNATURE}`,
      message: '1 balances of 8 keys',
    });
    expect(readYellowstoneUpdate(update({ transaction: { slot: SLOT } }))).toMatchObject({
      message: 'no signature',
    });
  });

  test('without an index is the first of its block, because zeros are omitted', () => {
    const first = { transaction: { ...INFO, index: 0 }, slot: SLOT };
    expect(readUpdateTransaction(encodeMessage('SubscribeUpdateTransaction', first))).toMatchObject(
      {
        value: { transaction: { txIndex: 0 } },
      },
    );
  });
});

describe('a block update', () => {
  test('is read as a whole, each transaction with its own index', () => {
    for (const reading of [
      readYellowstoneUpdate(update({ block: WHOLE })),
      readUpdateBlock(encodeMessage('SubscribeUpdateBlock', WHOLE)),
    ]) {
      if (reading.status === 'refused') throw new Error(JSON.stringify(reading));
      const { value } = reading;
      const block = 'block' in value ? value.block : 'kind' in value ? null : value;
      const { transactions = [], ...head } = block ?? {};
      expect(head).toEqual({ ...HEAD, isWhole: true, voteCount: 1 });
      expect(transactions.map(plainTransaction)).toEqual([EXPECTED]);
    }
  });

  test('is not a whole block when a filter left transactions out', () => {
    const selected = { ...WHOLE, transactions: [{ ...INFO, index: 900 }] };
    const reading = readUpdateBlock(encodeMessage('SubscribeUpdateBlock', selected));
    expect(reading).toMatchObject({ value: { isWhole: false, voteCount: 0 } });
    expect(reading).toMatchObject({ value: { transactions: [{ txIndex: 900 }] } });
    const none = readUpdateBlock(
      encodeMessage('SubscribeUpdateBlock', { ...WHOLE, transactions: [] }),
    );
    expect(none).toMatchObject({ value: { isWhole: false, transactions: [] } });
  });

  test('may belong to an empty block', () => {
    const empty = readUpdateBlock(encodeMessage('SubscribeUpdateBlock', BLOCK));
    expect(empty).toMatchObject({ value: { isWhole: true, transactions: [], voteCount: 0 } });
  });
});

describe('a block meta update', () => {
  test('describes the block without its transactions', () => {
    const meta = { ...BLOCK, executedTransactionCount: 1_509, entriesCount: 4, bankId: 9 };
    expect(readYellowstoneUpdate(update({ blockMeta: meta }))).toEqual({
      status: 'ok',
      value: { kind: 'blockMeta', meta: { ...HEAD, executedTransactionCount: 1_509 }, bankId: 9n },
    });
    expect(readUpdateBlockMeta(encodeMessage('SubscribeUpdateBlockMeta', BLOCK))).toEqual({
      status: 'ok',
      value: { ...HEAD, executedTransactionCount: 0 },
    });
  });
});

describe('a slot update', () => {
  const STATUSES = ['processed', 'confirmed', 'finalized', 'other', 'other', 'other', 'dead'];

  test.each(STATUSES.map((status, number) => [number, status] as const))(
    'with status %d is %s',
    (number, status) => {
      const slot = { slot: SLOT, parent: SLOT - 2, status: number, deadError: 'why', bankId: 4 };
      expect(readYellowstoneUpdate(update({ slot }))).toEqual({
        status: 'ok',
        value: { kind: 'slot', slot: SLOT, parentSlot: SLOT - 2, status },
      });
    },
  );

  test('may lack the parent, and may have a newer, unknown status', () => {
    expect(readYellowstoneUpdate(update({ slot: { slot: SLOT, status: 99 } }))).toEqual({
      status: 'ok',
      value: { kind: 'slot', slot: SLOT, parentSlot: null, status: 'other' },
    });
  });
});

describe('any other update', () => {
  test('is identified by its field', () => {
    const other = (field: number) => ({ status: 'ok', value: { kind: 'other', field } });
    expect(readYellowstoneUpdate(update({ ping: {} }))).toEqual(other(6));
    expect(readYellowstoneUpdate(update({}))).toEqual(other(0));
    expect(readYellowstoneUpdate(bytes('4a 02 0801'))).toEqual(other(9));
  });
});

describe('hostile bytes', () => {
  const updates = [
    update({ transaction: TRANSACTION }),
    update({ block: WHOLE }),
    update({ blockMeta: BLOCK }),
  ];

  test('never throw wherever an update is cut off', () => {
    for (const whole of updates) {
      for (let length = 0; length < whole.length; length++) {
        expect(['ok', 'refused']).toContain(
          readYellowstoneUpdate(whole.subarray(0, length)).status,
        );
      }
      // Within the last field, the time, every cut leads to a refusal.
      expect(readYellowstoneUpdate(whole.subarray(0, -1))).toMatchObject({ code: 'bad-encoding' });
    }
  });

  test('never throw wherever an update is changed', () => {
    const change = fc.tuple(fc.nat(), fc.nat(255));
    fc.assert(
      fc.property(
        fc.constantFrom(...updates),
        fc.array(change, { maxLength: 4 }),
        (whole, changes) => {
          const hostile = whole.slice();
          for (const [at, value] of changes) hostile[at % hostile.length] = value;
          expect(['ok', 'refused']).toContain(readYellowstoneUpdate(hostile).status);
        },
      ),
      { numRuns: 5_000 },
    );
  });
});
