import { expect, test } from 'vitest';
import { MemoryPageStore } from '../../../tests/support/memory-page-store.ts';
import { UndoLog } from '../undo-log.ts';
import { WordList } from '../word-list.ts';
import { BlockSums } from './block-sums.ts';
import { PageFrames } from './page-frames.ts';
import { PagePool } from './page-pool.ts';

const SLOTS = 40_000;

/** As many slots, in each of which a page comes into memory, is changed and leaves. */
function afterSlots(areCounted: boolean): number {
  const frames = new PageFrames();
  const sums = new BlockSums(frames, areCounted);
  sums.addSpace();
  for (let slot = 0; slot < SLOTS; slot++) {
    const frame = frames.take(0, slot % 100, 1);
    sums.leave(frame, 1);
    sums.settleFrame(frame);
    frames.release(frame);
    sums.settleSome();
  }
  return sums.waitingEntries;
}

test('what is remembered of changed pages is bounded, and nothing is where nobody asks for sums', () => {
  expect(afterSlots(true)).toBeLessThanOrEqual(2 * 16_384);
  expect(afterSlots(false)).toBe(0);
});

test('pages without sums have the same contents when they leave memory, and no sums', () => {
  const pages = new PagePool({ pagesMax: 4, store: new MemoryPageStore(), hasSums: false });
  const undo = new UndoLog(1, pages);
  const words = new WordList(undo);
  for (let slot = 0; slot < 50; slot++) {
    undo.open();
    for (let at = slot; at < 5_000; at += 50) words.set(at, at + slot);
    undo.close();
    undo.forget(1);
    pages.advance();
    pages.trim();
  }
  expect(pages.use.evictedPages).toBeGreaterThan(50);
  const read = Array.from({ length: 5_000 }, (_, at) => words.get(at));
  expect(read).toEqual(Array.from({ length: 5_000 }, (_, at) => at + (at % 50)));
  expect(() => pages.sumOf(0)).toThrow('the pages have no sums');
});
