import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  jitoTip,
  mintCreated,
  slotFacts,
  swapEvent,
  transactionFacts,
} from '../../../tests/support/build-facts.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import { bundlesIn, lamportsOf, trade } from '../../../tests/support/bundle-trades.ts';
import type { TransactionFacts } from '../../model/slot-facts.ts';
import type { Swap } from '../../model/swap.ts';
import { findBundles, findPlacedTrades } from './bundles.ts';

const five = ['a', 'b', 'c', 'd', 'e'];

interface Place {
  readonly kind: 'buy' | 'sell' | 'silent' | 'other' | 'gap';
  readonly who: string;
  readonly hasTip: boolean;
}

describe('neighbours that share one tip', () => {
  test('are five items when five owners buy at indices 10 to 14 and the last one tips', () => {
    const bundle = five.map((who, at) => trade({ txIndex: 10 + at, who, hasTip: at === 4 }));
    expect(bundlesIn(bundle)).toEqual(
      five.map((who, at) => ({
        txIndex: 10 + at,
        owner: address(who),
        level: 'L2',
        certainty: 0.9,
      })),
    );
  });

  test('are one group with the tip of the run, whether a member or another transaction pays it', () => {
    const tipLamports = jitoTip()[0]?.lamports;
    const trades = ['a', 'b'].map((who, at) => trade({ txIndex: 10 + at, who }));
    const tip = transactionFacts({ txIndex: 12, tips: jitoTip() });
    const lone = trade({ txIndex: 11, who: 'b', hasTip: true });
    for (const transactions of [
      [...trades, tip],
      [trades[0], lone],
    ]) {
      const facts = slotFacts(
        100,
        1_000,
        transactions.flatMap((each) => each ?? []),
      );
      const found = findBundles(facts, lamportsOf);
      const group = { slot: facts.slot, txIndex: 10 };
      expect(found.map((row) => [row.group, row.tipLamports])).toEqual([
        [group, tipLamports],
        [group, tipLamports],
      ]);
    }
  });

  test('are not found when each transaction has its own tip', () => {
    expect(
      bundlesIn(five.map((who, at) => trade({ txIndex: 10 + at, who, hasTip: true }))),
    ).toEqual([]);
  });

  test('are not found when the middle one is the victim of the others', () => {
    const sandwich = (tipAt: number) => [
      trade({ txIndex: 10, who: 'front', hasTip: tipAt === 0 }),
      trade({ txIndex: 11, who: 'victim', hasTip: tipAt === 1 }),
      trade({ txIndex: 12, who: 'back', side: 'sell', hasTip: tipAt === 2 }),
    ];
    expect([0, 1, 2].flatMap((tipAt) => bundlesIn(sandwich(tipAt)))).toEqual([]);
  });

  test('are not found next to an opposite trade before or after them', () => {
    const sell = (txIndex: number) => trade({ txIndex, who: 's', side: 'sell' });
    const buys = ['a', 'b', 'c'].map((who, at) => trade({ txIndex: 10 + at, who }));
    const tip = (txIndex: number) => transactionFacts({ txIndex, tips: jitoTip() });
    expect(bundlesIn([sell(9), ...buys, tip(13)])).toEqual([]);
    expect(bundlesIn([tip(9), ...buys, sell(13)])).toEqual([]);
    expect(bundlesIn([sell(8), ...buys, tip(13)])).toHaveLength(3);
  });

  test('are found equally in the reversed block', () => {
    const kind = fc.constantFrom<Place['kind']>(
      'buy',
      'buy',
      'buy',
      'sell',
      'silent',
      'other',
      'gap',
    );
    const entry = fc.record({
      kind,
      who: fc.constantFrom(...five),
      hasTip: fc.integer({ max: 3, min: 0 }).map((one) => one === 0),
    });
    const write = (entries: readonly Place[]) =>
      entries.flatMap(({ kind: what, who, hasTip }, txIndex) => {
        if (what === 'gap') return [];
        const rest = { txIndex, who, hasTip };
        if (what === 'silent') return [trade({ ...rest, rest: { events: [] } })];
        if (what === 'other') return [trade({ ...rest, mint: address('other') })];
        return [trade({ ...rest, side: what })];
      });
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 10 }), (entries) => {
        const found = bundlesIn(write(entries)).length > 0;
        expect(bundlesIn(write(entries.toReversed())).length > 0).toBe(found);
      }),
      { numRuns: 2_000 },
    );
  });

  test('belong to the next later tip when bundles follow each other', () => {
    const tips = new Set([14, 17]);
    const line = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((who, at) =>
      trade({ txIndex: 10 + at, who, hasTip: tips.has(10 + at) }),
    );
    expect(bundlesIn(line).map(({ txIndex }) => txIndex)).toEqual([10, 11, 12, 13, 14, 15, 16, 17]);
  });

  test('end after five: a sixth neighbour is not in the bundle', () => {
    const six = [...five, 'f'].map((who, at) => trade({ txIndex: 10 + at, who, hasTip: at === 2 }));
    expect(bundlesIn(six).map(({ txIndex }) => txIndex)).toEqual([10, 11, 12, 13, 14]);
  });

  test('are found for sales as well as buys', () => {
    const pair = [
      trade({ txIndex: 3, who: 'a', side: 'sell' }),
      trade({ txIndex: 4, who: 'b', side: 'sell', hasTip: true }),
    ];
    expect(bundlesIn(pair)).toHaveLength(2);
  });

  test('include a separate tip and the creation, but no trade of another mint', () => {
    const tip = transactionFacts({ txIndex: 12, tips: jitoTip() });
    const other = trade({ txIndex: 12, who: 'z', hasTip: true, mint: address('other') });
    const pair = [trade({ txIndex: 10, who: 'a' }), trade({ txIndex: 11, who: 'b' })];
    expect(bundlesIn([...pair, tip]).map(({ txIndex }) => txIndex)).toEqual([10, 11]);
    expect(bundlesIn([...pair, other])).toEqual([]);
    const creation = transactionFacts({
      txIndex: 9,
      tips: jitoTip(),
      events: [mintCreated(address('token-t'))],
    });
    expect(bundlesIn([creation, ...pair]).map(({ txIndex }) => txIndex)).toEqual([10, 11]);
  });

  test('are two buys at both ends of five, with transactions without a swap in between', () => {
    const between = [11, 12, 13].map((txIndex) =>
      transactionFacts({ txIndex, tips: txIndex === 12 ? jitoTip() : [] }),
    );
    const first = trade({ txIndex: 10, who: 'a' });
    const last = (txIndex: number) => trade({ txIndex, who: 'b' });
    const found = bundlesIn([first, ...between, last(14)]);
    expect(found.map(({ txIndex, level }) => [txIndex, level])).toEqual([
      [10, 'L2'],
      [14, 'L2'],
    ]);
    expect(bundlesIn([first, ...between, transactionFacts({ txIndex: 14 }), last(15)])).toEqual([]);
  });

  test.each([
    ['an index between them is missing', { txIndex: 12 }],
    ['the second one failed', { txIndex: 11, rest: { error: '{"Custom":1}' } }],
    ['their indices are only ranks', { txIndex: 11, rest: { isIndexKnown: false } }],
    ['both have one owner', { txIndex: 11, who: 'a' }],
  ])('are not found when %s', (_, second) => {
    const pair = [trade({ txIndex: 10, who: 'a', hasTip: true }), trade({ who: 'b', ...second })];
    expect(bundlesIn(pair)).toEqual([]);
  });

  test('are as many as fit into five with a separate tip after or before them', () => {
    const tip = (txIndex: number) => transactionFacts({ txIndex, tips: jitoTip() });
    const silent = (txIndex: number) => transactionFacts({ txIndex });
    const buys = ['a', 'b', 'c'].map((who, at) => trade({ txIndex: 10 + at, who }));
    const found = (...slot: TransactionFacts[]) => bundlesIn(slot).map(({ txIndex }) => txIndex);
    expect(found(...buys, silent(13), tip(14))).toEqual([10, 11, 12]);
    expect(found(...buys, silent(13), silent(14), tip(15))).toEqual([11, 12]);
    expect(found(...buys, silent(13), silent(14), silent(15), tip(16))).toEqual([]);
    expect(found(tip(8), silent(9), ...buys)).toEqual([10, 11, 12]);
    expect(found(tip(7), silent(8), silent(9), ...buys)).toEqual([10, 11]);
    expect(found(tip(6), silent(7), silent(8), silent(9), ...buys)).toEqual([]);
  });

  test('are not found when the separate transaction next to them tips twice', () => {
    const pair = ['a', 'b'].map((who, at) => trade({ txIndex: 10 + at, who }));
    const twice = (txIndex: number) =>
      transactionFacts({ txIndex, tips: [...jitoTip(), ...jitoTip()] });
    expect(bundlesIn([...pair, twice(12)])).toEqual([]);
    expect(bundlesIn([twice(9), ...pair])).toEqual([]);
  });

  test('need two transactions: owners in one transaction are not neighbours', () => {
    const events = ['a', 'b'].map((who, outerIx) =>
      swapEvent({ trader: address(who), side: 'buy', baseRaw: 7n, quoteRaw: 9n }, { outerIx }),
    );
    expect(bundlesIn([transactionFacts({ txIndex: 3, tips: jitoTip(), events })])).toEqual([]);
  });

  test('do not depend on distant transactions in the slot', () => {
    const bundle = five.map((who, at) => trade({ txIndex: 10 + at, who, hasTip: at === 0 }));
    const expected = bundlesIn(bundle);
    const stranger = fc.record({
      txIndex: fc.integer({ min: 16, max: 400 }),
      isOther: fc.boolean(),
      hasTip: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.uniqueArray(stranger, { selector: ({ txIndex }) => Math.floor(txIndex / 2) }),
        (strangers) => {
          const others = strangers
            .map(({ txIndex, isOther, hasTip }) =>
              trade({
                txIndex: txIndex - (txIndex % 2),
                who: `s${txIndex}`,
                hasTip,
                ...(isOther ? { mint: address('other') } : {}),
              }),
            )
            .sort((one, other) => one.txIndex - other.txIndex);
          expect(bundlesIn([...bundle, ...others])).toEqual(expected);
        },
      ),
    );
  });
});

describe('several signers in one transaction', () => {
  const buysOf = (traders: readonly string[]) =>
    traders.map((who, outerIx) =>
      swapEvent(
        { trader: address(who), side: 'buy', baseRaw: 5n, quoteRaw: 1_000_000_000n },
        { outerIx },
      ),
    );

  test('are one item each when a creation carries three buys', () => {
    const signers = ['creator', 'b', 'c', 'd'].map(address);
    const events = [mintCreated(address('token-t')), ...buysOf(['b', 'c', 'd'])];
    const items = findBundles(
      slotFacts(100, 1_000, [transactionFacts({ txIndex: 4, signers, events })]),
      lamportsOf,
    );
    expect(items.map(({ owner, level, certainty }) => [owner, level, certainty])).toEqual(
      ['b', 'c', 'd']
        .map(address)
        .sort()
        .map((owner) => [owner, 'L1', 0.99]),
    );
    expect(items.map(({ lamports }) => lamports)).toEqual(Array(3).fill(1_000_000_000n));
  });

  test('stay the most certain finding when neighbours also share a tip', () => {
    const together = transactionFacts({
      txIndex: 4,
      signers: ['b', 'c'].map(address),
      tips: jitoTip(),
      events: buysOf(['b', 'c']),
    });
    expect(
      bundlesIn([together, trade({ txIndex: 5, who: 'd' })]).map(({ txIndex, level }) => [
        txIndex,
        level,
      ]),
    ).toEqual([
      [4, 'L1'],
      [4, 'L1'],
      [5, 'L2'],
    ]);
  });

  test('count even if the block index is unknown', () => {
    const signers = ['b', 'c'].map(address);
    const loose = transactionFacts({
      txIndex: 0,
      isIndexKnown: false,
      signers,
      events: buysOf(['b', 'c']),
    });
    expect(bundlesIn([loose])).toHaveLength(2);
  });

  test('do not count owners that did not sign, sold, or kept nothing', () => {
    const signers = ['b', 'c', 'd'].map(address);
    const [first, second, third] = buysOf(['b', 'c', 'd']) as [Swap, Swap, Swap];
    const backAgain = swapEvent(
      { trader: address('c'), side: 'sell', baseRaw: 5n, quoteRaw: 1n },
      { outerIx: 4 },
    );
    const at = (events: Swap[], who = signers) =>
      bundlesIn([transactionFacts({ txIndex: 0, signers: who, events })]);
    expect(at([first, second], [address('b')])).toEqual([]);
    expect(at([first, second, backAgain])).toEqual([]);
    expect(
      at([first, { ...third, side: 'sell', poolBaseDelta: -third.poolBaseDelta as never }]),
    ).toEqual([]);
    expect(at([first, { ...second, quarantine: 'legs contradict' }])).toEqual([]);
    expect(at([first, { ...second, isIntermediateHop: true }])).toEqual([]);
  });

  test('are items with the sum that an owner paid in several swaps', () => {
    const signers = ['b', 'c'].map(address);
    const events = [
      ...buysOf(['b', 'c']),
      ...buysOf(['b']).map((swap) => ({ ...swap, outerIx: 9 })),
    ];
    const items = findBundles(
      slotFacts(1, 0, [transactionFacts({ txIndex: 0, signers, events })]),
      lamportsOf,
    );
    expect(new Map(items.map(({ owner, lamports }) => [owner, lamports]))).toEqual(
      new Map([
        [address('b'), 2_000_000_000n],
        [address('c'), 1_000_000_000n],
      ]),
    );
  });
});

describe('an exactly known bundle', () => {
  const far = (who: string, at: number, side: 'buy' | 'sell' = 'buy') =>
    trade({ txIndex: 10 + at * 30, who, side });

  /** One bundle of the transactions at these positions of the list. */
  function placedIn(transactions: readonly TransactionFacts[], ...bundles: readonly number[][]) {
    const exactBundles = bundles.map((members) => ({
      signatures: members.flatMap((at) => transactions[at]?.signature ?? []),
    }));
    return findPlacedTrades({ ...slotFacts(100, 1_000, transactions), exactBundles }, lamportsOf);
  }

  const summary = (placed: ReturnType<typeof placedIn>) =>
    placed.bundles.map(({ owner, level, certainty }) => [owner, level, certainty]);

  test('groups its trades of one direction, however far apart and without a tip', () => {
    const transactions = ['a', 'b', 'c', 'd'].map((who, at) => far(who, at));
    const placed = placedIn(transactions, [2, 0], [1, 9]);
    expect(summary(placed)).toEqual([
      [address('a'), 'exact', 0.99],
      [address('c'), 'exact', 0.99],
    ]);
    const mint = address('token-t');
    // Named by the first transaction in the block.
    const group = { id: `${mint} 10`, level: 'exact' };
    expect(placed.groups).toEqual(
      new Map(
        [0, 2].map((at) => {
          const { signature, feePayer } = transactions[at] as TransactionFacts;
          return [signature, [{ mint, owner: feePayer, group }]];
        }),
      ),
    );
  });

  test('is separate from another one of the same mint, also with unknown block indices', () => {
    const transactions = ['a', 'b', 'c', 'd'].map((who, at) => ({
      ...far(who, at, 'sell'),
      isIndexKnown: false,
    }));
    const { bundles, groups } = placedIn(transactions, [0, 1], [2, 3]);
    expect(bundles).toHaveLength(4);
    expect(
      new Set([...groups.values()].flatMap((placed) => placed.map(({ group }) => group.id))).size,
    ).toBe(2);
  });

  test('links no owners when it is a sandwich around a victim', () => {
    const sandwich = [far('front', 0), far('victim', 1), far('back', 2, 'sell')];
    expect(summary(placedIn(sandwich, [0, 1, 2]))).toEqual([]);
  });

  test('links no owners when one owner traded alone, or others traded another mint', () => {
    const transactions = [
      far('a', 0),
      far('a', 1),
      trade({ txIndex: 90, who: 'b', mint: address('other') }),
    ];
    expect(summary(placedIn(transactions, [0, 1, 2]))).toEqual([]);
  });

  test('replaces a less certain inference, and other inferred runs still count', () => {
    const run = ['a', 'b', 'c'].map((who, at) =>
      trade({ txIndex: 10 + at, who, hasTip: at === 2 }),
    );
    expect(summary(placedIn(run, [0, 1]))).toEqual([
      [address('a'), 'exact', 0.99],
      [address('b'), 'exact', 0.99],
      [address('c'), 'L2', 0.9],
    ]);
  });
});
