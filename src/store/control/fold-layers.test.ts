import { describe, expect, test } from 'vitest';
import { asSlot } from '../../model/units.ts';
import { openControlPlane } from './control-plane.ts';
import { CursorTable } from './cursor.ts';
import {
  type FoldedRows,
  firstFoldStart,
  isStateOf,
  mergedLayers,
  rowLayersOf,
  withFold,
} from './fold-layers.ts';
import { GapLedger } from './gap-ledger.ts';
import { WriterFence } from './writer-fence.ts';

const NEW: FoldedRows = { epoch: 7 };

/** The rows after a fold from a slot on was made visible and merged. */
function merged(rows: FoldedRows, epoch: number, afterSlot: number): FoldedRows {
  const layers = withFold(rows, epoch, asSlot(afterSlot));
  if (layers === null) throw new Error('the fold cannot replace rows');
  return { epoch, layers: mergedLayers(layers) };
}

const version = (epoch: number, slot: number) => String(epoch * 2 ** 40 + slot);

describe('the layers of visible rows', () => {
  test('are that of the fold while it has made all rows', () => {
    expect(rowLayersOf(NEW)).toEqual({ top: 7, base: null });
  });

  test('are two while a fold of later slots is not merged: earlier rows up to its start, and its own', () => {
    const layers = withFold(NEW, 8, asSlot(100));
    expect(rowLayersOf({ epoch: 8, layers })).toEqual({
      top: 8,
      base: { epoch: 7, through: version(7, 100) },
    });
  });

  test('are the lower one once it is merged, and new rows go there', () => {
    expect(rowLayersOf(merged(NEW, 8, 100))).toEqual({ top: 7, base: null });
  });

  test('of a further fold end at the version of the fold that made the rows of its start', () => {
    const rows = merged(merged(NEW, 8, 100), 9, 200);
    expect(rowLayersOf({ epoch: 10, layers: withFold(rows, 10, asSlot(250)) }).base?.through).toBe(
      version(9, 250),
    );
    expect(rowLayersOf({ epoch: 10, layers: withFold(rows, 10, asSlot(150)) }).base?.through).toBe(
      version(8, 150),
    );
    expect(rowLayersOf({ epoch: 10, layers: withFold(rows, 10, asSlot(99)) }).base?.through).toBe(
      version(7, 99),
    );
  });

  test('cannot be three', () => {
    expect(withFold({ epoch: 8, layers: withFold(NEW, 8, asSlot(5)) }, 9, asSlot(9))).toBeNull();
  });

  test('remember 64 folds; what earlier ones made is replaced by a fold of everything only', () => {
    let rows = NEW;
    for (let fold = 8; fold < 80; fold++) rows = merged(rows, fold, fold * 10);
    expect(rows.layers?.folds).toHaveLength(64);
    expect(withFold(rows, 80, asSlot(700))).not.toBeNull();
    expect(withFold(rows, 80, asSlot(100))).toBeNull();
  });

  test('can be replaced from a slot on by each of some further folds, whatever these forget', () => {
    let rows = NEW;
    expect(firstFoldStart(rows, 2)).toBeNull();
    for (let fold = 8; fold < 80; fold++) rows = merged(rows, fold, fold * 10);
    const first = firstFoldStart(rows, 2) ?? asSlot(0);
    // Of 64 folds, the oldest of which began after slot 160, two are forgotten.
    expect(first).toBe(180);
    const once = merged(rows, 80, 795);
    const twice = merged(once, 81, 796);
    expect([rows, once, twice].map((each) => withFold(each, 90, first) === null)).toEqual([
      false,
      false,
      false,
    ]);
    expect(withFold(twice, 90, asSlot(first - 1))).toBeNull();
  });
});

test('a state can be continued if no later fold has replaced it', () => {
  const rows = merged(merged(NEW, 8, 100), 9, 200);
  const states = [
    [7, 100, true],
    [7, 101, false],
    [8, 200, true],
    [8, 201, false],
    [9, 5_000, true],
    [6, 5, false],
  ] as const;
  for (const [epoch, slot, isOne] of states) {
    expect(isStateOf(rows, epoch, asSlot(slot)), `${epoch} ${slot}`).toBe(isOne);
  }
  expect(isStateOf(merged(rows, 10, 50), 8, asSlot(120))).toBe(false);
});

test('the cursor keeps layers and the first changed slot, and notices when they are altered', () => {
  const database = openControlPlane(':memory:');
  const gaps = new GapLedger(database);
  const cursor = new CursorTable(database, { fence: WriterFence.take(database), gaps });
  const layers = withFold(NEW, 8, asSlot(100));
  const written = { epoch: 8, slot: asSlot(120), isDirty: true, dirtyFrom: asSlot(90), layers };
  cursor.write(written);
  const reopened = new CursorTable(database);
  expect(reopened.read()).toEqual(written);
  expect(reopened.layers).toEqual({ top: 8, base: { epoch: 7, through: version(7, 100) } });
  database.exec("UPDATE cursor SET layers = replace(layers, '100', '110')");
  expect(new CursorTable(database).isIntact).toBe(false);
  database.close();
});
