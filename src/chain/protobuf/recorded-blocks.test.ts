import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { plainTransaction } from '../../../tests/support/plain-transaction.ts';
import {
  type RpcBlock,
  toBlockUpdate,
  toConfirmedBlock,
  toRpcBlock,
} from '../../../tests/support/protobuf-blocks.ts';
import { decodeMessage, encodeMessage } from '../../../tests/support/protobuf-messages.ts';
import { hasTestData, testData } from '../../../tests/support/test-data.ts';
import type { ChainBlock } from '../../model/transaction.ts';
import { asSlot } from '../../model/units.ts';
import { readBlock } from '../rpc-json/read-block.ts';
import { readConfirmedBlock } from './confirmed-block.ts';
import { readYellowstoneUpdate } from './yellowstone-update.ts';

const WHOLE_BLOCKS = [
  { path: 'ai-nyan-bot+bot/block_326027759.json', slot: 326_027_759, others: 261 },
  {
    path: 'helius-labs+photon/tests/data/blocks/index_block_metadata/254170887',
    slot: 254_170_887,
    others: 444,
  },
] as const;

function plainBlock({ transactions, ...head }: ChainBlock) {
  return { ...head, transactions: transactions.map(plainTransaction) };
}

describe.skipIf(!hasTestData)('a whole recorded block', () => {
  test.each(WHOLE_BLOCKS)(
    'of $slot is the same in protobuf as in JSON',
    ({ path, slot, others }) => {
      const block = JSON.parse(readFileSync(join(testData, 'chain', path), 'utf8')) as RpcBlock;
      const json = readBlock(block, asSlot(slot));
      if (json.status !== 'ok') throw new Error(JSON.stringify(json));
      const expected = plainBlock(json.value);
      expect(expected.transactions).toHaveLength(others);

      const stored = readConfirmedBlock(toConfirmedBlock(block), asSlot(slot));
      if (stored.status !== 'ok') throw new Error(JSON.stringify(stored));
      expect(plainBlock(stored.value)).toEqual(expected);

      const update = encodeMessage('SubscribeUpdate', {
        filters: ['all'],
        block: toBlockUpdate(block, slot),
        createdAt: { seconds: 5, nanos: 7 },
      });
      const streamed = readYellowstoneUpdate(update);
      if (streamed.status !== 'ok' || streamed.value.kind !== 'block') throw new Error('no block');
      expect(plainBlock(streamed.value.block)).toEqual(expected);
    },
  );
});

/** Blocks as a node stored them, with the counts of their manifest. */
const STORED = [
  { file: 'geyser/fixtures/blocks/18144001.bincode', slot: 18_144_001, votes: 89, others: 0 },
  { file: 'geyser/fixtures/blocks/43200000.bincode', slot: 43_200_000, votes: 192, others: 16 },
  { file: 'geyser/fixtures/blocks/64800004.bincode', slot: 64_800_004, votes: 0, others: 11 },
  { file: 'proto/src/plugin/blocks/43200.2b5c16fe.bincode', slot: 43_200, votes: 4, others: 0 },
] as const;

describe.skipIf(!hasTestData)('a block that a node stored', () => {
  test.each(STORED)('in $file is read as a library reads it', ({ file, slot, votes, others }) => {
    const path = join(testData, 'chain/rpcpool+yellowstone-grpc', `yellowstone-grpc-${file}`);
    const content = readFileSync(path);
    const stored = readConfirmedBlock(content, asSlot(slot));
    if (stored.status !== 'ok') throw new Error(JSON.stringify(stored));
    expect(stored.value).toMatchObject({ slot, voteCount: votes, isWhole: true });
    expect(stored.value.transactions).toHaveLength(others);

    const json = readBlock(toRpcBlock(decodeMessage('ConfirmedBlock', content)), asSlot(slot));
    if (json.status !== 'ok') throw new Error(JSON.stringify(json));
    expect(plainBlock(stored.value)).toEqual(plainBlock(json.value));
  });

  test('has as many failures as the manifest counts', () => {
    const path =
      'chain/rpcpool+yellowstone-grpc/yellowstone-grpc-geyser/fixtures/blocks/64800004.bincode';
    const stored = readConfirmedBlock(readFileSync(join(testData, path)));
    if (stored.status !== 'ok') throw new Error(JSON.stringify(stored));
    const errors = stored.value.transactions.flatMap(({ error }) => error ?? []);
    expect(errors).toEqual(Array(5).fill('{"InstructionError":[0,{"Custom":41}]}'));
  });
});
