import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { buildFacts } from '../../../tests/support/build-records.ts';
import type { MissingMark, SlotMark } from '../../model/slot-range.ts';
import { asSlot } from '../../model/units.ts';
import { openStore } from '../store.ts';

function held(from: number, to = from): SlotMark {
  return { state: 'held', from: asSlot(from), to: asSlot(to) };
}

function missing(from: number, to: number): SlotMark {
  const place = { from: asSlot(from), to: asSlot(to) };
  const why = { reason: 'no node had it', sinceMs: 1, tries: 1, afterMs: null, beforeMs: null };
  return { state: 'missing', ...place, ...why, isSuspected: false } satisfies MissingMark;
}

describe('a log and its ledger', () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'compare-log-'));
  });
  afterEach(() => {
    rmSync(dataDir, { recursive: true });
  });

  /** The findings for these slots in the log, with the cursor at the last slot of the ledger. */
  async function found(
    slots: readonly number[],
    cursor: number,
    marks: readonly SlotMark[],
    logStart = 0,
  ) {
    const store = await openStore({ dataDir });
    await store.logStart.advance(asSlot(logStart));
    const facts = slots.map((slot) => buildFacts(slot));
    await store.writer.writeBatch({ slots: facts, changes: [], epoch: 1 });
    store.cursor.write({ epoch: 1, slot: asSlot(cursor), isDirty: false }, marks);
    await store.close();
    const again = await openStore({ dataDir });
    const { findings } = await again.verification.verify({ budgetMs: null, nowMs: Date.now });
    await again.close();
    return findings;
  }

  test('agree if every held slot is present, also with later slots written before a kill', async () => {
    const marks = [held(9_998, 10_001), missing(10_002, 10_004)];
    expect(await found([9_998, 9_999, 10_000, 10_001, 10_005], 10_004, marks)).toEqual([]);
  });

  test('differ in a missing slot, also if another slot replaces it', async () => {
    expect(await found([7, 9], 8, [held(7, 8)])).toEqual([{ kind: 'slots-lost', from: 8, to: 8 }]);
  });

  test('agree before the start of the log, whether or not slots are removed yet', async () => {
    const marks = [held(9_990, 10_005)];
    const stored = [9_997, 9_998, 9_999, 10_000, 10_001, 10_002, 10_003, 10_004, 10_005];
    expect(await found(stored, 10_005, marks, 9_998)).toEqual([]);
  });

  test('differ in a slot that is missing after the start of the log', async () => {
    const marks = [held(9_990, 10_002)];
    expect(await found([9_990, 9_999, 10_001, 10_002], 10_002, marks, 9_998)).toEqual([
      { kind: 'slots-lost', from: 9_998, to: 9_998 },
      { kind: 'slots-lost', from: 10_000, to: 10_000 },
    ]);
  });

  test('differ in slots that the ledger does not know', async () => {
    expect(await found([7, 8, 9, 11], 11, [held(7), held(11)])).toEqual([
      { kind: 'ledger-incomplete', from: 8, to: 9 },
    ]);
  });

  test('differ in slots next to a gap that contains the same number of other slots', async () => {
    expect(await found([7, 9], 10, [held(6), missing(7, 9), held(10)])).toEqual([
      { kind: 'slots-lost', from: 6, to: 6 },
      { kind: 'slots-lost', from: 10, to: 10 },
    ]);
  });
});
