import { expect, test } from 'vitest';
import { readBlock } from '../../src/chain/rpc-json/read-block.ts';
import { readConfig } from '../../src/config/config.ts';
import { decodeBlock } from '../../src/decoders/decode-block.ts';
import { DECODER_VERSION } from '../../src/decoders/registry.ts';
import type { IngestionSource } from '../../src/ingestion/ingestion-run.ts';
import type { ChainBlock } from '../../src/model/transaction.ts';
import { openService } from '../../src/service/app.ts';
import { temporaryFolder } from '../support/command-line.ts';
import { itemSource } from '../support/item-source.ts';
import { marketBlocks } from '../support/market-blocks.ts';

function blocksOf(values: readonly unknown[]): ChainBlock[] {
  return values.map((value) => {
    const reading = readBlock(value);
    if (reading.status !== 'ok') throw new Error(`the block was ${reading.status}`);
    return reading.value;
  });
}

function sourceOf(blocks: readonly ChainBlock[]): IngestionSource {
  return itemSource(
    blocks.map((block) => ({ kind: 'block', block })),
    true,
  );
}

test('a slot of an older decoder version is decoded again when its record is ingested again', async () => {
  const blocks = blocksOf(marketBlocks(3));
  const config = readConfig({}, { dataDir: temporaryFolder() });
  const old = blocks.map((block) => {
    const facts = decodeBlock(block);
    const blind = facts.transactions.map((transaction) => ({ ...transaction, events: [] }));
    return { ...facts, decoderVersion: DECODER_VERSION - 1, transactions: blind };
  });
  const first = await openService(config);
  await first.store.writer.writeBatch({ epoch: 1, slots: old, changes: [] });
  await first.close();

  const second = await openService(config);
  expect(second.ingestion.olderSlots).toBe(3);
  expect(second.ingestion.engine.counters.events.swap).toBe(0);
  const result = await second.ingestion.ingest(sourceOf(blocks));
  expect(result).toMatchObject({ slotsAdded: 3, slotsKnown: 0 });
  expect(second.ingestion.engine.counters.events.swap).toBe(9);
  expect(second.ingestion.olderSlots).toBe(0);
  expect(await second.ingestion.ingest(sourceOf(blocks))).toMatchObject({ slotsKnown: 3 });
  await second.close();
});
