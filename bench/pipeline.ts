import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readBlock } from '../src/chain/rpc-json/read-block.ts';
import type { SourceItem } from '../src/chain/source.ts';
import { readConfig } from '../src/config/config.ts';
import { asSlot } from '../src/model/units.ts';
import { openService } from '../src/service/app.ts';
import { fixed, integer, printTable } from './table.ts';

const BLOCKS = [
  'chain/ai-nyan-bot+bot/block_326027759.json',
  'chain/helius-labs+photon/tests/data/blocks/index_block_metadata/254170887',
];
/** Copies of each block, with their own slots. */
const COPIES = 40;

/** Block text in memory → rows committed to the embedded store, followed by the cursor. */
export async function benchPipeline(testData: string): Promise<void> {
  const files = BLOCKS.map((path) => join(testData, path)).filter((file) => existsSync(file));
  if (files.length < BLOCKS.length) {
    console.log(`SKIPPED the pipeline: the recorded blocks are not in ${testData}`);
    return;
  }
  const texts = files.map((file) => readFileSync(file, 'utf8'));
  const dataDir = mkdtempSync(join(tmpdir(), 'mintscope-bench-'));
  const service = await openService(readConfig({}, { dataDir, solUsdFallback: '150' }));
  const start = performance.now();
  await service.ingestion.ingest(Object.assign(copies(texts), { areBlocksFinal: true }));
  const seconds = (performance.now() - start) / 1_000;
  const { transactions, votes, events, slots } = service.ingestion.engine.counters;
  const digestStart = performance.now();
  service.ingestion.engine.digest();
  const digestMs = performance.now() - digestStart;
  await service.close();
  rmSync(dataDir, { recursive: true, force: true });
  printTable(`recorded blocks → committed rows, ${slots} blocks (${COPIES} copies of two)`, [
    ['measure', 'value'],
    ['non-vote transactions/s', integer(transactions / seconds)],
    ['all transactions/s', integer((transactions + votes) / seconds)],
    ['swaps/s', integer(events.swap / seconds)],
    ['blocks/s', fixed(slots / seconds, 1)],
    ['digest over all state, ms', fixed(digestMs, 1)],
    ['peak memory of the process, MiB', integer(process.resourceUsage().maxRSS / 1_024)],
  ]);
}

async function* copies(texts: readonly string[]): AsyncGenerator<SourceItem> {
  for (let copy = 0; copy < COPIES; copy++) {
    for (const [index, text] of texts.entries()) {
      const slot = 1_000 + copy * texts.length + index;
      const reading = readBlock(JSON.parse(text), asSlot(slot));
      if (reading.status !== 'ok') throw new Error('a recorded block cannot be read');
      yield { kind: 'block', block: reading.value };
    }
  }
}
