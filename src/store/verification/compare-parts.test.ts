import { describe, expect, test } from 'vitest';
import { asSlot } from '../../model/units.ts';
import type { Cursor } from '../control/cursor.ts';
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
  cursor: Cursor = CURSOR,
  logStart: number | null = null,
): string[] {
  const start = logStart === null ? null : asSlot(logStart);
  const findings = compareParts({ recorded, present, mutations, cursor, logStart: start });
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
    ['takes rows of all other layers', "(DELETE WHERE epoch != _CAST(2, 'UInt32'))", 0],
    ['takes rows of all layers but another', "(DELETE WHERE epoch != _CAST(1, 'UInt32'))", 1],
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

  test('may lack rows that the current fold replaced, and no others', () => {
    const folds = [
      { epoch: 1, afterSlot: null },
      { epoch: 2, afterSlot: asSlot(90) },
    ];
    const merging = { ...CURSOR, layers: { top: 2, base: 1, folds } };
    const removal = (layer: number, fold = 2) =>
      mutation(
        5,
        `(DELETE WHERE (epoch = _CAST(${layer}, 'UInt32')) AND (version > _CAST(9, 'UInt64')) ` +
          `AND (version < _CAST(${fold * 2 ** 40}, 'UInt64')))`,
      );
    const recorded = [swaps('1-202311_1_1_1'), swaps('1-202311_2_2_1')];
    const present = [swaps('1-202311_1_1_1_5', 3)];
    expect(lost(recorded, present, [removal(1)], merging)).toEqual([]);
    expect(lost(recorded, present, [removal(2)], merging)).toHaveLength(1);
    expect(lost(recorded, present, [], merging)).toHaveLength(1);
    const merged = { ...merging, layers: { top: 1, base: null, folds } };
    expect(lost(recorded, present, [removal(1)], merged)).toEqual([]);
    expect(lost(recorded, present, [removal(1, 3)], merged)).toHaveLength(1);
  });

  test('of both layers are compared while these are merged', () => {
    const folds = [
      { epoch: 1, afterSlot: null },
      { epoch: 2, afterSlot: asSlot(90) },
    ];
    const merging = { ...CURSOR, layers: { top: 2, base: 1, folds } };
    const recorded = [swaps('1-202311_1_1_1'), swaps('2-202311_1_1_1'), swaps('3-202311_1_1_1')];
    expect(lost(recorded, [], [], merging)[0]).toMatch(/1-202311.*2-202311/);
    expect(lost(recorded, [], [], merging)[0]).not.toContain('3-202311');
  });

  test('of the log are not compared while it is dirty, because slots are being removed', () => {
    const recorded = [part('slot_log', '0_1_1_1')];
    expect(lost(recorded, [])).toHaveLength(1);
    expect(lost(recorded, [], [], { ...CURSOR, isDirty: true })).toEqual([]);
  });

  test('of the log may lack slots before its start, and no others', () => {
    const removal = (before: number, number = 5): Mutation => {
      const command = `(DELETE WHERE slot < _CAST(${before}, 'UInt64'))`;
      return { table: 'slot_log', number, command };
    };
    const recorded = [part('slot_log', '0_1_1_1'), part('slot_log', '0_2_2_1')];
    const present = [part('slot_log', '0_1_1_1_5', 3)];
    expect(lost(recorded, present, [removal(80)], CURSOR, 80)).toEqual([]);
    expect(lost(recorded, present, [removal(80)], CURSOR, 90)).toEqual([]);
    expect(lost(recorded, present, [removal(80)], CURSOR, 79)).toHaveLength(1);
    expect(lost(recorded, present, [removal(80)], CURSOR)).toHaveLength(1);
    // Rows that were written after the statement ran are not removed by it.
    expect(lost([part('slot_log', '0_6_6_1')], [], [removal(80)], CURSOR, 80)).toHaveLength(1);
    const other = { ...removal(80), command: '(DELETE WHERE slot < 80 OR slot > 95)' };
    expect(lost(recorded, present, [other], CURSOR, 80)).toHaveLength(1);
    expect(lost([swaps('2-202311_1_1_1')], [], [removal(80)], CURSOR, 80)).toHaveLength(1);
  });

  test('of the log are not compared in partitions that are before its start as a whole', () => {
    const recorded = [part('slot_log', '3_1_1_1')];
    expect(lost(recorded, [], [], CURSOR, 40_000_000)).toEqual([]);
    expect(lost(recorded, [], [], CURSOR, 39_999_999)).toHaveLength(1);
  });
});
