import { gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { plainTransaction } from '../../../tests/support/plain-transaction.ts';
import {
  draftBlock,
  draftMeta,
  draftTransaction,
  draftVote,
  EXPECTED,
} from '../../../tests/support/protobuf-drafts.ts';
import { encodeMessage } from '../../../tests/support/protobuf-messages.ts';
import { RecordFolder } from '../../../tests/support/record-folder.ts';
import { readAll } from '../../../tests/support/recorded-reading.ts';
import type { ChainBlock } from '../../model/transaction.ts';
import { type RawBlock, readRawBlock } from './raw-block.ts';
import { readRecordedTransactions } from './recorded-transactions.ts';

const folder = new RecordFolder();
const RECORD = { transaction: draftTransaction(), meta: draftMeta() };
/** Its parent is 299,999,997. */
const BLOCK = Buffer.from(encodeMessage('ConfirmedBlock', draftBlock([draftVote(), RECORD])));

describe('a file with a block in protobuf', () => {
  test.each([
    ['300000004.pb', BLOCK, 300_000_004],
    ['block_300000004.bincode', BLOCK, 300_000_004],
    ['of-300000004.pb', BLOCK, 300_000_004],
    ['of-123456789.pb', BLOCK, 299_999_998],
    ['block.pb.gz', gzipSync(BLOCK), 299_999_998],
    ['block.bincode.zst', zstdCompressSync(BLOCK), 299_999_998],
    ['block', BLOCK, 299_999_998],
    ['block.json', BLOCK, 299_999_998],
  ])('is found in a folder and read as %s', async (name, content, slot) => {
    folder.write(name, content);
    const { blocks, problems, summary } = await readAll([folder.path]);
    expect(problems).toEqual([]);
    expect(blocks).toMatchObject([{ slot, isWhole: true, voteCount: 1 }]);
    expect(blocks[0]?.transactions.map(plainTransaction)).toEqual([EXPECTED]);
    expect(summary).toMatchObject({ blocks: 1, transactions: 1, votes: 1, problems: 0 });
  });

  test('is read record by record too, and once even if little may be kept', async () => {
    const path = folder.write('block.pb', BLOCK);
    for await (const item of readRecordedTransactions([path])) {
      if (item.kind !== 'block') throw new Error(item.kind);
      expect(item.block.transactions.map(plainTransaction)).toEqual([EXPECTED]);
    }
    const { blocks } = await readAll([path], { keptTextMax: 0 });
    expect(blocks).toHaveLength(1);
  });

  test('is passed unchanged to an external decoder, and readable there', async () => {
    const read: (ChainBlock | null)[] = [];
    const decode = async (raw: RawBlock) => {
      read.push(readRawBlock(raw));
      return { status: 'unreadable' } as const;
    };
    folder.write('300000004.pb', BLOCK);
    const { blocks } = await readAll([folder.path], { decoder: { aheadMax: 2, decode } });
    expect(blocks).toHaveLength(1);
    expect(read).toMatchObject([{ slot: 300_000_004, voteCount: 1 }]);
    expect(read[0]?.transactions.map(plainTransaction)).toEqual([EXPECTED]);
  });

  test('is refused with the position of a cut, or with its content', async () => {
    folder.write('cut.pb', BLOCK.subarray(0, -1));
    const faulty = draftBlock([draftVote(), { transaction: draftTransaction() }]);
    folder.write('faulty.pb', Buffer.from(encodeMessage('ConfirmedBlock', faulty)));
    const { blocks, problems } = await readAll([folder.path]);
    expect(blocks).toEqual([]);
    expect(problems).toEqual([
      {
        code: 'bad-encoding',
        origin: folder.join('cut.pb'),
        position: null,
        message: expect.stringContaining('cut off at byte'),
      },
      {
        code: 'missing-meta',
        origin: folder.join('faulty.pb'),
        position: `transaction 1, signature ${EXPECTED.signature}`,
        message: 'meta is missing',
      },
    ]);
  });

  test('must be of the slot in its name', async () => {
    folder.write('299999990.pb', BLOCK);
    const { blocks, problems } = await readAll([folder.path]);
    expect(blocks).toEqual([]);
    expect(problems).toMatchObject([
      {
        code: 'bad-transaction',
        message: 'the file name promises slot 299999990, the block is of slot 299999998',
      },
    ]);
  });

  test('is recognised reliably: other bytes are not a record', async () => {
    folder.write('other.pb', Buffer.from('0801120454657374', 'hex'));
    const { problems } = await readAll([folder.path]);
    expect(problems).toMatchObject([{ code: 'not-json', origin: folder.join('other.pb') }]);
  });
});
