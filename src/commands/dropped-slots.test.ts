import { describe, expect, test } from 'vitest';
import { UsageError } from '../model/errors.ts';
import { asSlot } from '../model/units.ts';
import { assertChangeable, assertInLog, changeableGaps } from './dropped-slots.ts';

const range = (from: number, to: number) => ({ from: asSlot(from), to: asSlot(to) });
const LOG = { slot: asSlot(700) };
const INGESTION = { logStart: asSlot(700), firstChangeable: asSlot(901) };

describe('a range to read from a log', () => {
  test('is refused if it begins before the log, and says where that begins', () => {
    expect(() => assertInLog(range(699, 800), LOG)).toThrow(UsageError);
    expect(() => assertInLog(range(699, 800), LOG)).toThrow('name --from 700 or later');
    expect(() => assertInLog(range(700, 800), LOG)).not.toThrow();
    expect(() => assertInLog(range(0, 800), { slot: null })).not.toThrow();
  });
});

describe('ranges to add to a log', () => {
  test('are refused before the slots that can change, and say which these are', () => {
    expect(() => assertChangeable([range(900, 950)], INGESTION)).toThrow(UsageError);
    expect(() => assertChangeable([range(900, 950)], INGESTION)).toThrow(
      /Slot 900 .* slots before 700 were dropped .* Name --from 901 or later/,
    );
    expect(() => assertChangeable([range(901, 950)], INGESTION)).not.toThrow();
    // Nothing of the range is wanted.
    expect(() => assertChangeable([], INGESTION)).not.toThrow();
    const whole = { logStart: null, firstChangeable: null };
    expect(() => assertChangeable([range(0, 950)], whole)).not.toThrow();
  });
});

describe('gaps to fill', () => {
  test('are those with a slot that can still be added', () => {
    const gaps = [range(600, 650), range(890, 900), range(899, 901), range(950, 960)].map((run) => {
      return { ...run, reason: 'r', sinceMs: 0, tries: 0, afterMs: null, beforeMs: null };
    });
    expect(changeableGaps({ gaps, firstChangeable: asSlot(901) })).toEqual(gaps.slice(2));
    expect(changeableGaps({ gaps, firstChangeable: null })).toEqual(gaps);
  });
});
