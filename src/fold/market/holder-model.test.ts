import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectAsInMemory } from '../../../tests/support/book-outside-memory.ts';
import { named } from '../../../tests/support/made-up-units.ts';
import { firstDifference, stateImage } from '../../../tests/support/state-image.ts';
import { AddressIds } from '../../lib/address-ids.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import type { HolderBalance } from '../../model/derived.ts';
import { BURN_ADDRESSES, POOL_AUTHORITIES } from '../../model/known-owners.ts';
import { type Address, asRawAmount, asSlot } from '../../model/units.ts';
import { HolderBook } from './holders.ts';

const mints = ['mint x', 'mint y', 'mint z'].map(named);
const owners = ['ann', 'bob', 'cid', 'dan', 'pool 1', 'pool 2'].map(named);
const special = [...BURN_ADDRESSES, ...POOL_AUTHORITIES].slice(0, 4);
const accounts = Array.from({ length: 14 }, (_, index) => named(`account ${index}`));

interface BalanceStep {
  readonly kind: 'balance';
  readonly account: Address;
  /** Null if the record does not name it. */
  readonly owner: Address | null;
  readonly mint: Address;
  readonly after: bigint;
  /** The record starts at another balance than the last one ended with. */
  readonly isGap: boolean;
}

interface PoolStep {
  readonly kind: 'pool';
  readonly owner: Address;
  readonly mints: readonly Address[];
}

type Step = BalanceStep | PoolStep;

/** What an owner has of a mint: plain objects in Maps, and every answer by iteration. */
interface PlainHolder {
  readonly mint: Address;
  readonly owner: Address;
  readonly firstSeenMs: number | null;
  slot: number;
  isExcluded: boolean;
}

interface PlainAccount {
  readonly mint: Address;
  readonly owner: Address;
  readonly balanceRaw: bigint;
}

/** Records that an owner's balance changes, and returns the owner. */
type Touch = (mint: Address, owner: Address) => PlainHolder;

class PlainHolders {
  accounts = new Map<Address, PlainAccount>();
  holders = new Map<string, PlainHolder>();
  pools = new Set<Address>(POOL_AUTHORITIES);
  contradictions = 0;
  ownerless = 0;

  clone(): PlainHolders {
    return Object.assign(new PlainHolders(), structuredClone({ ...this }));
  }

  /** Applies the steps of a slot; returns the changed balances. */
  apply(steps: readonly Step[], slot: number, firstSeenMs: number | null): HolderBalance[] {
    const changed: PlainHolder[] = [];
    const touch = (mint: Address, owner: Address) => {
      const holder = this.open({ mint, owner, firstSeenMs });
      if (holder.slot !== slot) changed.push(holder);
      holder.slot = slot;
      return holder;
    };
    for (const step of steps) {
      if (step.kind === 'pool') this.addPool(step, touch);
      else this.change(step, touch);
    }
    const rows = changed.map((holder) => this.rowOf(holder));
    for (const { mint, owner, balanceRaw } of rows) {
      if (balanceRaw === 0n) this.holders.delete(`${mint} ${owner}`);
    }
    return rows;
  }

  balanceOf(mint: Address, owner: Address): bigint {
    let sum = 0n;
    for (const each of this.accounts.values()) {
      if (each.mint === mint && each.owner === owner) sum += each.balanceRaw;
    }
    return sum;
  }

  rowOf({ mint, owner, firstSeenMs, slot }: PlainHolder): HolderBalance {
    const balanceRaw = asRawAmount(this.balanceOf(mint, owner));
    return {
      mint,
      owner,
      balanceRaw,
      isPool: this.pools.has(owner),
      firstSeenMs,
      slot: asSlot(slot),
    };
  }

  /** Largest first, then by address. */
  list(mint: Address): (HolderBalance & { readonly isExcluded: boolean })[] {
    return [...this.holders.values()]
      .filter((holder) => holder.mint === mint)
      .map((holder) => ({ ...this.rowOf(holder), isExcluded: holder.isExcluded }))
      .sort((one, other) => {
        if (one.balanceRaw !== other.balanceRaw) return one.balanceRaw > other.balanceRaw ? -1 : 1;
        return one.owner < other.owner ? -1 : 1;
      });
  }

  private open(draft: Pick<PlainHolder, 'mint' | 'owner' | 'firstSeenMs'>): PlainHolder {
    const { mint, owner } = draft;
    const known = this.holders.get(`${mint} ${owner}`);
    if (known !== undefined) return known;
    const isExcluded = this.pools.has(owner) || BURN_ADDRESSES.has(owner);
    const holder = { ...draft, slot: -1, isExcluded };
    this.holders.set(`${mint} ${owner}`, holder);
    return holder;
  }

  private addPool(step: PoolStep, touch: Touch): void {
    if (this.pools.has(step.owner)) return;
    this.pools.add(step.owner);
    for (const mint of step.mints) {
      if (this.holders.has(`${mint} ${step.owner}`)) touch(mint, step.owner).isExcluded = true;
    }
  }

  private change(step: BalanceStep, touch: Touch): void {
    const known = this.accounts.get(step.account);
    const owner = step.owner ?? (known?.mint === step.mint ? known.owner : null);
    if (owner === null) {
      this.ownerless++;
      return;
    }
    if (known !== undefined && step.isGap) this.contradictions++;
    const { account, mint, after: balanceRaw } = step;
    const isSame = known?.mint === mint && known.owner === owner;
    this.accounts.delete(account);
    if (known !== undefined && !isSame) this.mark(touch(known.mint, known.owner));
    if (balanceRaw > 0n) this.accounts.set(account, { mint, owner, balanceRaw });
    else if (!this.holders.has(`${mint} ${owner}`)) return;
    const holder = touch(mint, owner);
    if (balanceRaw !== (isSame ? known.balanceRaw : 0n)) this.mark(holder);
  }

  /** An owner that became a pool is excluded in other mints at its next change there. */
  private mark(holder: PlainHolder): void {
    if (this.pools.has(holder.owner)) holder.isExcluded = true;
  }
}

const anyOwner = fc.constantFrom(...owners, ...owners, ...special);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant('balance' as const),
      account: fc.constantFrom(...accounts),
      owner: fc.oneof(
        { weight: 5, arbitrary: anyOwner },
        { weight: 1, arbitrary: fc.constant(null) },
      ),
      mint: fc.constantFrom(...mints),
      // Small amounts make equal sums and closed accounts; large ones need more than 64 bits.
      after: fc.oneof(fc.bigInt(0n, 4n), fc.bigInt(2n ** 64n - 3n, 2n ** 64n - 1n)),
      isGap: fc.integer({ min: 0, max: 5 }).map((roll) => roll === 0),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('pool' as const),
      owner: anyOwner,
      mints: fc.subarray(mints),
    }),
  },
);

interface SlotPlan {
  readonly steps: readonly Step[];
  readonly isTimeKnown: boolean;
  /** Slots to revert afterwards. */
  readonly reverted: number;
}

const slotPlan: fc.Arbitrary<SlotPlan> = fc.record({
  steps: fc.array(step, { maxLength: 8 }),
  isTimeKnown: fc.integer({ min: 0, max: 4 }).map((roll) => roll > 0),
  reverted: fc.constantFrom(0, 0, 0, 1, 3),
});

/** A book and the plain model of it. */
class Pair {
  readonly undo = new UndoLog(200);
  readonly ids = new AddressIds<Address>(this.undo);
  readonly book = new HolderBook(this.ids, this.undo);
  plain = new PlainHolders();

  apply({ steps, isTimeKnown }: SlotPlan, slot: number): void {
    const moment = { slot: asSlot(slot), timeMs: slot * 400, isTimeKnown };
    this.undo.open();
    // Balances as the model has them between the steps, for records without a gap.
    const draft = this.plain.clone();
    for (const each of steps) {
      if (each.kind === 'pool') this.book.addPoolOwner(each.owner, each.mints, moment);
      else {
        const known = draft.accounts.get(each.account)?.balanceRaw ?? 0n;
        const before = asRawAmount(each.isGap ? known + 1n : known);
        this.book.apply({ ...each, decimals: 6, before, after: asRawAmount(each.after) }, moment);
      }
      draft.apply([each], slot, null);
    }
    const rows = this.book.takeChanges();
    this.undo.close();
    expect(rows).toEqual(this.plain.apply(steps, slot, isTimeKnown ? slot * 400 : null));
  }

  expectEqual(): void {
    const { book, plain } = this;
    expect(book.size).toBe(plain.holders.size);
    expect(book.contradictionCount).toBe(plain.contradictions);
    expect(book.ownerlessCount).toBe(plain.ownerless);
    expect(book.accountCount).toBe(plain.accounts.size);
    expect(book.mintCount).toBe(new Set([...plain.holders.values()].map(({ mint }) => mint)).size);
    for (const account of accounts) {
      expect(book.ownerOf(account)).toBe(plain.accounts.get(account)?.owner ?? null);
    }
    for (const mint of mints) this.expectMint(mint);
  }

  private expectMint(mint: Address): void {
    const { book } = this;
    const list = this.plain.list(mint);
    const answers = list.map(({ isExcluded, ...row }) => row);
    expect(book.top(mint, 100, null)).toEqual(answers);
    expect(book.top(mint, 2, null)).toEqual(answers.slice(0, 2));
    for (const [index, row] of answers.entries()) {
      expect(book.top(mint, 2, null, row)).toEqual(answers.slice(index + 1, index + 3));
    }
    // A billionth of this supply is two units: balances of one are dust.
    for (const [supplyRaw, least] of [
      [null, 1n],
      [2_000_000_000n, 2n],
    ] as const) {
      const counted = list.filter((row) => !row.isExcluded && row.balanceRaw >= least);
      expect(book.count(mint, supplyRaw)).toBe(counted.length);
      for (const owner of [...owners, ...special]) {
        const isHolder = counted.some((row) => row.owner === owner);
        expect(book.isHolder(mint, owner, supplyRaw)).toBe(isHolder);
      }
    }
    let burnedRaw = 0n;
    for (const owner of BURN_ADDRESSES) burnedRaw += this.plain.balanceOf(mint, owner);
    expect(book.burned(mint)).toBe(burnedRaw);
  }
}

describe('a book of holders', () => {
  test('gives the answers of a plain list after any slots, also after forks', () => {
    fc.assert(
      fc.property(fc.array(slotPlan, { maxLength: 12 }), (plans) => {
        const pair = new Pair();
        const before: { readonly plain: PlainHolders; readonly image: unknown }[] = [];
        plans.forEach((plan, index) => {
          before.push({ plain: pair.plain.clone(), image: stateImage(pair.book) });
          pair.apply(plan, index + 1);
          pair.expectEqual();
          for (let times = Math.min(plan.reverted, before.length); times > 0; times--) {
            const { plain, image } = before.pop() as (typeof before)[number];
            pair.undo.undo();
            pair.plain = plain;
            expect(firstDifference(stateImage(pair.book), image as never)).toBeNull();
          }
          pair.expectEqual();
        });
      }),
      { numRuns: 100 },
    );
  });

  test('gives the same answers when it is outside of memory, and after a restart', () => {
    const plans = fc.array(
      fc.record({ slot: fc.array(step, { maxLength: 8 }), reverted: fc.nat(2) }),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(plans, fc.nat(6), (drawn, storedAt) => {
        expectAsInMemory<HolderBook, readonly Step[]>(
          {
            create: (ids, undo) => new HolderBook(ids, undo),
            apply(book, steps) {
              for (const each of steps) applyWithGaps(book, each);
              return book.takeChanges();
            },
            answers: (book) => [
              [book.size, book.accountCount, book.mintCount],
              [book.contradictionCount, book.ownerlessCount],
              accounts.map((account) => book.ownerOf(account)),
              mints.map((mint) => [book.top(mint, 100, null), book.count(mint, null)]),
            ],
          },
          drawn,
          storedAt,
        );
      }),
      { numRuns: 50 },
    );
  });

  test('frees the rows of closed accounts and former holders', () => {
    const { book, undo } = new Pair();
    const [mint, owner] = [named('mint x'), named('ann')];
    const change = (account: Address, before: bigint, after: bigint, slot: number) => {
      const raw = { before: asRawAmount(before), after: asRawAmount(after) };
      const moment = { slot: asSlot(slot), timeMs: 0, isTimeKnown: true };
      book.apply({ account, owner, mint, decimals: 6, ...raw }, moment);
      book.takeChanges();
    };
    const [main, other] = [named('account 0'), named('account 1')];
    const sizes: number[] = [];
    for (let round = 0; round < 10_000; round++) {
      change(main, 0n, 5n, 4 * round);
      change(other, 0n, 6n, 4 * round + 1);
      change(main, 5n, 0n, 4 * round + 2);
      change(other, 6n, 0n, 4 * round + 3);
      if (round === 0 || round === 9_999) sizes.push(book.allocatedBytes);
    }
    expect(sizes[1]).toBe(sizes[0]);
    expect([book.size, book.accountCount, book.mintCount]).toEqual([0, 0, 0]);
    expect(undo.size).toBe(0);
  });
});

/** Each balance before a change is given as zero, so that changes contradict each other. */
function applyWithGaps(book: HolderBook, step: Step): void {
  const moment = { slot: asSlot(7), timeMs: 400, isTimeKnown: true };
  if (step.kind === 'pool') book.addPoolOwner(step.owner, step.mints, moment);
  else {
    const [before, after] = [asRawAmount(0n), asRawAmount(step.after)];
    book.apply({ ...step, decimals: 6, before, after }, moment);
  }
}
