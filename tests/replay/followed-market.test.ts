import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { toChainBlock } from '../../simulator/faces/to-chain-block.ts';
import type { SourceItem } from '../../src/chain/source.ts';
import { readConfig } from '../../src/config/config.ts';
import type { ChainBlock } from '../../src/model/transaction.ts';
import type { Slot } from '../../src/model/units.ts';
import { openService } from '../../src/service/app.ts';
import { openControlPlane } from '../../src/store/control/control-plane.ts';
import { temporaryFolder } from '../support/command-line.ts';
import { itemSource } from '../support/item-source.ts';
import { PeopleMarket } from '../support/people-market.ts';
import { storedRows } from '../support/stored-rows.ts';

const SLOTS = 160;
/** Blocks after which a slot is final: more than a losing branch ever has. */
const FINAL_AFTER = 32;

/** A simulated market with forks: every block that was produced, and the canonical ones. */
function forkingMarket() {
  const market = new PeopleMarket('followed', undefined, { keepsBlocks: false, forkRate: 0.2 });
  market.planLaunches(12, SLOTS / 2);
  const made: ChainBlock[] = [];
  const stayed: ChainBlock[] = [];
  for (let passed = 0; passed < SLOTS; passed++) {
    const step = market.world.step();
    if (step === null) continue;
    const block = toChainBlock(step.block);
    made.push(block);
    if (step.isCanonical) stayed.push(block);
  }
  // The last branch may be one that loses to a block that was not produced.
  const newest = stayed.at(-1);
  return { made: newest === undefined ? [] : made.slice(0, made.indexOf(newest) + 1), stayed };
}

/** The items of a source that follows the chain. */
function follow(made: readonly ChainBlock[]): SourceItem[] {
  const items: SourceItem[] = [];
  let branch: ChainBlock[] = [];
  for (const block of made) {
    const parent = branch.findLast(({ blockhash }) => blockhash === block.previousBlockhash);
    if (parent !== undefined && parent !== branch.at(-1)) {
      const { slot, blockhash } = parent;
      branch = branch.slice(0, branch.indexOf(parent) + 1);
      items.push({ kind: 'undo', toSlot: slot, toBlockhash: String(blockhash) });
    }
    branch.push(block);
    items.push({ kind: 'block', block });
    const final = branch.at(-1 - FINAL_AFTER);
    if (final !== undefined) items.push({ kind: 'final', slot: final.slot });
  }
  const newest = branch.at(-1);
  if (newest !== undefined) items.push({ kind: 'final', slot: newest.slot });
  return items;
}

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
    const { made, stayed } = forkingMarket();
    const items = follow(made);
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
  }, 120_000);
});
