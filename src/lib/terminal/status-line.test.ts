import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fitParts, StatusLine } from './status-line.ts';
import { CLEAR_LINE } from './terminal.ts';
import { textBox } from './text-box.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

function lineOf(columns: () => number, parts: () => readonly string[]) {
  const written: string[] = [];
  const line = new StatusLine({ write: (text) => written.push(text), columns, parts });
  return { line, written };
}

test('the line is drawn at once, then at most four times a second, and erased at the end', () => {
  let slot = 1;
  const { line, written } = lineOf(
    () => 80,
    () => [`slot ${slot++}`],
  );
  line.start();
  expect(written).toEqual([`${CLEAR_LINE}slot 1`]);
  vi.advanceTimersByTime(1_000);
  expect(written).toHaveLength(5);
  line.stop();
  line.stop();
  expect(written.at(-1)).toBe(CLEAR_LINE);
  vi.advanceTimersByTime(1_000);
  expect(written).toHaveLength(6);
});

test('in a window made narrower, all rows of the old line are erased', () => {
  let columns = 80;
  const { line, written } = lineOf(
    () => columns,
    () => ['x'.repeat(9), 'y'.repeat(30)],
  );
  line.start();
  columns = 20;
  line.draw();
  // 42 columns were drawn: three rows of 20, so the first is two rows up.
  expect(written.at(-1)).toBe(`\r\u001b[2A\u001b[J${'x'.repeat(9)}`);
});

test('parts that do not fit are left out, never cut', () => {
  expect(fitParts(['slot 12', 'lag 1 s', 'no gaps'], 80)).toBe('slot 12 · lag 1 s · no gaps');
  expect(fitParts(['slot 12', 'lag 1 s', 'no gaps'], 20)).toBe('slot 12 · lag 1 s');
  expect(fitParts(['slot 12', 'lag 1 s', 'no gaps'], 5)).toBe('');
});

test('a box is as wide as its widest line, and left out where that does not fit', () => {
  const box = { title: 'Title', lines: ['狗狗', 'abcdefg'] };
  expect(textBox({ ...box, columns: 11 })).toEqual([
    '╭ Title ──╮',
    '│ 狗狗    │',
    '│ abcdefg │',
    '╰─────────╯',
  ]);
  expect(textBox({ ...box, columns: 10 })).toEqual(['Title', '狗狗', 'abcdefg']);
});
