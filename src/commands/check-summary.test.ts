import { describe, expect, test } from 'vitest';
import type { SlotGap } from '../model/slot-range.ts';
import { asSlot } from '../model/units.ts';
import { type Examined, linesOf, summaryOf } from './check-summary.ts';

const WHY = 'Memory limit (total) exceeded';
const ALL_READ = { parts: 0, bytes: 0, why: null };
const TWO_UNREAD = { parts: 2, bytes: 3_500_000, why: WHY };
const SOUND = { checkpoints: 2, records: 30, damaged: [], isComplete: true };
const GAP: SlotGap = {
  from: asSlot(5),
  to: asSlot(7),
  reason: 'nobody had them',
  ...{ sinceMs: 0, tries: 1, afterMs: null, beforeMs: null },
};

function examined(changes: Partial<Examined> = {}, unread: Examined['read']['unread'] = ALL_READ) {
  const parts = 9 - unread.parts;
  const read = { parts, partsTotal: 9, bytes: 1_000_000, bytesTotal: 4_500_000, unread };
  return { findings: [], gaps: [], isRecorded: true, read, states: SOUND, ...changes };
}

describe('the summary of a check', () => {
  test('reports a damaged checkpoint and the way out until it is repaired', () => {
    const sentence = 'Record 3 of space 1 is damaged.';
    const damaged = [{ name: 'checkpoint-7-1.bin', sentence }];
    const found = examined({ states: { ...SOUND, damaged, isComplete: false } });
    const summary = summaryOf(found, false, 1);
    expect(summary.is_whole).toBe(false);
    expect(summary.state).toEqual({ checkpoints: 2, records: 30, damaged, is_complete: false });
    const lines = linesOf(summary);
    expect(lines).toContain(
      'found    Record 3 of space 1 is damaged. The repair removes checkpoint-7-1.bin: a start ' +
        'uses the checkpoint before it, or folds the log again.',
    );
    expect(lines).toContain('state    2 checkpoints, 30 records read, not all of them');
    expect(lines.at(-1)).toMatch(/^not whole: "mintscope check --repair"/);
    expect(summaryOf(found, true, 1).is_whole).toBe(true);
  });

  test('reports a folder as whole when everything was read and nothing is lost', () => {
    const summary = summaryOf(examined(), false, 1);
    expect(summary.is_whole).toBe(true);
    expect(linesOf(summary).at(-1)).toBe('whole    nothing is lost');
  });

  test('reports unknown when parts could not be read, with their number and the reason', () => {
    const summary = summaryOf(examined({}, TWO_UNREAD), false, 1);
    expect(summary).toMatchObject({ is_whole: null, read: { parts: 7, unread: TWO_UNREAD } });
    const lines = linesOf(summary);
    expect(lines).toContain(`unread   2 parts, 3.5 MB, could not be read: ${WHY}`);
    expect(lines.at(-1)).toMatch(/^unknown /);
  });

  test.each([
    ['a finding', { findings: [{ kind: 'cursor-altered' }] }],
    ['missing slots', { gaps: [GAP] }],
  ] as const)('says that it is not whole with %s, whatever could not be read', (_, lost) => {
    const summary = summaryOf(examined(lost, TWO_UNREAD), false, 1);
    expect(summary.is_whole).toBe(false);
    expect(linesOf(summary).at(-1)).toMatch(/^not whole/);
  });

  test('does not report a folder as whole after a repair that left parts unread', () => {
    const found = { findings: [{ kind: 'cursor-altered' }] } as const;
    expect(summaryOf(examined(found, TWO_UNREAD), true, 1).is_whole).toBeNull();
    expect(summaryOf(examined(found), true, 1).is_whole).toBe(true);
  });

  test('counts the slots of gaps', () => {
    expect(summaryOf(examined({ gaps: [GAP] }), false, 1).missing_slots).toBe(3);
  });
});
