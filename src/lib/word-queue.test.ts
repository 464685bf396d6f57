import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { UndoLog } from './undo-log.ts';
import { QUEUED_WORDS_MAX, WordQueue } from './word-queue.ts';

function drain(queue: WordQueue): number[] {
  const words: number[] = [];
  for (let word = queue.peek(); word !== undefined; word = queue.peek()) {
    words.push(word);
    queue.shift();
  }
  return words;
}

describe('a queue of words', () => {
  test('returns words in order of arrival, each at its position', () => {
    const change = fc.oneof(fc.nat(0xffff_ffff), fc.constant('shift' as const));
    fc.assert(
      fc.property(fc.array(change), (changes) => {
        const queue = new WordQueue();
        const mirror: [position: number, word: number][] = [];
        for (const each of changes) {
          if (each === 'shift') {
            queue.shift();
            mirror.shift();
          } else {
            mirror.push([queue.push(each), each]);
          }
          expect(queue.size).toBe(mirror.length);
          expect(queue.peek()).toBe(mirror[0]?.[1]);
          if (mirror[0] !== undefined) expect(queue.first).toBe(mirror[0][0]);
        }
      }),
    );
  });

  test('is as before after an undo', () => {
    const undo = new UndoLog(1);
    const queue = new WordQueue(undo);
    for (const word of [5, 6, 7]) queue.push(word);
    undo.open();
    queue.shift();
    queue.push(8);
    undo.close();
    undo.undo();
    expect(drain(queue)).toEqual([5, 6, 7]);
  });

  test('uses its pages again and has a maximum', () => {
    const undo = new UndoLog();
    const queue = new WordQueue(undo);
    for (let word = 0; word < QUEUED_WORDS_MAX; word++) queue.push(word);
    expect(() => queue.push(0)).toThrow(RangeError);
    const pages = undo.pages.residentPages;
    for (let word = 0; word < 1_000; word++) {
      queue.shift();
      queue.push(word);
    }
    expect(undo.pages.residentPages).toBe(pages);
    expect([queue.first, queue.peek(), queue.size]).toEqual([1_000, 1_000, QUEUED_WORDS_MAX]);
  });
});
