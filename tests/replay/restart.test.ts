import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { createRecordedSource } from '../../src/chain/recorded/recorded-source.ts';
import type { SourceItem } from '../../src/chain/source.ts';
import { readConfig } from '../../src/config/config.ts';
import { openService } from '../../src/service/app.ts';
import { temporaryFolder } from '../support/command-line.ts';
import { itemSource } from '../support/item-source.ts';
import { storedRows } from '../support/stored-rows.ts';
import { hasTestData, testData } from '../support/test-data.ts';

const PARTS = 4;

async function recordedItems(): Promise<SourceItem[]> {
  const items: SourceItem[] = [];
  for await (const item of createRecordedSource([resolve(testData, 'chain')])) {
    if (item.kind === 'block') items.push(item);
  }
  return items;
}

/** One run of a process; `folded` is the number of log slots it folded at its start. */
async function run(dataDir: string, items: readonly SourceItem[]) {
  let folded = 0;
  const refused: string[] = [];
  const service = await openService(readConfig({}, { dataDir, solUsdFallback: '150' }), {
    onFold: () => folded++,
  });
  await service.ingestion.ingest(itemSource(items, true));
  const { engine, gaps, status } = service.ingestion;
  const ranges = gaps.map(({ from, to, reason }) => ({ from, to, reason }));
  const found = { digest: engine.digest(), finalSlot: status.finalSlot, gaps: ranges };
  await service.close();
  return { found, folded, refused };
}

test.skipIf(!hasTestData)(
  'recorded blocks in runs that each begin at a checkpoint give the result of one run',
  async () => {
    const items = await recordedItems();
    const [restarted, single] = [temporaryFolder(), temporaryFolder()];
    const size = Math.ceil(items.length / PARTS);
    let last = null;
    for (let from = 0; from < items.length; from += size) {
      last = await run(restarted, items.slice(from, from + size));
      expect([last.folded, last.refused]).toEqual([0, []]);
    }
    const calm = await run(single, items);
    process.stdout.write(`recorded: ${items.length} blocks in ${PARTS} runs\n`);
    expect(items.length).toBeGreaterThan(PARTS);
    expect(last?.found).toEqual(calm.found);
    expect(await storedRows(restarted)).toEqual(await storedRows(single));
  },
  400_000,
);

if (!hasTestData) {
  process.stdout.write(`SKIPPED restarts over recorded data: ${testData} is absent\n`);
}
