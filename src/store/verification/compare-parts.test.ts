import { describe, expect, test } from 'vitest';
import { asSlot } from '../../model/units.ts';
import { compareParts, type Mutation } from './compare-parts.ts';
import { type StoredPart, toPart } from './stored-part.ts';

const CURSOR = { epoch: 2, slot: asSlot(100), isDirty: false };

function part(table: string, name: string, rows = 10, hash = name): StoredPart {
  const found = toPart(table, name, { rows, bytes: 1_000, hash });
  if (found === null) throw new Error(`${name} is no name of a part`);
  return found;
}

function lost(
  recorded: readonly StoredPart[],
  present: readonly StoredPart[],
  mutations: readonly Mutation[] = [],
  cursor = CURSOR,
): string[] {
  const findings = compareParts({ recorded, present, mutations, cursor });
  return findings.map((finding) => (finding.kind === 'rows-lost' ? finding.why : finding.kind));
}

const swaps = (name: string, rows?: number, hash?: string) => part('swaps', name, rows, hash);
const mutation = (number: number, command: string): Mutation => ({
  table: 'swaps',
  number,
  command,
});

describe('recorded and present parts', () => {
  test('are equal without changes', () => {
    expect(lost([swaps('2-202311_1_1_1')], [swaps('2-202311_1_1_1')])).toEqual([]);
  });

  test('may be merged since, also with parts written after the record', () => {
    const recorded = [swaps('2-202311_1_1_1'), swaps('2-202311_4_6_2')];
    expect(lost(recorded, [swaps('2-202311_1_9_3', 25)])).toEqual([]);
  });

  test('may lack rows of other epochs, on which answers do not depend', () => {
    expect(lost([swaps('1-202311_1_1_1'), swaps('3-202311_2_2_1')], [])).toEqual([]);
  });

  test('differ when a part is missing, or only its neighbours are present', () => {
    const recorded = [swaps('2-202311_1_1_1'), swaps('2-202311_2_4_2')];
    expect(lost(recorded, [swaps('2-202311_1_1_1')])).toEqual([
      'the part 2-202311_2_4_2 with 10 rows is not there',
    ]);
    expect(lost(recorded, [swaps('2-202311_1_3_2', 20)])).toHaveLength(1);
    expect(lost(recorded, [swaps('2-202312_1_4_2', 20)])).toEqual([
      'the part 2-202311_1_1_1 with 10 rows is not there; ' +
        'the part 2-202311_2_4_2 with 10 rows is not there',
    ]);
  });

  test('differ when a part has the same name and other rows or files', () => {
    expect(lost([swaps('2-202311_1_1_1')], [swaps('2-202311_1_1_1', 9)])).toHaveLength(1);
    expect(lost([swaps('2-202311_1_1_1')], [swaps('2-202311_1_1_1', 10, 'x')])).toHaveLength(1);
  });

  test('differ when a merged part has fewer rows than one of its source parts', () => {
    const recorded = [swaps('2-202311_1_1_1', 10), swaps('2-202311_2_2_1', 4)];
    expect(lost(recorded, [swaps('2-202311_1_2_2', 9)])).toHaveLength(1);
    // A merge keeps one row per key.
    expect(lost(recorded, [swaps('2-202311_1_2_2', 10)])).toEqual([]);
  });

  test.each([
    ['takes rows of folds before', "(DELETE WHERE epoch < _CAST(2, 'UInt32'))", 0],
    ['takes rows of folds after', "(DELETE WHERE epoch >= _CAST(3, 'UInt32'))", 0],
    ['takes rows of this fold and later ones', "(DELETE WHERE epoch >= _CAST(2, 'UInt32'))", 1],
    ['takes rows of this fold and earlier ones', "(DELETE WHERE epoch < _CAST(3, 'UInt32'))", 1],
    ['takes anything else', '(DELETE WHERE trades = 1)', 1],
    ['changes rows', '(UPDATE _row_exists = 0 WHERE trades = 1)', 1],
  ])('rewritten by a statement that %s', (_, command, count) => {
    const present = [swaps('2-202311_1_1_1_5')];
    expect(lost([swaps('2-202311_1_1_1')], present, [mutation(5, command)])).toHaveLength(count);
  });

  test('differ when the statement that rewrote them is unknown', () => {
    expect(lost([swaps('2-202311_1_1_1')], [swaps('2-202311_1_1_1_5')])).toHaveLength(1);
  });

  test('are not affected by statements that ran before they were written', () => {
    const before = mutation(1, "(DELETE WHERE epoch >= _CAST(2, 'UInt32'))");
    const since = mutation(4, "(DELETE WHERE epoch < _CAST(2, 'UInt32'))");
    const present = [swaps('2-202311_2_2_1_4')];
    expect(lost([swaps('2-202311_2_2_1')], present, [before, since])).toEqual([]);
  });

  test('of the log are not compared while it is dirty, because slots are being removed', () => {
    const recorded = [part('slot_log', '0_1_1_1')];
    expect(lost(recorded, [])).toHaveLength(1);
    expect(lost(recorded, [], [], { ...CURSOR, isDirty: true })).toEqual([]);
  });
});
