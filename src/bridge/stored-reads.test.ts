import { expect, test } from 'vitest';
import { buildChanges } from '../../tests/support/build-records.ts';
import { buildRuleHit } from '../../tests/support/build-rule-hit.ts';
import { PointReads } from '../ingestion/point-reads.ts';
import type { ListedDetector } from '../model/detector-listing.ts';
import { asSlot } from '../model/units.ts';
import type { Service } from '../service/app.ts';
import { detectorAnswers } from './stored-reads.ts';

const COMMON = { version: 1, severity: 5, pattern: 'p', off: null, trial: null };
const PUBLISHED = { ...COMMON, name: 'mintscope-detector-one', hash: 'a', fraudType: null };
const TRIAL = { both: 1, onlyDetector: 0, onlyBuiltIn: 0, neither: 0, failed: 0, isStopped: false };
const LISTED: readonly ListedDetector[] = [
  { ...COMMON, name: 'wash_volume', hash: null, fraudType: 'wash_volume' },
  PUBLISHED,
  { ...PUBLISHED, name: 'mintscope-detector-two' },
  { ...PUBLISHED, name: 'mintscope-detector-tried', trial: TRIAL },
];

test('published detectors have the number of their stored and unwritten hits, as of one slot', async () => {
  const { outcome: _, ...hit } = buildRuleHit({ author: 'operator', name: PUBLISHED.name });
  const ruleHits = [
    { ...hit, rowId: 11 },
    // Of an account's rule of the same name.
    { ...hit, rowId: 12, author: 'one' },
    { ...hit, rowId: 13, version: 2 },
  ];
  const points = new PointReads(() => ({
    ...{ newest: { slot: asSlot(9), timeMs: 9_000 }, storedAhead: null, storedThrough: asSlot(8) },
    ...{ rowsVersion: 1, unwritten: [{ changes: buildChanges(9, { ruleHits }) }] },
  }));
  const asked: unknown[] = [];
  const counts = async (keys: readonly string[], before: number) => {
    asked.push([...keys], before);
    return new Map([[`operator/${PUBLISHED.name}`, 4]]);
  };
  const parts = { store: { ruleHits: { counts } }, detectors: { list: () => LISTED } };
  const answers = detectorAnswers(parts as unknown as Service, points);
  const read = await answers.list();
  expect(read.slot).toBe(9);
  expect(read.data.map(({ name, hitCount }) => [name, hitCount])).toEqual([
    ['wash_volume', null],
    ['mintscope-detector-one', 6],
    ['mintscope-detector-two', 0],
    ['mintscope-detector-tried', null],
  ]);
  const published = ['operator/mintscope-detector-one', 'operator/mintscope-detector-two'];
  expect(asked).toEqual([published, 11]);
});
