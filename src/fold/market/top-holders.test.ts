import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { named } from '../../../tests/support/made-up-units.ts';
import { AddressIds } from '../../lib/address-ids.ts';
import type { HolderCursor } from '../../model/holder-page.ts';
import { type Address, asRawAmount, asSlot } from '../../model/units.ts';
import { balanceOf, HOLDER_FLAG, setBalance, setFlag } from './holder-row.ts';
import { HolderTable } from './holder-table.ts';
import { leftOf, rightOf, sizeOf } from './holder-tree.ts';

const mint = named('mint');
const at = { slot: asSlot(0), timeMs: 0, isTimeKnown: true };

/** Counts how often the text of an address is read. */
class CountingIds extends AddressIds<Address> {
  reads = 0;

  override addressOf(id: number): Address {
    this.reads++;
    return super.addressOf(id);
  }
}

/** A table of holders, all of whose rows are in their trees. */
class Stage {
  readonly ids = new CountingIds();
  readonly table = new HolderTable(this.ids);

  insert(owner: string, balanceRaw: bigint, { of = mint, isExcluded = false } = {}): number {
    const row = this.table.add(of, named(owner), at);
    setBalance(this.table.rows, row, balanceRaw);
    setFlag(this.table.rows, row, HOLDER_FLAG.excluded, isExcluded);
    this.table.order.insert(row);
    return row;
  }

  first(limit: number, of = mint): string[] {
    return this.namesOf(this.table.order.first(this.table.findMint(of), limit));
  }

  after(cursor: HolderCursor, limit: number, of = mint): string[] {
    return this.namesOf(this.table.order.after(this.table.findMint(of), cursor, limit));
  }

  count(least: bigint, of = mint): number {
    return this.table.order.countAtLeast(this.table.findMint(of), least);
  }

  /** Depth of the tree; fails if a node is out of balance or counts wrong. */
  depth(of = mint): number {
    const { rows, order } = this.table;
    const links = order.first(this.table.findMint(of), Number.POSITIVE_INFINITY).map(linkOf);
    const depthOf = (link: number): number => {
      if (link === 0) return 0;
      const [left, right] = [leftOf(rows, link), rightOf(rows, link)];
      const [leftSize, rightSize] = [sizeOf(rows, left), sizeOf(rows, right)];
      expect(sizeOf(rows, link)).toBe(leftSize + rightSize + 1);
      // The weights that Hirai and Yamamoto prove to be preserved by insertions and removals.
      expect(leftSize + 1).toBeLessThanOrEqual(3 * (rightSize + 1));
      expect(rightSize + 1).toBeLessThanOrEqual(3 * (leftSize + 1));
      return 1 + Math.max(depthOf(left), depthOf(right));
    };
    return depthOf(links.find((link) => sizeOf(rows, link) === links.length) ?? 0);
  }

  private namesOf(rows: readonly number[]): string[] {
    return rows.map((row) => this.table.ownerOf(row));
  }
}

function linkOf(row: number): number {
  return row + 1;
}

function cursor(owner: string, balanceRaw: bigint): HolderCursor {
  return { owner: named(owner), balanceRaw: asRawAmount(balanceRaw) };
}

/** An owner's new balance, and whether it is excluded from now on. */
interface Change {
  readonly owner: string;
  readonly balanceRaw: bigint;
  readonly isExcluded: boolean;
}

/** Largest first, then by address. */
function sorted(holders: Iterable<Change>): Change[] {
  return [...holders].sort((one, other) => {
    if (one.balanceRaw !== other.balanceRaw) return one.balanceRaw > other.balanceRaw ? -1 : 1;
    return one.owner < other.owner ? -1 : 1;
  });
}

const change: fc.Arbitrary<Change> = fc.record({
  owner: fc.integer({ min: 0, max: 40 }).map(String),
  balanceRaw: fc.bigInt(0n, 9n),
  isExcluded: fc.integer({ min: 0, max: 4 }).map((roll) => roll === 0),
});

/** Applies the changes, and returns the owners that are left with a balance. */
function applied(stage: Stage, changes: readonly Change[]): Change[] {
  const { table } = stage;
  const holders = new Map<string, Change>();
  for (const next of changes) {
    const { owner, balanceRaw, isExcluded } = next;
    const known = holders.get(owner);
    const row = table.findMint(mint) === -1 ? -1 : table.find(mint, named(owner));
    if (known?.isExcluded === isExcluded && balanceRaw > 0n) {
      const isRemoved = table.order.removeUnlessKept(row, balanceRaw);
      setBalance(table.rows, row, balanceRaw);
      if (isRemoved) table.order.insert(row);
      holders.set(owner, next);
      continue;
    }
    if (known !== undefined) {
      table.order.remove(row);
      table.remove(row);
      holders.delete(owner);
    }
    if (balanceRaw === 0n) continue;
    stage.insert(owner, balanceRaw, { isExcluded });
    holders.set(owner, next);
  }
  return [...holders.values()];
}

function expectListed(stage: Stage, list: readonly Change[], least: bigint): void {
  const names = list.map(({ owner }) => owner);
  expect(stage.first(7)).toEqual(names.slice(0, 7));
  expect(stage.first(1_000)).toEqual(names);
  const ends = list.slice(-2).map(({ owner, balanceRaw }) => cursor(owner, balanceRaw));
  for (const from of [...ends, cursor('2', least), cursor('', least)]) {
    const later = list.filter(
      ({ balanceRaw, owner }) =>
        balanceRaw < from.balanceRaw || (balanceRaw === from.balanceRaw && owner > from.owner),
    );
    expect(stage.after(from, 3)).toEqual(later.slice(0, 3).map(({ owner }) => owner));
  }
  const counted = list.filter((each) => each.balanceRaw >= least && !each.isExcluded);
  expect(stage.count(least)).toBe(counted.length);
  stage.depth();
}

describe('the order of holders', () => {
  test('is by balance, largest first, then by address', () => {
    const stage = new Stage();
    stage.insert('b', 5n);
    stage.insert('c', 9n);
    stage.insert('a', 5n);
    stage.insert('d', 1n);
    expect(stage.first(3)).toEqual(['c', 'a', 'b']);
    expect(stage.first(10)).toEqual(['c', 'a', 'b', 'd']);
    expect(stage.first(0)).toEqual([]);
    expect([0n, 1n, 2n, 5n, 9n, 10n].map((least) => stage.count(least))).toEqual([
      4, 4, 3, 3, 1, 0,
    ]);
  });

  test('compares every bit of balances of more than 64', () => {
    const stage = new Stage();
    // One bit apart in each of the parts that are compared separately.
    stage.insert('a', 2n ** 71n);
    stage.insert('b', 2n ** 71n + 1n);
    stage.insert('c', 2n ** 71n + 2n ** 32n);
    stage.insert('d', 2n ** 71n + 2n ** 64n);
    stage.insert('e', 2n ** 64n - 1n);
    expect(stage.first(9)).toEqual(['d', 'c', 'b', 'a', 'e']);
    expect(stage.after(cursor('b', 2n ** 71n + 1n), 1)).toEqual(['a']);
    // Cursors come from clients: their balance may be anything.
    expect(stage.after(cursor('b', 2n ** 200n), 1)).toEqual(['d']);
    expect(stage.after(cursor('b', -1n), 1)).toEqual([]);
    expect([2n ** 71n + 1n, 2n ** 64n, -5n].map((least) => stage.count(least))).toEqual([3, 4, 5]);
  });

  test('rejects the removal of an owner that was not added', () => {
    const stage = new Stage();
    const row = stage.insert('a', 1n);
    stage.table.order.remove(row);
    expect(() => stage.table.order.remove(row)).toThrow('owner a is not in the order');
  });

  test('keeps a position only with a balance between those of the neighbours', () => {
    const stage = new Stage();
    stage.insert('a', 9n);
    const row = stage.insert('c', 5n);
    stage.insert('e', 1n);
    const { order, rows } = stage.table;
    // After the owner before it and before the owner after it, also with their balances.
    for (const kept of [2n, 8n, 5n, 9n, 1n]) {
      expect(order.removeUnlessKept(row, kept)).toBe(false);
      setBalance(rows, row, kept);
      expect(stage.first(3)).toEqual(['a', 'c', 'e']);
    }
    expect(order.removeUnlessKept(row, 10n)).toBe(true);
    expect(stage.first(3)).toEqual(['a', 'e']);
  });

  test('equals a sorted list after any changes', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 300 }), fc.bigInt(0n, 10n), (changes, least) => {
        const stage = new Stage();
        stage.insert('of another tree', 5n, { of: named('other mint') });
        const list = sorted(applied(stage, changes));
        if (list.length > 0) expectListed(stage, list, least);
        expect(stage.first(9, named('other mint'))).toEqual(['of another tree']);
      }),
    );
  });

  test('stays shallow when owners arrive in order', () => {
    const stage = new Stage();
    const count = 20_000;
    for (let index = 0; index < count; index++) stage.insert(String(index), BigInt(index));
    // A weight-balanced tree with parameter 3 is at most log(n + 1) / log(4 / 3) deep.
    expect(stage.depth()).toBeLessThanOrEqual(Math.log(count + 1) / Math.log(4 / 3));
  });

  test('reads a few addresses for an operation among 100,000 equal balances', () => {
    const stage = new Stage();
    const { ids, table } = stage;
    const count = 100_000;
    for (let index = 0; index < count; index++) stage.insert(`${(index * 7_919) % count}`, 5n);
    const mintRow = table.findMint(mint);
    // The text of the key is read once, and that of one owner for each node on a path.
    const readsMax = 1 + Math.log(count + 1) / Math.log(4 / 3);
    const readsOf = (operation: () => unknown) => {
      ids.reads = 0;
      operation();
      return ids.reads;
    };
    for (const owner of ['0', '4999', '99999', '31415']) {
      const row = table.find(mint, named(owner));
      expect(balanceOf(table.rows, row)).toBe(5n);
      expect(readsOf(() => table.order.remove(row))).toBeLessThanOrEqual(readsMax);
      expect(readsOf(() => table.order.insert(row))).toBeLessThanOrEqual(readsMax);
      // Comparing the key with two neighbours reads three more.
      const kept = () => expect(table.order.removeUnlessKept(row, 5n)).toBe(false);
      expect(readsOf(kept)).toBeLessThanOrEqual(readsMax + 3);
      const page = () => table.order.after(mintRow, cursor(owner, 5n), 100);
      expect(readsOf(page)).toBeLessThanOrEqual(readsMax);
      expect(readsOf(() => stage.count(5n))).toBeLessThanOrEqual(readsMax);
    }
    expect(stage.count(5n)).toBe(count);
  });
});
