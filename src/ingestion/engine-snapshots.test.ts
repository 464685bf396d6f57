import { mkdtempSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fallbackSolUsd, second } from '../../tests/support/master-fixture.ts';
import { firstDifference, stateImage } from '../../tests/support/state-image.ts';
import { Engine } from '../engine/engine.ts';
import type { SlotFacts } from '../model/slot-facts.ts';
import { asSlot } from '../model/units.ts';
import type { Cursor } from '../store/control/cursor.ts';
import { Snapshots } from '../store/snapshots/snapshots.ts';
import { type EngineFactory, EngineSnapshots } from './engine-snapshots.ts';

const createEngine: EngineFactory = (chunks) => new Engine({ fallbackSolUsd }, chunks);
const RULES = 'fold 9, SOL/USD fallback none';
const slots = [0, 1, 2, 3].map((t) => ({ ...second(t), blockhash: `hash ${1_000 + t}` }));
const cursorAt = (slot: number | null, rest: Partial<Cursor> = {}): Cursor => ({
  ...{ epoch: 4, slot: slot === null ? null : asSlot(slot), isDirty: false, ...rest },
});

let folder: string;
let snapshots: Snapshots;
let refused: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'engine-snapshots-'));
  snapshots = new Snapshots(folder);
  refused = [];
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

function kept(rules = RULES, held: readonly SlotFacts[] = slots): EngineSnapshots {
  const find = async (slot: number) => held.find((facts) => facts.slot === slot) ?? null;
  return new EngineSnapshots({ snapshots, log: { find }, rules });
}

/** Saves after the second and after the third slot. */
async function saveTwo(epoch = 4): Promise<Engine> {
  const engine = createEngine(null);
  for (const [index, facts] of slots.slice(0, 3).entries()) {
    engine.apply(facts);
    if (index > 0) await kept().save(engine, epoch, index);
  }
  return engine;
}

const restore = (from: EngineSnapshots, cursor: Cursor) =>
  from.restore(cursor, createEngine, (sentence) => refused.push(sentence));

describe('the state of the newest snapshot', () => {
  test('is where the fold continues, at the next slot', async () => {
    const engine = await saveTwo();
    const found = await restore(kept(), cursorAt(1_003));
    expect(found).toMatchObject({
      end: { slot: 1_002, blockhash: 'hash 1002', timeMs: engine.timeMs },
      fromSlot: 1_003,
      olderSlots: 2,
    });
    const restored = found?.engine ?? createEngine(null);
    expect(firstDifference(stateImage(restored), stateImage(engine))).toBeNull();
    expect(refused).toEqual([]);
  });

  test('is null without a snapshot, and when the log is refolded anyway', async () => {
    expect(await restore(kept(), cursorAt(1_003))).toBeNull();
    await saveTwo();
    expect(await restore(kept(), cursorAt(1_003, { isDirty: true }))).toBeNull();
    expect(await restore(kept(), cursorAt(null))).toBeNull();
    expect(refused).toEqual([]);
  });

  test('of an engine that folded nothing is not saved', async () => {
    await kept().save(createEngine(null), 4, 0);
    expect(snapshots.names()).toEqual([]);
  });

  test('does not include revertible slots', async () => {
    const engine = createEngine(null);
    engine.apply(slots[0] as SlotFacts, { isFinal: false });
    await expect(kept().save(engine, 4, 0)).rejects.toThrow(RangeError);
    expect(snapshots.names()).toEqual([]);
  });
});

describe('a snapshot that does not belong to the store', () => {
  test.each([
    ['of another fold of the log', kept, cursorAt(1_003, { epoch: 5 }), 'folded again since'],
    ['of other rules', () => kept('fold 10'), cursorAt(1_003), 'written under "fold 9, SOL'],
    ['of slots that the log does not hold', () => kept(RULES, []), cursorAt(1_003), 'another slot'],
    [
      'of another block than the log holds',
      () =>
        kept(
          RULES,
          slots.map((facts) => ({ ...facts, blockhash: 'other' })),
        ),
      cursorAt(1_003),
      'another slot',
    ],
    ['ahead of what is stored', kept, cursorAt(1_000), 'ahead of what is stored'],
  ])('is passed over with a sentence: %s', async (_, from, cursor, reason) => {
    await saveTwo();
    expect(await restore(from(), cursor)).toBeNull();
    expect(refused).toHaveLength(2);
    for (const sentence of refused) {
      expect(sentence).toMatch(/^The snapshot snapshot-100[12]-\w+\.bin is not used: .*\.$/);
      expect(sentence).toContain(reason);
    }
  });

  test('is skipped in favour of the previous one', async () => {
    await saveTwo();
    const found = await restore(kept(), cursorAt(1_001));
    expect(found?.fromSlot).toBe(1_002);
    expect(refused).toHaveLength(1);
  });

  test('is passed over when damaged, at any length, and removed with the next one', async () => {
    const engine = await saveTwo();
    const [newest = ''] = snapshots.names();
    for (let length = 4_000; length >= 0; length -= 250) {
      truncateSync(join(folder, newest), length);
      expect((await restore(kept(), cursorAt(1_003)))?.fromSlot).toBe(1_002);
    }
    expect(refused.at(-1)).toContain('it is cut off');
    engine.apply(slots[3] as SlotFacts);
    const again = kept();
    await restore(again, cursorAt(1_003));
    await again.save(engine, 4, 0);
    expect(snapshots.names().map((name) => name.split('-')[1])).toEqual(['1003', '1001']);
  });
});
