import { describe, expect, test } from 'vitest';
import { FairQueue } from './fair-queue.ts';

function drain(queue: FairQueue<string>): string[] {
  const items: string[] = [];
  for (let next = queue.take(); next !== null; next = queue.take()) items.push(next.item);
  return items;
}

describe('a fair queue', () => {
  test('takes one item of each owner in turn, the oldest of each first', () => {
    const queue = new FairQueue<string>();
    for (const item of ['a1', 'a2', 'a3', 'a4']) queue.push('a', item);
    queue.push('b', 'b1');
    queue.push(null, 'none');
    expect(drain(queue)).toEqual(['a1', 'b1', 'none', 'a2', 'a3', 'a4']);
    expect(queue.size).toBe(0);
  });

  test('lets a new owner wait for at most one item of each other owner', () => {
    const queue = new FairQueue<string>();
    for (let count = 0; count < 100; count++) queue.push('a', `a${count}`);
    expect(queue.take()?.item).toBe('a0');
    queue.push('b', 'b0');
    expect([queue.take()?.item, queue.take()?.item]).toEqual(['a1', 'b0']);
  });

  test('skips owners that are not allowed now, and keeps their items', () => {
    const queue = new FairQueue<string>();
    queue.push('a', 'a1');
    queue.push('b', 'b1');
    expect(queue.take((owner) => owner !== 'a')?.item).toBe('b1');
    expect(queue.take((owner) => owner !== 'a')).toBeNull();
    expect([queue.size, queue.countOf('a')]).toEqual([1, 1]);
  });

  test('drops removed items', () => {
    const queue = new FairQueue<string>();
    queue.push('a', 'a1');
    queue.push('a', 'a2');
    expect([queue.remove('a', 'a1'), queue.remove('a', 'a1')]).toEqual([true, false]);
    expect(queue.size).toBe(1);
    expect(drain(queue)).toEqual(['a2']);
  });
});
