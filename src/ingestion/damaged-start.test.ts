import { statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { marketFacts } from '../../tests/support/followed-market.ts';
import { itemSource } from '../../tests/support/item-source.ts';
import { calmFold, flipBits, StoredFold } from '../../tests/support/stored-fold.ts';
import type { SourceItem } from '../chain/source.ts';
import { asSlot } from '../model/units.ts';
import { EngineStates } from './engine-states.ts';

const PART_SLOTS = 20;
const PARTS = 9;
const SLOT_MS = 120_000;
const numberOf = (slot: number) => asSlot(slot * (SLOT_MS / 400));

test('a start whose rows cannot be read is replaced by an older one when old slots were dropped', async () => {
  const facts = marketFacts(PART_SLOTS * PARTS).map((each, index) => ({
    ...each,
    slot: numberOf(each.slot),
    parentSlot: each.parentSlot === null ? null : numberOf(each.parentSlot),
    blockTimeMs: Date.UTC(2026, 0, 1) + index * SLOT_MS,
  }));
  const [first, last] = [facts.length - 30, facts.length - 3];
  const fold = new StoredFold();
  fold.logRetentionMs = 200 * 60_000;
  /** Where the file of the state ends before the last checkpoint that the refold may begin at. */
  let wholeBytes = 0;
  let isToBeDamaged = false;
  fold.createStates = (surroundings) => {
    const states = new EngineStates(surroundings);
    const { restoreAt } = states;
    states.restoreAt = async (...given) => {
      if (given[2].isForRows && isToBeDamaged) {
        isToBeDamaged = false;
        for (const path of fold.files('segment-').slice(0, 1)) {
          flipBits(path, { from: wholeBytes, every: 40 });
        }
      }
      return restoreAt.apply(states, given);
    };
    return states;
  };
  await fold.open({ pagesMax: 20_000, objectBytesMax: 50_000_000 });
  for (let part = 0; part < PARTS; part++) {
    if (part === 6) wholeBytes = statSync(fold.files('segment-')[0] ?? '').size;
    await fold.follow(facts.slice(part * PART_SLOTS, (part + 1) * PART_SLOTS));
  }
  isToBeDamaged = true;
  const slotAt = (index: number) => facts[index]?.slot ?? asSlot(0);
  const dropped: SourceItem = { kind: 'dropped', from: slotAt(first), to: slotAt(last) };
  await fold.ingestion.ingest(itemSource([dropped], true), { writeAfterMs: 0, refoldAfterMs: 0 });
  const calm = await calmFold(facts.filter((_each, index) => index < first || index > last));
  expect(fold.ingestion.engine.digest()).toBe(calm.digest);
  await fold.ingestion.close();
  fold.close();
});
