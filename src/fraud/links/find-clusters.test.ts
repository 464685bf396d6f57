import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryCase, shuffledCase } from '../../../tests/support/arbitrary-case.ts';
import { membersOf, numbered } from '../../../tests/support/link-readings.ts';
import { named } from '../../../tests/support/made-up-units.ts';
import {
  aBuy,
  aCase,
  aFunding,
  aPayment,
  aSell,
  aTransfer,
  LAUNCH_TIME_MS,
  sol,
} from '../../../tests/support/mint-case.ts';
import type { CaseClass, CaseWallet, MintCase } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import { type Clusters, LINKED_MIN } from './clusters.ts';
import { findClusters } from './find-clusters.ts';
import { LINK_FAMILIES } from './link-families.ts';

type WalletDrafts = Record<string, Partial<CaseWallet>>;

function childrenOf(funder: string, names: readonly string[], rest: Partial<CaseWallet> = {}) {
  const child = { fundings: [aFunding(funder)], ...rest };
  return Object.fromEntries(names.map((name): [string, Partial<CaseWallet>] => [name, child]));
}

/** Children of one wallet that all buy. */
function star(count: number, centre: Partial<CaseWallet> = {}) {
  const names = numbered('child', count);
  const wallets: WalletDrafts = { ...childrenOf('centre', names), centre };
  return aCase({ wallets, trades: names.map((name) => aBuy(name)) });
}

describe('clusters', () => {
  it('are one for twenty children of a fresh wallet', () => {
    const { all } = findClusters(star(20));
    expect(all).toHaveLength(1);
    expect(all[0]?.members).toEqual(numbered('child', 20));
    expect(all[0]?.root).toBe('child01');
    expect(all[0]?.strength).toBeCloseTo(0.85, 12);
    expect(all[0]?.edges).toHaveLength(19);
  });

  it('are none for children of an exchange', () => {
    expect(findClusters(star(20, { class: 'cex' })).all).toEqual([]);
  });

  it('are one for six fresh wallets with 1.003 SOL each from one exchange within 3 minutes', () => {
    const names = numbered('child', 6);
    const wallets = names.map((name, index): [string, Partial<CaseWallet>] => {
      const sinceMs = LAUNCH_TIME_MS - 3_600_000 + index * 36_000;
      const paid = aFunding('exchange', { lamports: sol(1.003), sinceMs, lastMs: sinceMs });
      return [name, { firstSeenMs: sinceMs, fundings: [paid] }];
    });
    const { all } = findClusters(
      aCase({
        wallets: { ...Object.fromEntries(wallets), exchange: { class: 'cex' } },
        trades: names.map((name) => aBuy(name)),
      }),
    );
    expect(all.map(({ members, strength }) => ({ members, strength }))).toEqual([
      { members: names, strength: 0.6 },
    ]);
  });

  it('are none for two hundred users of a sponsor', () => {
    const names = numbered('user', 200);
    const paid = { feePayer: named('sponsor'), cosigners: [named('sponsor')] };
    const mintCase = aCase({
      wallets: { ...childrenOf('sponsor', names), sponsor: { class: 'sponsor' } },
      trades: names.map((name) => aBuy(name, paid)),
    });
    expect(findClusters(mintCase).all).toEqual([]);
  });

  it('are none for two hundred users of an unlabelled sponsor', () => {
    const names = numbered('user', 200);
    const paid = { feePayer: named('sponsor'), cosigners: [named('sponsor')] };
    const mintCase = aCase({
      wallets: childrenOf('sponsor', names),
      trades: names.map((name) => aBuy(name, paid)),
    });
    expect(findClusters(mintCase).all).toEqual([]);
  });

  it('combine families as independent', () => {
    const trades = ['ann', 'bob'].map((name) =>
      aBuy(name, { lamports: sol(0.7341), privateProgram: named('program') }),
    );
    const clusters = findClusters(aCase({ trades }));
    // 1 − 0.5 · 0.7
    expect(clusters.strength(named('ann'), named('bob'))).toBeCloseTo(0.65, 12);
    expect(clusters.linksOf(named('bob'), named('ann')).map(({ family }) => family)).toEqual([
      'private-program',
      'equal-size',
    ]);
    expect(membersOf(clusters)).toEqual([['ann', 'bob']]);
    expect(clusters.all[0]?.edges).toMatchObject([{ family: 'private-program', one: 'ann' }]);
    expect(clusters.all[0]?.strength).toBeCloseTo(0.65, 12);
  });

  it('do not use excluded families', () => {
    const trades = ['ann', 'bob'].map((name) =>
      aBuy(name, { lamports: sol(0.7341), privateProgram: named('program') }),
    );
    const clusters = findClusters(aCase({ trades }), ['equal-size']);
    expect(clusters.strength(named('ann'), named('bob'))).toBe(0.5);
    expect(clusters.all).toEqual([]);
    expect(() => findClusters(aCase(), ['equal-sizes'])).toThrow(RangeError);
  });

  it('are based on the maximum spanning tree', () => {
    const trades = [
      aBuy('ann', { cosigners: [named('bob')] }),
      aBuy('bob'),
      aBuy('eve', { feePayer: named('bob') }),
    ];
    const transfers = [aTransfer('ann', 'eve', { slot: 1_001 })];
    const [cluster] = findClusters(aCase({ trades, transfers })).all;
    // 0.95 between ann and bob, 0.9 between bob and eve; the transfer of 0.75 closes a cycle.
    expect(cluster?.edges.map(({ one, other, family }) => [one, other, family])).toEqual([
      ['ann', 'bob', 'cosigned'],
      ['bob', 'eve', 'fee-payer'],
    ]);
    expect(cluster?.strength).toBeCloseTo(0.925, 12);
  });

  it('return the cluster of a member, and do not link a wallet to itself', () => {
    const clusters = findClusters(star(3));
    expect(clusters.of(named('child02'))).toBe(clusters.all[0]);
    expect(clusters.of(named('centre'))).toBeNull();
    expect(clusters.of(named('nobody'))).toBeNull();
    expect(clusters.strength(named('child01'), named('child01'))).toBe(0);
    expect(clusters.strength(named('child01'), named('nobody'))).toBe(0);
  });

  it('are empty for an empty case', () => {
    expect(findClusters(aCase({ launch: null })).all).toEqual([]);
  });
});

describe('large groups', () => {
  it('have as many edges as members, and any two members are linked', () => {
    const clusters = findClusters(star(90));
    expect(clusters.all.map(({ members }) => members.length)).toEqual([90]);
    expect(clusters.all[0]?.edges).toHaveLength(89);
    expect(clusters.strength(named('child41'), named('child77'))).toBe(0.6);
  });

  it('connect members over more hops through the nearest ones', () => {
    // 60 children at the second hop: 0.85 · 0.75² = 0.478 between them, 0.6375 to a child of the
    // first.
    const names = numbered('child', 60);
    const middles = names.map((name) => `of-${name}`);
    const wallets = Object.assign(
      {},
      ...names.map((name) => childrenOf(`of-${name}`, [name])),
      childrenOf('centre', middles),
      { centre: { fanOut: 20 } },
      childrenOf('centre', ['zoe']),
    );
    const trades = names.map((name) => aBuy(name));
    expect(findClusters(aCase({ wallets, trades })).all).toEqual([]);
    const clusters = findClusters(aCase({ wallets, trades: [...trades, aBuy('zoe')] }));
    expect(membersOf(clusters)).toEqual([[...names, 'zoe']]);
    expect(clusters.all[0]?.strength).toBeCloseTo(0.637_5, 12);
  });

  it('have no more wallets than the maximum of participants', () => {
    const names = Array.from({ length: 600 }, (_, index) => `seller${1_000 + index}`);
    const clusters = findClusters(swept(names.map((name) => [name, 'sink'])));
    expect(clusters.all.map(({ members }) => members.length)).toEqual([500]);
    const large = findClusters(
      aCase({
        ...swept(names.map((name) => [name, 'sink'])),
        wallets: Object.fromEntries(names.map((name) => [name, { balanceRaw: aCase().supplyRaw }])),
      }),
    );
    // 512 including the creator, which is not linked.
    expect(large.all.map(({ members }) => members.length)).toEqual([511]);
  });
});

/** Each buys, sells for 1 SOL and sends it to its sink. */
function swept(pairs: readonly (readonly [string, string])[]): MintCase {
  return aCase({
    trades: pairs.flatMap(([name], index) => [
      aBuy(name, { txIndex: index }),
      aSell(name, { slot: 2_000 + 10 * index, lamports: sol(1) }),
    ]),
    payments: pairs.map(([name, sink], index) =>
      aPayment(name, sink, { slot: 2_001 + 10 * index }),
    ),
  });
}

describe('clusters of any case', () => {
  it('are the components connected by all pairs of 0.6 or more', () => {
    fc.assert(
      fc.property(arbitraryCase, (mintCase) => {
        const clusters = findClusters(mintCase);
        expect(membersOf(clusters)).toEqual(partsOf(clusters, [...mintCase.wallets.keys()]));
        for (const { members, edges, strength } of clusters.all) {
          expect(edges).toHaveLength(members.length - 1);
          const sum = edges.reduce((total, edge) => total + edge.strength, 0);
          expect(strength).toBeCloseTo(sum / edges.length, 12);
        }
      }),
    );
  });

  it('do not depend on the order of lists and wallets', () => {
    const order = fc.array(fc.nat(1_000), { minLength: 40, maxLength: 40 });
    fc.assert(
      fc.property(arbitraryCase, order, (mintCase, positions) => {
        const one = findClusters(mintCase);
        const other = findClusters(shuffledCase(mintCase, positions));
        expect(other.all).toEqual(one.all);
        for (const [a, b] of pairsAmong([...mintCase.wallets.keys()])) {
          expect(other.linksOf(a, b)).toEqual(one.linksOf(a, b));
        }
      }),
    );
  });

  it('do not depend on the order of a pair', () => {
    fc.assert(
      fc.property(arbitraryCase, (mintCase) => {
        const { linksOf, strength } = findClusters(mintCase);
        for (const [a, b] of pairsAmong([...mintCase.wallets.keys()])) {
          expect(linksOf(b, a)).toEqual(linksOf(a, b));
          expect(strength(b, a)).toBe(strength(a, b));
        }
      }),
    );
  });

  const service = fc.constantFrom<CaseClass>('cex', 'bridge', 'hub', 'sponsor', 'pool', 'router');

  /** A case, the same case with one more known service, and all its wallets. */
  const withService = fc
    .tuple(arbitraryCase, fc.nat(13), service)
    .map(([mintCase, index, kind]) => {
      const wallets = new Map(mintCase.wallets);
      const [address, wallet] = [...wallets].sort()[index] ?? [];
      if (address !== undefined && wallet?.class === null)
        wallets.set(address, { ...wallet, class: kind });
      return { mintCase, changed: { ...mintCase, wallets }, addresses: [...wallets.keys()] };
    });

  it('never gain a link when a wallet becomes known as a service', () => {
    fc.assert(
      fc.property(withService, ({ mintCase, changed, addresses }) => {
        const [before, after] = [findClusters(mintCase), findClusters(changed)];
        for (const [a, b] of pairsAmong(addresses)) {
          if (before.strength(a, b) >= LINKED_MIN) continue;
          expect(after.strength(a, b)).toBeLessThan(LINKED_MIN);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('never gain strength by that, except from a batch of its withdrawals', () => {
    fc.assert(
      fc.property(withService, ({ mintCase, changed, addresses }) => {
        const [before, after] = [mintCase, changed].map((each) =>
          findClusters(each, ['exchange-batch']),
        ) as [Clusters, Clusters];
        for (const [a, b] of pairsAmong(addresses)) {
          expect(after.strength(a, b)).toBeLessThanOrEqual(before.strength(a, b) + 1e-12);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('are never larger without a family', () => {
    const families = fc.constantFrom(...LINK_FAMILIES.map(({ name }) => name));
    fc.assert(
      fc.property(arbitraryCase, families, (mintCase, family) => {
        const all = findClusters(mintCase);
        const fewer = findClusters(mintCase, [family]);
        for (const [a, b] of pairsAmong([...mintCase.wallets.keys()])) {
          const rest = all.linksOf(a, b).filter((link) => link.family !== family);
          expect(fewer.linksOf(a, b)).toEqual(rest);
        }
      }),
    );
  });
});

/** Computed by traversal from wallet to wallet, over all pairs. */
function partsOf({ strength }: Clusters, wallets: readonly Address[]): (readonly string[])[] {
  const left = new Set(wallets.toSorted());
  const parts: string[][] = [];
  for (const first of left) {
    left.delete(first);
    const part = [first];
    for (const member of part) {
      for (const other of left) {
        if (strength(member, other) < LINKED_MIN) continue;
        left.delete(other);
        part.push(other);
      }
    }
    if (part.length > 1) parts.push(part.sort());
  }
  return parts;
}

function* pairsAmong(wallets: readonly Address[]): Iterable<readonly [Address, Address]> {
  for (const [index, one] of wallets.entries()) {
    for (const other of wallets.slice(index + 1)) yield [one, other];
  }
}
