import { setTimeout as delay } from 'node:timers/promises';
import { readBlock } from '../../src/chain/rpc-json/read-block.ts';
import type { SourceItem } from '../../src/chain/source.ts';
import { readConfig } from '../../src/config/config.ts';
import { openService } from '../../src/service/app.ts';
import { itemSource } from './item-source.ts';
import { marketBlocks } from './market-blocks.ts';

/**
 * A process that ingests the first blocks of a small market from a source that ends, which stores a
 * checkpoint, prints `stored`, continues with more blocks, writing each slot at once, and kills itself
 * when the last one is folded but not written. Arguments: the folder, blocks before, blocks after.
 */
const [dataDir = '', before = '0', after = '0'] = process.argv.slice(2);
const blocks = marketBlocks(Number(before) + Number(after)).map((value): SourceItem => {
  const reading = readBlock(value);
  if (reading.status !== 'ok') throw new Error(`the block was ${reading.status}`);
  return { kind: 'block', block: reading.value };
});
const { ingestion } = await openService(readConfig({}, { dataDir, solUsdFallback: '150' }));
await ingestion.ingest(itemSource(blocks.slice(0, Number(before)), true));
process.stdout.write('stored\n');
/** Yields each block when the store contains the earlier ones. */
async function* oneByOne(items: readonly SourceItem[]): AsyncGenerator<SourceItem> {
  for (const item of items) {
    while (ingestion.point.unwritten.length > 0) await delay(1);
    yield item;
  }
}

let slots = 0;
await ingestion.ingest(itemSource(oneByOne(blocks.slice(Number(before))), true), {
  writeAfterMs: 0,
  onSlot: () => {
    if (++slots === Number(after)) process.kill(process.pid, 'SIGKILL');
  },
});
