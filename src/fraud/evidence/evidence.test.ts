import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linksFrom, readingOf } from '../../../tests/support/linked-wallets.ts';
import { named } from '../../../tests/support/made-up-units.ts';
import {
  aBuy,
  aCase,
  aTransactionRef,
  sol,
  supplyShare,
  timeOf,
} from '../../../tests/support/mint-case.ts';
import type { ScoredFeature } from '../../model/fraud.ts';
import { asUsdNano } from '../../model/units.ts';
import { scoreFeatures } from '../scoring/score.ts';
import { type EvidenceDraft, gatherEvidence } from './gather-evidence.ts';
import { gini } from './gini.ts';
import { relationEvidence } from './relation-evidence.ts';
import { supplyEvidence } from './supply-evidence.ts';
import { timingEvidence } from './timing-evidence.ts';
import { tradeMovement, transactionEvidence } from './transaction-evidence.ts';

describe('evidence of transactions', () => {
  const trades = [
    aBuy('b', {
      slot: 1002,
      txIndex: 4,
      signature: 'third',
      lamports: sol(3),
      usd: asUsdNano(600n),
    }),
    aBuy('a', {
      slot: 1001,
      txIndex: 9,
      signature: 'first',
      lamports: sol(1),
      usd: asUsdNano(200n),
    }),
    aBuy('c', {
      slot: 1001,
      txIndex: 9,
      signature: 'first',
      lamports: sol(2),
      usd: asUsdNano(400n),
    }),
  ];

  it('is in block order, each transaction once, with the totals of all', () => {
    expect(transactionEvidence(trades.map(tradeMovement), true)).toEqual({
      kind: 'transaction',
      signatures: ['first', 'third'],
      slot: 1001,
      wallets: ['a', 'b', 'c'],
      lamports: sol(6),
      usd: 1200n,
      isBundled: true,
    });
  });

  it('lists at most 50 signatures and still counts the others', () => {
    const many = Array.from({ length: 51 }, (_, at) =>
      aBuy(`w${at}`, { txIndex: at, lamports: sol(1) }),
    );
    const payload = transactionEvidence(many.map(tradeMovement), false);
    expect(payload).toMatchObject({ lamports: sol(51) });
    expect(payload.kind === 'transaction' && payload.signatures.length).toBe(50);
  });

  it('has no dollar total if that of one is unknown', () => {
    const [first, ...others] = trades.map(tradeMovement);
    const unpriced = first === undefined ? [] : [{ ...first, usd: null }];
    expect(transactionEvidence([...unpriced, ...others], true)).toMatchObject({ usd: null });
  });
});

describe('evidence of a relation', () => {
  it('lists the others by address, each once, without the source', () => {
    const related = ['c', 'a', 'boss', 'a'].map(named);
    const relation = {
      source: named('boss'),
      related,
      relationship: 'direct_funding',
      strength: 0.9,
    } as const;
    expect(relationEvidence(relation)).toMatchObject({
      sourceWallet: 'boss',
      relatedWallets: ['a', 'c'],
    });
  });
});

describe('evidence of timing', () => {
  it('has one entry per transaction, in block order', () => {
    const refs = [
      aTransactionRef({ slot: 1003, signature: 'late' }, ''),
      aTransactionRef({ slot: 1001, signature: 'early' }, ''),
      aTransactionRef({ slot: 1003, signature: 'late' }, ''),
    ];
    expect(timingEvidence(refs, 'burst')).toEqual({
      kind: 'timing',
      timesMs: [timeOf(1001), timeOf(1003)],
      slots: [1001, 1003],
      pattern: 'burst',
    });
  });
});

describe('the Gini coefficient', () => {
  it('is as in METHODS §7.2: 1, 1, 1, 97 give 0.72 and equal amounts give 0', () => {
    expect(gini([97n, 1n, 1n, 1n])).toBeCloseTo(0.72, 12);
    expect(gini([5n, 5n, 5n])).toBe(0);
  });

  it('is 0 for fewer than two holders and without holdings', () => {
    expect([gini([]), gini([7n]), gini([0n, 0n])]).toEqual([0, 0, 0]);
  });

  it('is half the mean difference of all pairs over the mean', () => {
    fc.assert(
      fc.property(
        fc.array(fc.bigInt(1n, 10n ** 15n), { minLength: 2, maxLength: 30 }),
        (amounts) => {
          const sizes = amounts.map(Number);
          const sum = sizes.reduce((total, size) => total + size, 0);
          const differences = sizes.flatMap((one) => sizes.map((other) => Math.abs(one - other)));
          const all = differences.reduce((total, difference) => total + difference, 0);
          expect(gini(amounts)).toBeCloseTo(all / (2 * sizes.length * sum), 9);
        },
      ),
    );
  });
});

describe('evidence of supply', () => {
  const holdings = new Map(
    (
      [
        ['a', 0.2],
        ['b', 0.1],
        ['c', 0.3],
        ['pool', 0.3],
        ['exchange', 0.05],
        ['gone', 0],
      ] as const
    ).map(([wallet, share]) => [named(wallet), supplyShare(share)]),
  );
  const evidence = (links = linksFrom('x', ['y'])) => {
    const mintCase = aCase({ wallets: { exchange: { class: 'cex' } } });
    const clusters = readingOf(mintCase, links).clusters();
    const suspicious = new Set(['a', 'b'].map(named));
    return supplyEvidence({ mintCase, holdings, suspicious, clusters });
  };

  it('lists wallets by holding, without pools, exchanges and empty wallets', () => {
    expect(evidence()).toMatchObject({
      topHolders: [
        { wallet: 'c', share: 0.3, isSuspicious: false },
        { wallet: 'a', share: 0.2, isSuspicious: true },
        { wallet: 'b', share: 0.1, isSuspicious: true },
      ],
    });
    const { suspiciousShare } = evidence() as { suspiciousShare: number };
    expect(suspiciousShare).toBeCloseTo(0.3, 12);
  });

  it('counts linked wallets as one holder in the Gini coefficient', () => {
    // 10, 20, 30: (4 − 2·(10 + 30 + 60)/60)/3 = 0.2222…; 30, 30 once a and b are one: 0.
    expect((evidence() as { gini: number }).gini).toBeCloseTo(2 / 9, 12);
    expect((evidence(linksFrom('a', ['b'])) as { gini: number }).gini).toBe(0);
  });

  it('lists at most 20 holders', () => {
    const many = new Map(
      Array.from({ length: 21 }, (_, at) => [named(`h${at}`), supplyShare(0.01)]),
    );
    const { mintCase, clusters } = readingOf(aCase());
    const payload = supplyEvidence({
      mintCase,
      holdings: many,
      suspicious: new Set(),
      clusters: clusters(),
    });
    expect(payload.kind === 'supply_distribution' && payload.topHolders.length).toBe(20);
  });
});

describe('gathered evidence', () => {
  const draft = (description: string) => (): EvidenceDraft => ({
    type: 'wallet_cluster',
    description,
    payload: timingEvidence([], 'burst'),
  });
  const feature = (name: string, weight: number, value: number): ScoredFeature => ({
    name,
    measured: value,
    ramp: null,
    value,
    weight,
  });
  const table = { fraudType: 'late_bundle', bias: -1 } as const;
  const texts = {
    drafts: { small: draft('Small.'), large: draft('Large.'), none: draft('None.') },
    reductions: { lock: () => 'a lock', other: () => 'something else' },
  };
  const features = [
    feature('small', 1, 1),
    feature('large', 1, 3 / 4),
    feature('large', 4, 3 / 4),
    feature('none', 1, 0),
    feature('lock', -1, 0.5),
    feature('other', -1, 0),
  ].filter(({ name, weight }) => name !== 'large' || weight === 4);

  it('is ordered by weight, and the last item states what speaks against the pattern', () => {
    const items = gatherEvidence(scoreFeatures(table, features, true), texts);
    expect(items.map(({ description, weight }) => [description, weight])).toEqual([
      ['Large.', 0.75],
      ['Small. Reduced by a lock.', 0.25],
    ]);
  });

  it('states that funding is unknown', () => {
    const items = gatherEvidence(scoreFeatures(table, features, false), texts);
    expect(items.at(-1)?.description).toBe(
      'Small. Reduced by a lock. Funding data unavailable: confidence is at most 0.85.',
    );
  });

  it('throws when a detector has no text for one of its features', () => {
    const score = scoreFeatures(table, [feature('unheard', 1, 1)], true);
    expect(() => gatherEvidence(score, texts)).toThrow('unheard');
  });
});
