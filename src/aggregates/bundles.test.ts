import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  jitoTip,
  mintCreated,
  slotFacts,
  swapEvent,
  transactionFacts,
} from '../../tests/support/build-facts.ts';
import { address } from '../../tests/support/build-transaction.ts';
import { hasTestData, testData } from '../../tests/support/test-data.ts';
import type { Side, Swap } from '../model/chain-event.ts';
import type { TransactionFacts } from '../model/slot-facts.ts';
import type { Address, Signature } from '../model/units.ts';
import { findBundles } from './bundles.ts';

const lamportsOf = (swap: Swap) => swap.traderQuoteDelta;

interface TradeDraft {
  readonly txIndex: number;
  readonly who: string;
  readonly side?: Side;
  readonly hasTip?: boolean;
  readonly lamports?: bigint;
  readonly rest?: Partial<TransactionFacts>;
  readonly mint?: Address;
}

function trade({ txIndex, who, side, hasTip, lamports, rest, mint }: TradeDraft): TransactionFacts {
  const trader = address(who);
  const draft = { trader, side: side ?? 'buy', baseRaw: 7n, quoteRaw: lamports ?? 500_000_000n };
  return transactionFacts({
    txIndex,
    signers: [trader],
    tips: hasTip ? jitoTip() : [],
    events: [swapEvent(draft, mint === undefined ? {} : { baseMint: mint })],
    ...rest,
  });
}

function find(transactions: readonly TransactionFacts[]) {
  return findBundles(slotFacts(100, 1_000, transactions), lamportsOf).map(
    ({ txIndex, owner, level, certainty }) => ({ txIndex, owner, level, certainty }),
  );
}

const five = ['a', 'b', 'c', 'd', 'e'];

describe('neighbours sharing one tip', () => {
  test('are five items when five owners buy at 10 to 14 and the last one tips', () => {
    const bundle = five.map((who, at) => trade({ txIndex: 10 + at, who, hasTip: at === 4 }));
    expect(find(bundle)).toEqual(
      five.map((who, at) => ({
        txIndex: 10 + at,
        owner: address(who),
        level: 'L2',
        certainty: 0.9,
      })),
    );
  });

  test('are nothing when each tips for itself', () => {
    expect(find(five.map((who, at) => trade({ txIndex: 10 + at, who, hasTip: true })))).toEqual([]);
  });

  test('are nothing when the middle one is the victim of the others', () => {
    const sandwich = (tipAt: number) => [
      trade({ txIndex: 10, who: 'front', hasTip: tipAt === 0 }),
      trade({ txIndex: 11, who: 'victim', hasTip: tipAt === 1 }),
      trade({ txIndex: 12, who: 'back', side: 'sell', hasTip: tipAt === 2 }),
    ];
    expect([0, 1, 2].flatMap((tipAt) => find(sandwich(tipAt)))).toEqual([]);
  });

  test('end after five: a sixth in line is not of the bundle', () => {
    const six = [...five, 'f'].map((who, at) => trade({ txIndex: 10 + at, who, hasTip: at === 2 }));
    expect(find(six).map(({ txIndex }) => txIndex)).toEqual([10, 11, 12, 13, 14]);
  });

  test('sell together as well as buy', () => {
    const pair = [
      trade({ txIndex: 3, who: 'a', side: 'sell' }),
      trade({ txIndex: 4, who: 'b', side: 'sell', hasTip: true }),
    ];
    expect(find(pair)).toHaveLength(2);
  });

  test('include a lone tip and the creation, but no trade of something else', () => {
    const tip = transactionFacts({ txIndex: 12, tips: jitoTip() });
    const other = trade({ txIndex: 12, who: 'z', hasTip: true, mint: address('other') });
    const pair = [trade({ txIndex: 10, who: 'a' }), trade({ txIndex: 11, who: 'b' })];
    expect(find([...pair, tip]).map(({ txIndex }) => txIndex)).toEqual([10, 11]);
    expect(find([...pair, other])).toEqual([]);
    const creation = transactionFacts({
      txIndex: 9,
      tips: jitoTip(),
      events: [mintCreated(address('token-t'))],
    });
    expect(find([creation, ...pair]).map(({ txIndex }) => txIndex)).toEqual([10, 11]);
  });

  test.each([
    ['an index is missing between them', { txIndex: 12 }],
    ['the second one failed', { txIndex: 11, rest: { error: '{"Custom":1}' } }],
    ['their indices are only ranks', { txIndex: 11, rest: { isIndexKnown: false } }],
    ['both are of one owner', { txIndex: 11, who: 'a' }],
  ])('are nothing when %s', (_, second) => {
    const pair = [trade({ txIndex: 10, who: 'a', hasTip: true }), trade({ who: 'b', ...second })];
    expect(find(pair)).toEqual([]);
  });

  test('stay the same whatever else is in the slot, away from them', () => {
    const bundle = five.map((who, at) => trade({ txIndex: 10 + at, who, hasTip: at === 0 }));
    const expected = find(bundle);
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
          expect(find([...bundle, ...others])).toEqual(expected);
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

  test('count even where the place in the block is not known', () => {
    const signers = ['b', 'c'].map(address);
    const loose = transactionFacts({
      txIndex: 0,
      isIndexKnown: false,
      signers,
      events: buysOf(['b', 'c']),
    });
    expect(find([loose])).toHaveLength(2);
  });

  test('do not count owners who did not sign, who sold, or who kept nothing', () => {
    const signers = ['b', 'c', 'd'].map(address);
    const [first, second, third] = buysOf(['b', 'c', 'd']) as [Swap, Swap, Swap];
    const backAgain = swapEvent(
      { trader: address('c'), side: 'sell', baseRaw: 5n, quoteRaw: 1n },
      { outerIx: 4 },
    );
    const at = (events: Swap[], who = signers) =>
      find([transactionFacts({ txIndex: 0, signers: who, events })]);
    expect(at([first, second], [address('b')])).toEqual([]);
    expect(at([first, second, backAgain])).toEqual([]);
    expect(
      at([first, { ...third, side: 'sell', poolBaseDelta: -third.poolBaseDelta as never }]),
    ).toEqual([]);
    expect(at([first, { ...second, quarantine: 'legs contradict' }])).toEqual([]);
    expect(at([first, { ...second, isIntermediateHop: true }])).toEqual([]);
  });

  test('add up what an owner paid in several swaps', () => {
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

describe('buys right behind a launch', () => {
  const launch = transactionFacts({ txIndex: 30, events: [mintCreated(address('token-t'))] });
  const buys = (sizes: readonly (readonly [number, bigint])[]) => [
    launch,
    ...sizes.map(([txIndex, lamports]) => trade({ txIndex, who: `w${txIndex}`, lamports })),
  ];

  test('are a cohort when three sizes are alike', () => {
    expect(
      find(
        buys([
          [31, 2_111_111_111n],
          [32, 2_000_000_001n],
          [33, 2_200_000_000n],
        ]),
      ),
    ).toEqual(
      [31, 32, 33].map((txIndex) => ({
        txIndex,
        owner: address(`w${txIndex}`),
        level: 'L2o',
        certainty: 0.95,
      })),
    );
  });

  test('are less certain when not directly behind it', () => {
    const items = find(
      buys([
        [32, 2_111_111_111n],
        [35, 2_000_000_001n],
        [45, 2_200_000_000n],
      ]),
    );
    expect(items.map(({ certainty }) => certainty)).toEqual([0.8, 0.8, 0.8]);
  });

  test.each([
    [
      'there are only two',
      [
        [31, 2_111_111_111n],
        [32, 2_000_000_001n],
      ],
    ],
    [
      'a gap is wider than ten',
      [
        [31, 2_111_111_111n],
        [32, 2_000_000_001n],
        [43, 2_200_000_000n],
      ],
    ],
    [
      'the last is more than forty behind',
      [
        [60, 2_111n],
        [66, 2_001n],
        [71, 2_200n],
      ],
    ],
    [
      'sizes differ',
      [
        [31, 2_111_111_111n],
        [32, 3_000_000_001n],
        [33, 4_200_000_000n],
      ],
    ],
    [
      'all sizes are round',
      [
        [31, 2_000_000_000n],
        [32, 2_000_000_000n],
        [33, 2_100_000_000n],
      ],
    ],
  ] as [string, [number, bigint][]][])('are strangers when %s', (_, sizes) => {
    expect(find(buys(sizes))).toEqual([]);
  });

  test('are strangers in any slot but that of the launch', () => {
    const later = buys([
      [31, 2_111_111_111n],
      [32, 2_000_000_001n],
      [33, 2_200_000_000n],
    ]).slice(1);
    expect(find(later)).toEqual([]);
  });

  test('leave out a stranger of another size among them', () => {
    const items = find(
      buys([
        [31, 2_111_111_111n],
        [32, 2_000_000_001n],
        [33, 90_000_001n],
        [34, 2_200_000_000n],
      ]),
    );
    expect(items.map(({ txIndex }) => txIndex)).toEqual([31, 32, 34]);
    expect(items[0]?.certainty).toBe(0.8);
  });
});

describe.skipIf(!hasTestData)('recorded bundled launches', () => {
  const [header = '', ...lines] = hasTestData
    ? readFileSync(join(testData, 'labels/launches/bundled_launch_buys.csv'), 'utf8')
        .trim()
        .split('\n')
    : [];
  const column = (name: string) => header.trim().split(',').indexOf(name);
  const launches = Map.groupBy(
    lines.map((line) => line.trim().split(',')),
    (cells) => cells[column('mint')] as Address,
  );

  test('are found, each with its buys within forty places and nobody else', () => {
    const certainties: number[] = [];
    for (const [mint, rows] of launches) {
      const launchIndex = Number(rows[0]?.[column('creation_tx_index')]);
      const creation = transactionFacts({ txIndex: launchIndex, events: [mintCreated(mint)] });
      const bought = rows.map((cells) =>
        trade({
          txIndex: Number(cells[column('tx_index')]),
          who: cells[column('signer')] as string,
          lamports: BigInt(Math.round(Number(cells[column('sol')]) * 1e9)),
          mint,
          rest: { signature: cells[column('signature')] as Signature },
        }),
      );
      const transactions = [creation, ...bought].sort((one, other) => one.txIndex - other.txIndex);
      const items = findBundles(slotFacts(1, 0, transactions), lamportsOf);
      const expected = rows.filter(
        (cells) =>
          cells[column('in_bundle_block')] === '1' &&
          Number(cells[column('tx_index')]) - launchIndex <= 40,
      );
      expect(new Set(items.map((item) => item.signature))).toEqual(
        new Set(expected.map((cells) => cells[column('signature')])),
      );
      certainties.push(items[0]?.certainty ?? 0);
    }
    expect(certainties.filter((certainty) => certainty === 0.95)).toHaveLength(20);
    expect(certainties.filter((certainty) => certainty === 0.8)).toHaveLength(6);
  });
});
