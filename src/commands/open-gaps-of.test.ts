import { describe, expect, test } from 'vitest';
import { buildFacts } from '../../tests/support/build-records.ts';
import type { SlotFacts } from '../model/slot-facts.ts';
import type { SlotGap } from '../model/slot-range.ts';
import { asSlot } from '../model/units.ts';
import { openGapsOf, type StoredBlocks } from './open-gaps-of.ts';

function gap(from: number, to: number): SlotGap {
  const range = { from: asSlot(from), to: asSlot(to) };
  return { ...range, reason: 'r', sinceMs: 0, tries: 1, afterMs: null, beforeMs: null };
}

function logOf(...facts: readonly SlotFacts[]): StoredBlocks {
  const bySlot = new Map<number, SlotFacts>(facts.map((slot) => [slot.slot, slot]));
  return { find: async (slot) => bySlot.get(slot) ?? null };
}

/** A block and its parent. */
function blockOn(slot: number, parentSlot: number): SlotFacts {
  const parent = { parentSlot: asSlot(parentSlot), previousBlockhash: `hash${parentSlot}` };
  return buildFacts(slot, parent);
}

const point = (slot: number) => ({ slot, blockhash: `hash${slot}` });

describe('gaps of the stored log to fill from a chain', () => {
  test('lack the parent of the block after them, with skipped slots on both sides', async () => {
    const log = logOf(blockOn(80, 79), blockOn(90, 80), blockOn(120, 112));
    expect(await openGapsOf(log, [gap(101, 112)])).toEqual([
      { from: 101, below: [point(80), point(90)], expected: point(112) },
    ]);
  });

  test('include the preceding blocks as far as one may be on a lost branch', async () => {
    const log = logOf(blockOn(36, 35), blockOn(37, 36), blockOn(100, 37), blockOn(103, 102));
    const [open] = await openGapsOf(log, [gap(101, 102)]);
    expect(open?.below).toEqual([point(37), point(100)]);
  });

  test('are skipped if the missing block is unknown', async () => {
    const lonely = logOf(blockOn(36, 35), blockOn(170, 165));
    expect(await openGapsOf(lonely, [gap(101, 102)])).toEqual([]);
    const unlinked = buildFacts(103, { parentSlot: null, previousBlockhash: null });
    expect(await openGapsOf(logOf(blockOn(100, 99), unlinked), [gap(101, 102)])).toEqual([]);
    const unnamed = buildFacts(100, { blockhash: null });
    expect(await openGapsOf(logOf(unnamed, blockOn(103, 102)), [gap(101, 102)])).toEqual([]);
  });

  test('are none if a stored block is contradicted without a replacement', async () => {
    const log = logOf(blockOn(97, 96), blockOn(99, 97), blockOn(102, 97));
    expect(await openGapsOf(log, [gap(99, 99)])).toEqual([]);
  });

  test('are merged if a suspected block and a hole lack the same block', async () => {
    const log = logOf(blockOn(97, 96), blockOn(99, 97), blockOn(103, 102));
    expect(await openGapsOf(log, [gap(98, 99), gap(100, 102)])).toEqual([
      { from: 98, below: [point(97)], expected: point(102) },
    ]);
  });
});
