import { describe, expect, test } from 'vitest';
import { asSlot } from '../model/units.ts';
import type { Cursor } from '../store/control/cursor.ts';
import { type ChangeableFold, ChangeableSlots } from './changeable-slots.ts';

const CURSOR: Cursor = { epoch: 1, slot: asSlot(900), isDirty: false };
const run = (from: number, to = from) => ({ from: asSlot(from), to: asSlot(to) });

/** With checkpoints of these slots, newest first; a commit that ends leaves those of `committed`. */
function slotsOf(
  checkpoints: readonly number[],
  { logStart = 100 as number | null, cursor = CURSOR, committed = checkpoints } = {},
) {
  let now = checkpoints;
  const live: ChangeableFold = {
    store: { logStart: { slot: logStart === null ? null : asSlot(logStart) } },
    cursor,
    fold: { finalSlot: 900 },
    state: {
      get retained() {
        return now.map((slot) => ({ slot: asSlot(slot), timeMs: slot }));
      },
      settled: async () => {
        now = committed;
      },
    },
  };
  return new ChangeableSlots(live);
}

describe('the final slots that can change', () => {
  test('are all while the log is whole', async () => {
    const slots = slotsOf([], { logStart: null });
    expect(slots.first).toBeNull();
    expect(await slots.refusalOf(run(0, 5))).toBeNull();
  });

  test('are those after the oldest checkpoint once slots were dropped', async () => {
    const slots = slotsOf([800, 600, 300]);
    expect(slots.first).toBe(301);
    expect(await slots.refusalOf(run(301))).toBeNull();
    expect(await slots.refusalOf(run(300))).toEqual({
      code: 'too-late',
      origin: 'the log',
      position: 'slot 300',
      message:
        'only slots from 301 on can change, the first after the oldest usable checkpoint, since ' +
        'older slots were dropped from the log (--log-retention): nothing was changed',
    });
    expect((await slots.refusalOf(run(300, 302)))?.position).toBe('slots 300 to 302');
  });

  test('are none without a checkpoint', async () => {
    const slots = slotsOf([]);
    expect(slots.first).toBe(901);
    expect(await slots.refusalOf(run(900))).not.toBeNull();
  });

  test('are not before a checkpoint that the running commit removes', async () => {
    const slots = slotsOf([800, 300], { committed: [899, 800] });
    expect(await slots.refusalOf(run(301))).not.toBeNull();
    expect(await slots.refusalOf(run(801))).toBeNull();
  });

  test('are not before the first of the remembered folds, less those that may still begin', async () => {
    const folds = Array.from({ length: 64 }, (_, at) => {
      return { epoch: at + 1, afterSlot: at === 0 ? null : asSlot(at * 10) };
    });
    const cursor = { ...CURSOR, epoch: 64, layers: { top: 1, base: null, folds } };
    // The folds that began after slots 0 and 10 may be forgotten until the refold begins.
    expect(slotsOf([800, 20, 19], { cursor, logStart: 5 }).first).toBe(21);
    const fewer = { ...cursor, layers: { ...cursor.layers, folds: folds.slice(0, 62) } };
    expect(slotsOf([800, 20, 19], { cursor: fewer, logStart: 5 }).first).toBe(20);
  });
});
