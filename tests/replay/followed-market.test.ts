import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { SourceItem } from '../../src/chain/source.ts';
import { readConfig } from '../../src/config/config.ts';
import type { Slot } from '../../src/model/units.ts';
import { openService } from '../../src/service/app.ts';
import { openControlPlane } from '../../src/store/control/control-plane.ts';
import { temporaryFolder } from '../support/command-line.ts';
import { followedBlocks, forkingMarket } from '../support/forking-market.ts';
import { itemSource } from '../support/item-source.ts';
import { storedRows } from '../support/stored-rows.ts';

const SLOTS = 160;

async function fold(items: readonly SourceItem[], areBlocksFinal: boolean, dataDir: string) {
  const service = await openService(readConfig({}, { dataDir, solUsdFallback: '150' }));
  await service.ingestion.ingest(itemSource(items, areBlocksFinal), { writeAfterMs: 100 });
  const found = {
    digest: service.ingestion.engine.digest(),
    status: service.ingestion.status,
    counts: service.store.gaps.counts,
  };
  await service.close();
  return { ...found, rows: await storedRows(dataDir) };
}

describe('a simulated market with forks, followed', () => {
  test('gives the state and the rows of a fold of its final blocks in order', async () => {
    const { made, stayed } = forkingMarket('followed', SLOTS);
    const items = followedBlocks(made);
    const [stormFolder, calmFolder] = [temporaryFolder(), temporaryFolder()];
    const storm = await fold(items, false, stormFolder);
    const blocks = stayed.map((block): SourceItem => ({ kind: 'block', block }));
    const calm = await fold(blocks, true, calmFolder);
    expect(storm.status.undos).toBeGreaterThan(10);
    expect(made.length).toBeGreaterThan(stayed.length + 10);
    expect(storm.digest).toBe(calm.digest);
    expect(storm.rows).toEqual(calm.rows);
    const [first, last] = [stayed[0]?.slot ?? 0, stayed.at(-1)?.slot ?? 0];
    const slots = last - first + 1;
    const counts = { held: stayed.length, skipped: slots - stayed.length, missing: 0 };
    expect(storm.counts).toEqual(counts);
    expect(calm.counts).toEqual(counts);

    // A folder without a ledger of slots gets one from its log.
    const control = openControlPlane(join(calmFolder, 'control.sqlite'));
    control.exec('DELETE FROM slot_ranges');
    control.close();
    const reopened = await fold([], true, calmFolder);
    expect(reopened.counts).toEqual(counts);
    expect(reopened.status.finalSlot).toBe(last as Slot);
  });
});
