import { describe, expect, test } from 'vitest';
import { DeferredWrites } from './deferred-writes.ts';

function full(): Error {
  return Object.assign(new Error('no space'), { code: 'ENOSPC' });
}

describe('deferred writes', () => {
  test('are performed immediately and in order while nothing fails', () => {
    const done: number[] = [];
    const writes = new DeferredWrites();
    writes.add(() => done.push(1));
    writes.add(() => done.push(2));
    expect(done).toEqual([1, 2]);
    expect(writes.isWaiting).toBe(false);
  });

  test('keep their order after a failure, and are each performed once', () => {
    const done: number[] = [];
    let isFull = true;
    const write = (number: number) => () => {
      if (isFull) throw full();
      done.push(number);
    };
    const writes = new DeferredWrites();
    writes.add(write(1));
    isFull = false;
    writes.add(write(2));
    expect(done).toEqual([]);
    isFull = true;
    expect(() => writes.settle()).toThrow('no space');
    expect(writes.isWaiting).toBe(true);
    isFull = false;
    writes.settle();
    writes.settle();
    expect(done).toEqual([1, 2]);
    expect(writes.isWaiting).toBe(false);
  });

  test('are not queued after a permanent error', () => {
    const writes = new DeferredWrites();
    const write = () => {
      throw new Error('another process writes');
    };
    expect(() => writes.add(write)).toThrow('another process writes');
    expect(writes.isWaiting).toBe(false);
  });
});
