import { describe, expect, test } from 'vitest';
import { named } from '../../../tests/support/made-up-units.ts';
import { EntryReturns } from './entry-returns.ts';

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 0, 1);

/** Adds equal episodes; each one's expectation is that of its time. */
function addTo(
  book: EntryReturns,
  count: number,
  given: { cell?: number; mint?: string; startMs?: number; closedMs?: number; gain: number },
): void {
  const { cell = 0, mint = 'mint', startMs = START_MS, closedMs = startMs, gain } = given;
  const entry = { entryCell: cell, startMs };
  for (let added = 0; added < count; added++) {
    const expected = book.expected(entry);
    book.add({ ...entry, mint: named(mint), closedMs, episodeReturn: gain }, expected);
  }
}

describe('the expected return of a purchase', () => {
  test('is 0 without episodes', () => {
    const nothing = { ofCell: 0, ofHour: 0 };
    expect(new EntryReturns().expected({ entryCell: 3, startMs: START_MS })).toEqual(nothing);
  });

  test('is the mean of the cell, with 20 episodes of the mean of all, with 20 of 0', () => {
    const book = new EntryReturns();
    addTo(book, 20, { cell: 1, gain: -1 });
    addTo(book, 60, { cell: 2, gain: 0.5 });
    // All: (-20 + 30) / (80 + 20) = 0.1. Cell 1: (-20 + 20 · 0.1) / 40; cell 2: (30 + 2) / 80.
    const laterMs = START_MS + 90 * DAY_MS;
    const ofCell = (entryCell: number) => book.expected({ entryCell, startMs: laterMs }).ofCell;
    expect(ofCell(1)).toBeCloseTo(-0.45, 12);
    expect(ofCell(2)).toBeCloseTo(0.4, 12);
    expect(ofCell(3)).toBeCloseTo(0.1, 12);
  });

  test('weighs an episode by half 30 days before the last of its cell', () => {
    const book = new EntryReturns();
    addTo(book, 40, { gain: 1 });
    addTo(book, 20, { gain: -1, closedMs: START_MS + 30 * DAY_MS });
    // 40 · ½ - 20 = 0, in the cell and in all.
    expect(book.expected({ entryCell: 0, startMs: 0 }).ofCell).toBeCloseTo(0, 12);
  });

  test('of an hour with one mint is corrected by a twentieth, as the mint may be the skill', () => {
    const book = new EntryReturns();
    const expected = { ofCell: 0, ofHour: 0 };
    const at = { entryCell: 0, startMs: START_MS };
    book.add({ ...at, mint: named('mint'), closedMs: START_MS, episodeReturn: 2 }, expected);
    // One of 64 bits is set: 64 · ln(64 / 63) mints.
    const mints = 64 * Math.log(64 / 63);
    expect(book.expected(at).ofHour).toBeCloseTo((2 * mints) / (mints + 20), 12);
    expect(book.expected({ ...at, startMs: START_MS + 3_600_000 }).ofHour).toBe(0);
  });

  test('of an hour with many mints is corrected by most of how they turned out', () => {
    const book = new EntryReturns();
    const at = { entryCell: 0, startMs: START_MS };
    for (let mint = 0; mint < 500; mint++) {
      const entry = { ...at, mint: named(`mint-${mint}`), closedMs: START_MS };
      book.add({ ...entry, episodeReturn: 1 }, { ofCell: 0.5, ofHour: 0 });
    }
    // All bits are set: 64 · ln 64 mints, and each exceeded its cell by ½.
    const mints = 64 * Math.log(64);
    expect(book.expected(at).ofHour).toBeCloseTo((0.5 * mints) / (mints + 20), 12);
  });

  test('forgets an hour for the one 60 days later, which an older episode does not change', () => {
    const book = new EntryReturns();
    const laterMs = START_MS + 60 * DAY_MS;
    addTo(book, 1, { gain: 2, startMs: START_MS });
    addTo(book, 1, { gain: -1, startMs: laterMs });
    const later = book.expected({ entryCell: 0, startMs: laterMs }).ofHour;
    addTo(book, 5, { gain: 3, startMs: START_MS, closedMs: laterMs });
    expect(book.expected({ entryCell: 0, startMs: laterMs }).ofHour).toBe(later);
    expect(book.expected({ entryCell: 0, startMs: START_MS }).ofHour).toBe(0);
    expect(later).toBeLessThan(0);
  });
});
