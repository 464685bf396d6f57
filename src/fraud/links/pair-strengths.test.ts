import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { named } from '../../../tests/support/made-up-units.ts';
import type { Address } from '../../model/units.ts';
import { createLinkBook } from './link-book.ts';
import type { LinkKind, NamedGroup } from './link-family.ts';
import { linkedPairs } from './pair-strengths.ts';

const KINDS: readonly LinkKind[] = ['owner', 'market', 'support'];

function walletsOf(count: number): Address[] {
  return Array.from({ length: count }, (_, index) => named(`w${1_000 + index}`));
}

interface GroupDraft {
  readonly family: number;
  readonly strength: number;
  readonly members: readonly { readonly index: number; readonly factor: number }[];
}

/** Groups of one family are adjacent, and members nearest first, as findGroups returns them. */
function toGroups(drafts: readonly GroupDraft[], wallets: readonly Address[]): NamedGroup[] {
  return drafts
    .toSorted((one, other) => one.family - other.family)
    .map(({ family, strength, members }) => {
      const nearest = members.toSorted(
        (one, other) => other.factor - one.factor || one.index - other.index,
      );
      const entries = nearest.flatMap(({ index, factor }) => {
        const wallet = wallets[index];
        return wallet === undefined ? [] : [[wallet, factor] as const];
      });
      return {
        family: `family ${family}`,
        kind: KINDS[family % KINDS.length] as LinkKind,
        relationship: 'coordinated_trading',
        via: null,
        strength,
        members: new Map(entries),
        ordered: entries.map(([wallet]) => wallet),
      };
    });
}

const WALLETS = 12;
const share = fc.double({ min: 0.01, max: 1, noNaN: true });
const draft = fc.record({
  family: fc.nat({ max: 6 }),
  strength: share,
  members: fc.uniqueArray(
    fc.record({ index: fc.nat({ max: WALLETS - 1 }), factor: fc.oneof(fc.constant(1), share) }),
    { minLength: 2, maxLength: WALLETS, selector: ({ index }) => index },
  ),
});

describe('pairs of linked wallets', () => {
  it('have the strength that is measured for each pair alone, to the last digit', () => {
    const wallets = walletsOf(WALLETS);
    fc.assert(
      fc.property(fc.array(draft, { maxLength: 10 }), (drafts) => {
        const groups = toGroups(drafts, wallets);
        const { strength } = createLinkBook(groups, {
          participants: new Set(wallets),
          firstBuys: new Map(),
          mintCase: null as never,
        });
        const expected = wallets.flatMap((one, at) =>
          wallets.slice(at + 1).flatMap((other) => {
            const together = strength(one, other);
            return together >= 0.6 ? [{ one, other, strength: together }] : [];
          }),
        );
        const found = linkedPairs(groups, wallets, 0.6).map((pair) => ({
          ...pair,
          one: wallets[pair.one],
          other: wallets[pair.other],
        }));
        expect(found).toEqual(expected);
      }),
    );
  });

  it('are those with the nearest member in a group of more than fifty', () => {
    const wallets = walletsOf(51);
    const members = wallets.map((_, index) => ({ index, factor: index === 7 ? 1 : 0.9 }));
    const found = linkedPairs(toGroups([{ family: 0, strength: 1, members }], wallets), wallets, 0);
    expect(found).toHaveLength(50);
    expect(found.every(({ one, other }) => one === 7 || other === 7)).toBe(true);
    expect(found[0]?.strength).toBe(0.9);
  });

  it('count a large group in the pairs of other groups', () => {
    const wallets = walletsOf(51);
    const all = wallets.map((_, index) => ({ index, factor: 1 }));
    const groups = toGroups(
      [
        { family: 0, strength: 0.5, members: all },
        { family: 1, strength: 0.5, members: all.slice(3, 5) },
      ],
      wallets,
    );
    const found = linkedPairs(groups, wallets, 0.6);
    // 1 − 0.5 · 0.5
    expect(found).toEqual([{ one: 3, other: 4, strength: 0.75 }]);
  });
});
