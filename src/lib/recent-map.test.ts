import { describe, expect, test } from 'vitest';
import { RecentMap } from './recent-map.ts';

describe('a map of recently read entries', () => {
  test('evicts the least recently read entry and returns it', () => {
    const map = new RecentMap<string, number>(2);
    expect(map.set('a', 1)).toBeNull();
    expect(map.set('b', 2)).toBeNull();
    expect(map.get('a')).toBe(1);
    expect(map.set('c', 3)).toEqual({ key: 'b', value: 2 });
    expect([map.peek('a'), map.peek('b'), map.peek('c')]).toEqual([1, undefined, 3]);
    expect(map.size).toBe(2);
  });

  test('does not count a peek as a read', () => {
    const map = new RecentMap<string, number>(2);
    map.set('a', 1);
    map.set('b', 2);
    map.peek('a');
    expect(map.set('c', 3)).toEqual({ key: 'a', value: 1 });
  });

  test('evicts nothing when an existing key is set', () => {
    const map = new RecentMap<string, number>(1);
    map.set('a', 1);
    expect(map.set('a', 2)).toBeNull();
    expect(map.get('a')).toBe(2);
  });

  test('drops deleted entries, and all entries when it is cleared', () => {
    const map = new RecentMap<string, number>(2);
    map.set('a', 1);
    map.set('b', 2);
    expect([map.delete('a'), map.delete('a')]).toEqual([true, false]);
    map.clear();
    expect([map.get('b'), map.size]).toEqual([undefined, 0]);
  });
});
