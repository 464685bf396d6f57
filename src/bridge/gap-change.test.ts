import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SlotGap } from '../model/slot-range.ts';
import { gapChange } from './gap-change.ts';

const gap = (from: number, to: number, afterMs: number | null = null): SlotGap =>
  ({ from, to, reason: 'lost', sinceMs: 1, tries: 1, afterMs, beforeMs: null }) as SlotGap;

describe('the change between two gap lists', () => {
  test('is null while every gap is unchanged', () => {
    expect(gapChange([], [])).toBeNull();
    expect(gapChange([gap(1, 2), gap(5, 5)], [gap(1, 2), gap(5, 5)])).toBeNull();
  });

  test('contains only the new gaps when gaps are added at the end', () => {
    const [first, second] = [gap(1, 2), gap(5, 5)];
    expect(gapChange([first], [first, second])).toEqual({ kept: 1, added: [second] });
  });

  test('contains a gap whose times became known, because responses are checked against them', () => {
    expect(gapChange([gap(1, 2)], [gap(1, 2, 70)])).toEqual({ kept: 0, added: [gap(1, 2, 70)] });
  });

  test('converts any list into any other', () => {
    const gaps = fc.array(
      fc
        .tuple(fc.nat(3), fc.nat(3), fc.option(fc.nat(1), { nil: null }))
        .map((parts) => gap(...parts)),
    );
    fc.assert(
      fc.property(gaps, gaps, (before, now) => {
        const change = gapChange(before, now);
        const made = change === null ? before : [...before.slice(0, change.kept), ...change.added];
        expect(made).toEqual(now);
      }),
    );
  });
});
