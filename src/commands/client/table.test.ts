import { expect, test } from 'vitest';
import { displayWidth } from '../../lib/terminal/display-width.ts';
import { answerHead } from './answer-head.ts';
import { fieldLines, tableLines } from './table.ts';

const COLUMNS = [
  { title: 'name' },
  { title: 'count', isNumber: true },
  { title: 'reason' },
] as const;
const ROWS = [
  ['狗狗币', '7', 'short'],
  ['cat', '1234', 'a reason that is longer than what is left of the line'],
];

test('columns are aligned by width, numbers at the right, and the last one wraps', () => {
  expect(tableLines(COLUMNS, ROWS, 40)).toEqual([
    'name    count  reason',
    '狗狗币      7  short',
    'cat      1234  a reason that is longer',
    '               than what is left of the',
    '               line',
  ]);
});

test('where a table does not fit, each row is a block', () => {
  expect(tableLines(COLUMNS, ROWS, 20)).toEqual([
    'name    狗狗币',
    'count   7',
    'reason  short',
    '',
    'name    cat',
    'count   1234',
    'reason  a reason',
    '        that is',
    '        longer than',
    '        what is left',
    '        of the line',
  ]);
});

test('programs get each row as one line', () => {
  const lines = tableLines(COLUMNS, ROWS, Number.POSITIVE_INFINITY);
  expect(lines).toHaveLength(1 + ROWS.length);
  expect(lines[2]).toBe('cat      1234  a reason that is longer than what is left of the line');
});

test('values below each other wrap too', () => {
  const lines = fieldLines(
    [
      ['a', 'x'],
      ['name', 'one two three'],
    ],
    12,
  );
  expect(lines).toEqual(['a     x', 'name  one', '      two', '      three']);
  expect(lines.every((line) => displayWidth(line) <= 12)).toBe(true);
});

test('the head of an answer says slot, age, completeness and that a chain is simulated', () => {
  const head = (fields: Record<string, string>) => answerHead(new Headers(fields), 200).join(' ');
  expect(head({ 'x-slot': '7', 'x-data-age-ms': '900', 'x-complete': 'true' })).toBe(
    'as of slot 7, 0.9 s old, complete',
  );
  expect(head({ 'x-complete': 'false', 'x-simulated': 'true' })).toBe(
    'before the first slot, incomplete: slots of its history are missing, simulated: on no real chain',
  );
  expect(head({ 'x-slot': 'seven', 'x-data-age-ms': 'soon' })).toBe('before the first slot');
});
