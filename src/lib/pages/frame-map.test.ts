import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ABSENT, FrameMap } from './frame-map.ts';

/** Frames, and the same in a Map. */
class Compared {
  private readonly frames = new FrameMap();
  private readonly known = new Map<number, number>();

  /** Sets a value, or deletes it if it is null. */
  change(page: number, value: number | null): void {
    if (value !== null) {
      this.frames.set(page, value);
      this.known.set(page, value);
    } else if (this.known.delete(page)) this.frames.delete(page);
  }

  expectEqual(page: number): void {
    expect(this.frames.get(page)).toBe(this.known.get(page) ?? ABSENT);
  }
}

describe('frames by page', () => {
  test('are those that were set last, and none once deleted', () => {
    const page = fc.oneof(fc.nat(3), fc.nat(100), fc.nat(1_000_000));
    const value = fc.integer({ min: -1_000, max: 1_000 }).filter((drawn) => drawn !== ABSENT);
    const changes = fc.array(fc.tuple(page, fc.option(value)), { maxLength: 200 });
    fc.assert(
      fc.property(changes, (drawn) => {
        const compared = new Compared();
        for (const [at, next] of drawn) compared.change(at, next);
        for (const [at] of drawn) {
          for (const near of [at, at + 1, at + 31, at + 32]) compared.expectEqual(near);
        }
      }),
    );
  });

  test('take memory for the pages that have one, however many there were', () => {
    const frames = new FrameMap();
    for (let page = 0; page < 1_000_000; page++) {
      frames.set(page, page);
      if (page >= 1_000) frames.delete(page - 1_000);
    }
    // A quarter of a byte for each of a million pages, and 4 for each of a thousand, twice.
    expect(frames.allocatedBytes).toBeLessThan(300_000);
    expect(frames.get(999_999)).toBe(999_999);
    expect(frames.get(998_999)).toBe(ABSENT);
  });
});
