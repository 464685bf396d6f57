import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mintCreated, slotFacts, transactionFacts } from '../../../tests/support/build-facts.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import { bundlesIn, lamportsOf, trade } from '../../../tests/support/bundle-trades.ts';
import { hasTestData, testData } from '../../../tests/support/test-data.ts';
import { asAddress, asSignature } from '../../model/units.ts';
import { findBundles } from './bundles.ts';

describe('buys right after a launch', () => {
  const launch = transactionFacts({ txIndex: 30, events: [mintCreated(address('token-t'))] });
  const buys = (sizes: readonly (readonly [number, bigint])[]) => [
    launch,
    ...sizes.map(([txIndex, lamports]) => trade({ txIndex, who: `w${txIndex}`, lamports })),
  ];

  test('are a cohort when three sizes are similar', () => {
    expect(
      bundlesIn(
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

  test('do not include sales', () => {
    const cohort = buys([
      [31, 2_111_111_111n],
      [32, 2_000_000_001n],
      [33, 2_200_000_000n],
    ]);
    const sale = trade({ txIndex: 34, who: 'seller', side: 'sell', lamports: 2_100_000_000n });
    expect(bundlesIn([...cohort, sale])).toEqual(bundlesIn(cohort));
  });

  test('are not a cohort when more than half of them have their own tip', () => {
    const tipped = (count: number) => [
      launch,
      ...[31, 32, 33, 34].map((txIndex, at) =>
        trade({
          txIndex: txIndex + at,
          who: `w${at}`,
          lamports: 2_000_000_001n,
          hasTip: at < count,
        }),
      ),
    ];
    // Two indices apart, so that no tip is shared.
    expect(bundlesIn(tipped(2)).filter(({ level }) => level === 'L2o')).toHaveLength(4);
    expect(bundlesIn(tipped(3)).filter(({ level }) => level === 'L2o')).toEqual([]);
  });

  test('are less certain when not directly after it', () => {
    const items = bundlesIn(
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
      'the last is more than forty after it',
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
  ] as [string, [number, bigint][]][])('are unrelated when %s', (_, sizes) => {
    expect(bundlesIn(buys(sizes))).toEqual([]);
  });

  test('are unrelated in any slot other than the launch slot', () => {
    const later = buys([
      [31, 2_111_111_111n],
      [32, 2_000_000_001n],
      [33, 2_200_000_000n],
    ]).slice(1);
    expect(bundlesIn(later)).toEqual([]);
  });

  test('exclude an unrelated buy of another size among them', () => {
    const items = bundlesIn(
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
    (cells) => asAddress(cells[column('mint')] ?? ''),
  );

  test('are found, each with exactly its buys within forty indices', () => {
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
          rest: { signature: asSignature(cells[column('signature')] ?? '') },
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
