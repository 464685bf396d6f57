import { beforeAll, describe, expect, test } from 'vitest';
import {
  buildClassification,
  classificationId,
} from '../../../tests/support/build-classification.ts';
import { buildChanges } from '../../../tests/support/build-records.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import { transports, useDataPlane } from '../../../tests/support/data-planes.ts';
import { asSlot } from '../../model/units.ts';
import { openDataPlane } from '../data-plane.ts';
import { Epochs } from '../epochs.ts';
import { deleteRows, dropTable } from '../sql/deployment.ts';
import { SlotWriter } from '../writes/slot-writer.ts';
import { type ClassificationQuery, StoredClassifications } from './classifications.ts';

const [ONE, TWO] = [classificationId(1), classificationId(2)];
const MINT = address('accused');

const versionAt = (id: string, slot: number, confidence: number, mint = MINT) =>
  buildClassification({ id, slot: asSlot(slot), finding: { confidence, mint } });

describe.each(transports)('stored classifications %s', (_, open) => {
  const opened = useDataPlane(open);
  const readsOf = (epoch: number) => new StoredClassifications(opened.plane.fast, { epoch });
  const ask = (given: Partial<ClassificationQuery> = {}, epoch = 1) =>
    readsOf(epoch).ofMint({ mint: MINT, confidenceMin: 0, asOfSlot: null, ...given });
  const write = (slot: number, versions: readonly ReturnType<typeof versionAt>[], epoch = 1) =>
    opened.writer.writeBatch({
      slots: [],
      changes: [buildChanges(slot, { classifications: versions })],
      epoch,
    });

  beforeAll(async () => {
    const other = versionAt(classificationId(3), 20, 0.9, address('other'));
    // In one batch and in several, as ingestion writes; the second twice, as after a crash.
    await opened.writer.writeBatch({
      slots: [],
      changes: [
        buildChanges(10, { classifications: [versionAt(ONE, 10, 0.4)] }),
        buildChanges(20, { classifications: [versionAt(ONE, 20, 0.8), other] }),
      ],
      epoch: 1,
    });
    for (const _attempt of [1, 2]) {
      await write(30, [versionAt(ONE, 30, 0.6), versionAt(TWO, 30, 0.9)]);
    }
  });

  test('are returned in their newest versions for a mint, in full', async () => {
    expect(await ask()).toEqual([versionAt(ONE, 30, 0.6), versionAt(TWO, 30, 0.9)]);
  });

  test('of several mints are those of each of them', async () => {
    const mints = [address('other'), address('without findings'), MINT];
    const [one, , two] = await Promise.all(mints.map((mint) => ask({ mint, confidenceMin: 0.7 })));
    const read = await readsOf(1).ofMints({ mints, confidenceMin: 0.7 });
    expect(read).toHaveLength(2);
    expect(new Set(read)).toEqual(new Set([...(one ?? []), ...(two ?? [])]));
    expect(await readsOf(1).ofMints({ mints: [], confidenceMin: 0 })).toEqual([]);
  });

  test.each([
    [9, []],
    [10, [versionAt(ONE, 10, 0.4)]],
    [19, [versionAt(ONE, 10, 0.4)]],
    [29, [versionAt(ONE, 20, 0.8)]],
    [30, [versionAt(ONE, 30, 0.6), versionAt(TWO, 30, 0.9)]],
  ])('are as they were at slot %i', async (slot, expected) => {
    expect(await ask({ asOfSlot: asSlot(slot) })).toEqual(expected);
  });

  test('are filtered by the confidence of their newest version only', async () => {
    expect((await ask({ confidenceMin: 0.61 })).map(({ id }) => id)).toEqual([TWO]);
    expect((await ask({ confidenceMin: 0.6 })).map(({ id }) => id)).toEqual([ONE, TWO]);
    expect(await ask({ confidenceMin: 0.5, asOfSlot: asSlot(10) })).toEqual([]);
  });

  test('are found by id, the newest version', async () => {
    expect(await readsOf(1).find(ONE)).toEqual(versionAt(ONE, 30, 0.6));
    expect(await readsOf(1).find(classificationId(9))).toBeNull();
    expect(await readsOf(1).find("' OR 1=1 --")).toBeNull();
  });

  test('of another epoch are not visible, and are removed with it', async () => {
    expect(await ask({}, 2)).toEqual([]);
    expect(await readsOf(2).find(ONE)).toBeNull();
    await write(25, [versionAt(TWO, 25, 0.7)], 2);
    expect(await ask({}, 2)).toEqual([versionAt(TWO, 25, 0.7)]);
    expect(await ask()).toHaveLength(2);
    await new Epochs(opened.plane.heavy, opened.plane.deployment).prepare(2);
    expect(await ask({}, 2)).toEqual([]);
    expect(await readsOf(2).find(TWO)).toBeNull();
    expect(await ask()).toHaveLength(2);
  });

  test('can be written to a database of a version without classifications', async () => {
    const { deployment, writer } = opened.plane;
    for (const table of ['classifications', 'newest_classifications']) {
      for (const sql of dropTable(table, deployment)) await writer.command(sql);
    }
    await writer.command(deleteRows('schema_migrations', 'number >= 4', deployment, true));
    const plane = await openDataPlane(opened.location);
    await new SlotWriter(plane.writer).writeBatch({
      slots: [],
      changes: [buildChanges(40, { classifications: [versionAt(ONE, 40, 0.5)] })],
      epoch: 1,
    });
    const reads = new StoredClassifications(plane.fast, { epoch: 1 });
    expect(await reads.find(ONE)).toEqual(versionAt(ONE, 40, 0.5));
    await plane.close();
  });
});
