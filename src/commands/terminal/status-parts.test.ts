import { expect, test } from 'vitest';
import { ProgressBar } from './progress-bar.ts';
import { SlotRate } from './slot-rate.ts';
import { durationText, statusParts } from './status-parts.ts';

const FIGURES = {
  slot: 326_027_700,
  isFollowing: true,
  lagMs: 840,
  slotsPerSecond: 2.5,
  gaps: 0,
  memoryBytes: 512 * 2 ** 20,
};

test('while a chain is followed: slot, lag, rate, gaps, memory', () => {
  expect(statusParts(FIGURES)).toEqual([
    'slot 326027700',
    'lag 0.8 s',
    '2.5 slots/s',
    'no gaps',
    '512 MiB',
  ]);
});

test('what is unknown is said, not zero', () => {
  const parts = statusParts({ ...FIGURES, slot: null, lagMs: null, slotsPerSecond: null, gaps: 1 });
  expect(parts).toEqual(['no slot yet', 'lag unknown', '- slots/s', '1 gap', '512 MiB']);
});

test('a folder that is only served has no lag and no rate', () => {
  expect(statusParts({ ...FIGURES, isFollowing: false })).toEqual([
    'slot 326027700',
    'no gaps',
    '512 MiB',
  ]);
});

test('a long lag and gaps stand out', () => {
  const marked = (_: unknown, text: string) => `!${text}!`;
  expect(statusParts({ ...FIGURES, lagMs: 61_000, gaps: 2 }, marked)).toContain('!lag 1 min 1 s!');
  expect(statusParts({ ...FIGURES, gaps: 2 }, marked)).toContain('!2 gaps!');
  expect(statusParts(FIGURES, marked).join('')).not.toContain('!');
});

test.each([
  [0, '0.0 s'],
  [59_940, '59.9 s'],
  [3_599_000, '59 min 59 s'],
  [7_500_000, '2 h 5 min'],
  [90_000_000, '1 d 1 h'],
])('%i ms are %s', (ms, text) => {
  expect(durationText(ms)).toBe(text);
});

test('the rate is that of the last ten seconds, and unknown in the first', () => {
  const rate = new SlotRate();
  expect(rate.measure(100, 0)).toBeNull();
  expect(rate.measure(101, 500)).toBeNull();
  expect(rate.measure(110, 2_000)).toBe(5);
  // 10 s before are the 110 slots of second 2.
  expect(rate.measure(210, 12_000)).toBe(10);
});

test('a bar shows phase, share, sizes, rate and time left, and ends with the last byte', () => {
  let nowMs = 0;
  const bar = new ProgressBar(() => nowMs);
  expect(bar.parts()).toBeNull();
  // The service takes a minute to open its folder, which is no part of the rate.
  nowMs = 60_000;
  const progress = {
    phase: 'reading',
    bytesDone: 25_000_000,
    bytesTotal: 100_000_000,
    blocks: 10,
    transactions: 2_000,
    votes: 0,
    duplicates: 0,
    problems: 1,
  } as const;
  bar.report({ ...progress, bytesDone: 0 });
  nowMs += 2_000;
  bar.report(progress);
  // A quarter of 24 columns; 75 MB more at 12.5 MB/s.
  expect(bar.parts()).toEqual([
    'reading [======------------------] 25%',
    '25.0 of 100.0 MB',
    '12.5 MB/s',
    '6 s left',
    '10 slots',
    '2000 transactions',
    '1000/s',
    '1 problems',
  ]);
  bar.report({ ...progress, phase: 'indexing', bytesDone: 100_000_000 });
  expect(bar.parts()?.[0]).toBe('indexing [========================] 100%');
  bar.report({ ...progress, bytesDone: 100_000_000 });
  expect(bar.parts()).toBeNull();
});
