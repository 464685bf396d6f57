import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { named } from '../../../tests/support/made-up-units.ts';
import { asRawAmount, asSlot } from '../../model/units.ts';
import { type HolderNode, TopHolders } from './top-holders.ts';

function node(owner: string, balance: bigint): HolderNode {
  return {
    owner: named(owner),
    mint: named('mint'),
    balanceRaw: asRawAmount(balance),
    asideRaw: asRawAmount(0n),
    firstSeenMs: 0,
    slot: asSlot(0),
    isOut: false,
    left: null,
    right: null,
    size: 1,
  };
}

describe('the order of holders', () => {
  test('is by balance, largest first, then by address', () => {
    const order = new TopHolders();
    for (const each of [node('b', 5n), node('c', 9n), node('a', 5n), node('d', 1n)]) {
      order.insert(each);
    }
    expect(order.first(3).map(({ owner }) => owner)).toEqual(['c', 'a', 'b']);
    expect(order.first(10).map(({ owner }) => owner)).toEqual(['c', 'a', 'b', 'd']);
    expect(order.first(0)).toEqual([]);
    expect([0n, 1n, 2n, 5n, 9n, 10n].map((least) => order.countAtLeast(least))).toEqual([
      4, 4, 3, 3, 1, 0,
    ]);
  });

  test('rejects the removal of an unknown owner', () => {
    const order = new TopHolders();
    order.insert(node('a', 1n));
    expect(() => order.remove(node('b', 1n))).toThrow('owner b is not in the order');
  });

  test('equals a sorted list after any changes', () => {
    const change = fc.record({
      owner: fc.integer({ min: 0, max: 40 }),
      balance: fc.bigInt(0n, 9n),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 300 }), fc.bigInt(0n, 10n), (changes, least) => {
        const order = new TopHolders();
        const holders = new Map<number, HolderNode>();
        for (const { owner, balance } of changes) {
          const known = holders.get(owner);
          if (known !== undefined) order.remove(known);
          holders.delete(owner);
          if (balance === 0n) continue;
          const next = node(String(owner), balance);
          holders.set(owner, next);
          order.insert(next);
        }
        const sorted = [...holders.values()].sort((one, other) =>
          one.balanceRaw === other.balanceRaw
            ? one.owner < other.owner
              ? -1
              : 1
            : one.balanceRaw > other.balanceRaw
              ? -1
              : 1,
        );
        expect(order.first(7)).toEqual(sorted.slice(0, 7));
        expect(order.first(1_000)).toEqual(sorted);
        expect(order.size).toBe(sorted.length);
        for (const cursor of [...sorted.slice(-2), node('2', least), node('', least)]) {
          const later = sorted.filter(
            ({ balanceRaw, owner }) =>
              balanceRaw < cursor.balanceRaw ||
              (balanceRaw === cursor.balanceRaw && owner > cursor.owner),
          );
          expect(order.after(cursor, 3)).toEqual(later.slice(0, 3));
        }
        expect(order.countAtLeast(least)).toBe(
          sorted.filter(({ balanceRaw }) => balanceRaw >= least).length,
        );
      }),
    );
  });

  test('stays shallow when owners arrive in order', () => {
    const order = new TopHolders();
    const count = 20_000;
    for (let index = 0; index < count; index++) order.insert(node(String(index), BigInt(index)));
    // A weight-balanced tree with parameter 3 is at most log(n + 1) / log(4 / 3) deep.
    expect(depthOf(order.first(count))).toBeLessThanOrEqual(Math.log(count + 1) / Math.log(4 / 3));
  });
});

/** Depth below the root, which is the node with the largest size. */
function depthOf(nodes: readonly HolderNode[]): number {
  const depth = (at: HolderNode | null): number =>
    at === null ? 0 : 1 + Math.max(depth(at.left), depth(at.right));
  return depth(nodes.find(({ size }) => size === nodes.length) ?? null);
}
