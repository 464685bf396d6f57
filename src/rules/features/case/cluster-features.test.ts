import { describe, expect, test } from 'vitest';
import { named } from '../../../../tests/support/made-up-units.ts';
import {
  aBuy,
  aCase,
  aFunding,
  aSell,
  LAUNCH_SLOT,
  sol,
  supplyShare,
} from '../../../../tests/support/mint-case.ts';
import { createReading } from '../../../fraud/detect/inspect-case.ts';
import type { Cluster, Link } from '../../../fraud/links/clusters.ts';
import type { MintCase } from '../../../model/mint-case.ts';
import { readFeatures } from '../read-features.ts';
import { FEATURES, featuresIn } from '../registry.ts';
import { ClusterValues } from './cluster-values.ts';
import { judgedCase } from './judged-case.ts';
import { CLUSTERS_JUDGED_MAX, type JudgedCluster, judgedClusters } from './judged-cluster.ts';

const judgedOf = (mintCase: MintCase) => judgedClusters(judgedCase(createReading(mintCase), []));

/** Three wallets that the creator paid buy at once; two that `other` paid buy later, one sells. */
const TWO = aCase({
  trades: [
    ...['a', 'b', 'c'].map((wallet, txIndex) =>
      aBuy(wallet, { txIndex, baseRaw: supplyShare(0.1), lamports: sol(2) }),
    ),
    aBuy('x', { slot: LAUNCH_SLOT + 25, baseRaw: supplyShare(0.05), lamports: sol(1) }),
    aBuy('y', { slot: LAUNCH_SLOT + 30, baseRaw: supplyShare(0.05), lamports: sol(1) }),
    aSell('x', { slot: LAUNCH_SLOT + 50, baseRaw: supplyShare(0.02), lamports: sol(2) }),
    aBuy('alone', { slot: LAUNCH_SLOT + 60, lamports: sol(6) }),
  ],
  wallets: {
    ...Object.fromEntries(
      ['a', 'b', 'c'].map((wallet) => [wallet, { fundings: [aFunding('creator')] }]),
    ),
    x: { fundings: [aFunding('other')], balanceRaw: supplyShare(0.03) },
    y: { fundings: [aFunding('other')], balanceRaw: supplyShare(0.05) },
  },
});

function clusterWith(judged: readonly JudgedCluster[], wallet: string): JudgedCluster {
  const found = judged.find(({ cluster }) => cluster.members.includes(named(wallet)));
  if (found === undefined) throw new Error(`${wallet} is in no cluster`);
  return found;
}

describe('the features of a cluster', () => {
  const judged = judgedOf(TWO);

  test('are of its own wallets, whatever others did', () => {
    const ofX = clusterWith(judged, 'x');
    expect(ofX.cluster.members).toEqual(expect.arrayContaining([named('x'), named('y')]));
    expect(ofX.cluster.members).not.toContain(named('a'));
    const values = readFeatures('cluster', ofX, [
      ...['cluster.buys', 'cluster.sells', 'cluster.buyers', 'cluster.sellers'],
      ...['cluster.bought_sol', 'cluster.sold_sol', 'cluster.most_buyers_in_slot'],
      ...['cluster.has_creator', 'cluster.first_buy_seconds'],
    ]);
    expect(values).toEqual({
      ...{ 'cluster.buys': 2, 'cluster.sells': 1, 'cluster.buyers': 2, 'cluster.sellers': 1 },
      ...{ 'cluster.bought_sol': 2, 'cluster.sold_sol': 2, 'cluster.most_buyers_in_slot': 1 },
      // 25 slots of 0.4 s after the launch.
      ...{ 'cluster.has_creator': false, 'cluster.first_buy_seconds': 10 },
    });
    const shares = readFeatures('cluster', ofX, [
      ...['cluster.bought_share', 'cluster.sold_share', 'cluster.held_share'],
      'cluster.volume_share',
    ]);
    expect(shares['cluster.bought_share']).toBeCloseTo(0.1, 12);
    expect(shares['cluster.sold_share']).toBeCloseTo(0.02, 12);
    expect(shares['cluster.held_share']).toBeCloseTo(0.08, 12);
    // 4 of 16 SOL.
    expect(shares['cluster.volume_share']).toBeCloseTo(0.25, 12);
  });

  test('count the wallets that bought in one slot', () => {
    const ofA = clusterWith(judged, 'a');
    const name = 'cluster.most_buyers_in_slot';
    expect(readFeatures('cluster', ofA, [name])).toEqual({ [name]: 3 });
  });

  test('are those of the case first, with the same values', () => {
    const names = featuresIn('case').map(({ name }) => name);
    expect(featuresIn('cluster').map(({ name }) => name)).toEqual([
      ...names,
      ...featuresIn('cluster').flatMap(({ name }) => (name.startsWith('cluster.') ? [name] : [])),
    ]);
    const one = judgedCase(createReading(TWO), []);
    const [cluster] = judgedClusters(one);
    if (cluster === undefined) throw new Error('no cluster');
    expect(readFeatures('cluster', cluster, names)).toEqual(readFeatures('case', one, names));
    const asked: number[] = [];
    const ofCase = { at: (index: number) => asked.push(index) };
    const values = new ClusterValues(cluster, ofCase);
    for (const index of FEATURES.cluster.keys()) values.at(index);
    expect(asked).toEqual([...FEATURES.case.keys()]);
  });

  test('stay within their ranges', () => {
    for (const one of judged) {
      for (const { name, range, read } of FEATURES.cluster) {
        const value = read(one);
        if (typeof value !== 'number') continue;
        const [least, most] = range;
        expect(value, name).toBeGreaterThanOrEqual(least ?? Number.NEGATIVE_INFINITY);
        expect(value, name).toBeLessThanOrEqual(most ?? Number.POSITIVE_INFINITY);
      }
    }
  });
});

describe('the clusters that are judged', () => {
  const link = (one: string, other: string, strength: number): Link => ({
    ...{ one: named(one), other: named(other), family: 'funding', strength },
    ...{ relationship: 'direct_funding', via: null },
  });
  function cluster(names: readonly string[], strength: number): Cluster {
    const members = names.map(named);
    const edges = names.slice(1).map((name, at) => link(names[at] ?? '', name, strength));
    return { root: named(names[0] ?? ''), members, strength, edges };
  }
  const caseWith = (all: readonly Cluster[]) => {
    const judged = judgedCase(createReading(aCase({ trades: [aBuy('w 0')] })), []);
    const clusters = { all, of: () => null, strength: () => 0, linksOf: () => [] };
    return { ...judged, clusters: () => clusters };
  };

  test('are at most 100 of a thousand: the largest, of equal ones the strongest', () => {
    const many = Array.from({ length: 1_000 }, (_, at) =>
      cluster([`w ${at}`, `v ${at}`], 0.6 + at / 10_000),
    );
    const large = cluster(['l 1', 'l 2', 'l 3'], 0.6);
    const judged = judgedClusters(caseWith([...many, large]));
    expect(judged).toHaveLength(CLUSTERS_JUDGED_MAX);
    expect(judged[0]?.cluster).toBe(large);
    const strengths = judged.slice(1).map((one) => one.cluster.strength);
    expect(strengths).toEqual(strengths.toSorted((one, other) => other - one));
    expect(strengths[0]).toBe(many.at(-1)?.strength);
  });

  test('are in one order, whatever the order they are found in', () => {
    const equal = ['c', 'a', 'b'].map((name) => cluster([name, `${name} 2`], 0.7));
    const rootsOf = (all: readonly Cluster[]) =>
      judgedClusters(caseWith(all)).map((one) => one.cluster.root);
    expect(rootsOf(equal)).toEqual(['a', 'b', 'c'].map(named));
    expect(rootsOf(equal.toReversed())).toEqual(rootsOf(equal));
  });
});
