import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { named } from '../../../tests/support/made-up-units.ts';
import { aCase, aPayment, type CaseDraft, sol } from '../../../tests/support/mint-case.ts';
import { findPaymentLoops, LOOP_NODES_MAX } from './payment-loops.ts';

type Draft = readonly (readonly [from: string, to: string, whole: number])[];

function loopsOf(payments: Draft, wallets: readonly string[], rest: CaseDraft = {}) {
  const list = payments.map(([from, to, whole], txIndex) =>
    aPayment(from, to, { txIndex, lamports: sol(whole) }),
  );
  const mintCase = aCase({ payments: list, ...rest });
  return findPaymentLoops(mintCase, new Set(wallets.map(named)), list);
}

describe('loops of payments', () => {
  it('are found with the part that returns', () => {
    const [loop, ...others] = loopsOf(
      [
        ['a', 'b', 10],
        ['b', 'c', 9],
        ['c', 'a', 8],
      ],
      ['a'],
    );
    expect(others).toEqual([]);
    expect(loop?.wallets).toEqual(['a', 'b', 'c']);
    // a pays 10 and gets 8, b gets 10 and pays 9, c gets 9 and pays 8: b returns most.
    expect(loop?.returned).toBeCloseTo(0.9, 12);
    expect(loop?.payments).toHaveLength(3);
  });

  it('have a low return if little returns, from either side', () => {
    const [loop] = loopsOf(
      [
        ['a', 'b', 10],
        ['b', 'a', 0.1],
      ],
      ['a', 'b'],
    );
    expect(loop?.returned).toBeCloseTo(0.01, 12);
  });

  it('need a path back', () => {
    expect(
      loopsOf(
        [
          ['a', 'b', 10],
          ['b', 'c', 10],
          ['a', 'c', 10],
        ],
        ['a', 'b', 'c'],
      ),
    ).toEqual([]);
    expect(loopsOf([['a', 'a', 10]], ['a'])).toEqual([]);
  });

  it('need one of the given wallets', () => {
    expect(
      loopsOf(
        [
          ['x', 'y', 10],
          ['y', 'x', 10],
        ],
        ['a'],
      ),
    ).toEqual([]);
  });

  it('do not go through services', () => {
    const around: Draft = [
      ['a', 'box', 10],
      ['box', 'a', 10],
    ];
    expect(loopsOf(around, ['a'], { wallets: { box: { class: 'cex' } } })).toEqual([]);
    expect(loopsOf(around, ['a'])).toHaveLength(1);
  });

  it('are separate if groups are connected in one direction only', () => {
    const loops = loopsOf(
      [
        ['a', 'b', 10],
        ['b', 'a', 5],
        ['b', 'c', 1],
        ['c', 'd', 10],
        ['d', 'c', 10],
      ],
      ['a', 'b', 'c', 'd'],
    );
    expect(loops.map(({ wallets, returned }) => [wallets.join(' '), returned])).toEqual([
      ['c d', 1],
      ['a b', 0.5],
    ]);
  });

  it('are searched among 512 wallets, the given ones first', () => {
    const many = Array.from({ length: LOOP_NODES_MAX + 100 }, (_, at) => `n${at}`);
    const star: Draft = many.flatMap(
      (one) =>
        [
          ['z', one, 1],
          [one, 'z', 1],
        ] as const,
    );
    const [loop] = loopsOf(star, ['z']);
    expect(loop?.wallets).toHaveLength(LOOP_NODES_MAX);
    expect(loop?.wallets).toContain('z');
  });

  it('are the groups in which each wallet reaches each other', () => {
    const node = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
    fc.assert(
      fc.property(fc.array(fc.tuple(node, node), { maxLength: 14 }), (pairs) => {
        const payments = pairs.map(([from, to]) => [from, to, 1] as const);
        const all = ['a', 'b', 'c', 'd', 'e', 'f'];
        const found = loopsOf(payments, all).map(({ wallets }) => wallets.join(' '));
        expect(found.toSorted()).toEqual(byReach(pairs, all));
      }),
    );
  });
});

/** The same groups, from reachability over any number of payments. */
function byReach(pairs: readonly (readonly [string, string])[], all: readonly string[]): string[] {
  const reach = new Set(pairs.map(([from, to]) => `${from}${to}`));
  for (const via of all) {
    for (const from of all) {
      for (const to of all) {
        if (reach.has(`${from}${via}`) && reach.has(`${via}${to}`)) reach.add(`${from}${to}`);
      }
    }
  }
  const groups = all.map((one) =>
    all
      .filter(
        (other) => one === other || (reach.has(`${one}${other}`) && reach.has(`${other}${one}`)),
      )
      .join(' '),
  );
  return [...new Set(groups)].filter((group) => group.includes(' ')).toSorted();
}
