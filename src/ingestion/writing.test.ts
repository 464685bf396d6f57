import { describe, expect, test } from 'vitest';
import { Writing } from './writing.ts';

/** Writes that end when the test says so. */
function writes() {
  const ends: { readonly resolve: () => void; readonly reject: (error: Error) => void }[] = [];
  const writing = new Writing(
    () => new Promise((resolve, reject) => ends.push({ resolve, reject })),
  );
  return { writing, ends };
}

describe('background writing', () => {
  test('runs one write at a time, without blocking', async () => {
    const { writing, ends } = writes();
    writing.start();
    writing.start();
    expect(ends).toHaveLength(1);
    ends[0]?.resolve();
    await writing.settled();
    writing.start();
    expect(ends).toHaveLength(2);
  });

  test('is finished when everything that became ready is written too', async () => {
    const { writing, ends } = writes();
    writing.start();
    let isFinished = false;
    const finished = writing.finish().then(() => {
      isFinished = true;
    });
    ends[0]?.resolve();
    await writing.settled();
    await Promise.resolve();
    expect([ends.length, isFinished]).toEqual([2, false]);
    ends[1]?.resolve();
    await finished;
    expect(isFinished).toBe(true);
  });

  test('rejects later calls with its failure, and writes no more', async () => {
    const { writing, ends } = writes();
    writing.start();
    ends[0]?.reject(new Error('the disk is full'));
    await writing.settled();
    writing.start();
    expect(() => writing.assertWell()).toThrow('the disk is full');
    await expect(writing.finish()).rejects.toThrow('the disk is full');
    expect(ends).toHaveLength(1);
  });
});
