import { describe, expect, test } from 'vitest';
import { aFinding, anInvolvedWallet } from '../../../../tests/support/build-finding.ts';
import { buildRuleFile } from '../../../../tests/support/build-rule.ts';
import {
  aBuy,
  aCase,
  aFunding,
  aLiquidityChange,
  aSell,
  DAY_MS,
  LAUNCH_SLOT,
  LAUNCH_TIME_MS,
  sol,
  supplyShare,
} from '../../../../tests/support/mint-case.ts';
import { createReading, detectGroups } from '../../../fraud/detect/inspect-case.ts';
import { DETECTORS } from '../../../fraud/detect/registry.ts';
import type { Finding } from '../../../model/fraud.ts';
import type { MintCase } from '../../../model/mint-case.ts';
import { asUsdNano } from '../../../model/units.ts';
import { compileRule } from '../../compile-rule.ts';
import type { RuleFile } from '../../file/rule-file.ts';
import { problemText } from '../../problem.ts';
import { readFeatures } from '../read-features.ts';
import { featuresIn } from '../registry.ts';
import { judgedCase } from './judged-case.ts';
import { figureFeature, patternOfFeature } from './pattern-features.ts';

const read = (mintCase: MintCase, names: readonly string[], groups: readonly Finding[] = []) =>
  readFeatures('case', judgedCase(createReading(mintCase), groups), names);

/** Three linked wallets that buy a third of the supply in the slot of the launch. */
const BUNDLED = aCase({
  trades: ['a', 'b', 'c'].map((wallet, txIndex) =>
    aBuy(wallet, { txIndex, baseRaw: supplyShare(0.1), lamports: sol(2) }),
  ),
  wallets: Object.fromEntries(
    ['a', 'b', 'c'].map((wallet) => [wallet, { fundings: [aFunding('creator')] }]),
  ),
});

describe('the features of a case', () => {
  test('have every figure that findings publish, of every detector, and no other of its group', () => {
    const known = featuresIn('case').map(({ name }) => name);
    const ofGroups = ['groups', 'confidence', 'members', 'spent_sol', 'received_sol'];
    ofGroups.push('value_at_risk_usd', 'age_slots');
    for (const { name: fraudType, card } of DETECTORS) {
      // A card lists the weight of each figure beside it, which gates do not have.
      const figures = Object.keys(card.thresholds).filter(
        (name) => `${name}Weight` in card.thresholds,
      );
      const expected = [...figures, ...ofGroups].map((name) => figureFeature(fraudType, name));
      const own = known.filter((name) => name.startsWith(`${fraudType}.`));
      expect(own.toSorted()).toEqual(expected.toSorted());
      expect(own.every((name) => patternOfFeature(name) === fraudType)).toBe(true);
    }
    expect(patternOfFeature('case.trades')).toBeNull();
    expect(new Set(known).size).toBe(known.length);
  });

  test('are the figures of the strongest group, as the finding has them measured', () => {
    const reading = createReading(BUNDLED);
    const groups = detectGroups(reading);
    const [strongest] = groups;
    if (strongest === undefined) throw new Error('the bundle was not found');
    expect(strongest.fraudType).toBe('traditional_bundle');
    const names = strongest.features.map(({ name }) => figureFeature('traditional_bundle', name));
    const values = readFeatures('case', judgedCase(reading, groups), names);
    expect(Object.values(values)).toEqual(strongest.features.map(({ measured }) => measured));
    // Three tenths of the supply, by three wallets.
    expect(values['traditional_bundle.share']).toBeCloseTo(0.3, 9);
    expect(values['traditional_bundle.wallets']).toBe(3);
  });

  test('are unknown without a group, but for the number of groups', () => {
    const names = ['fake_dump.groups', 'fake_dump.drop', 'fake_dump.members'];
    expect(read(BUNDLED, names)).toEqual({
      'fake_dump.groups': 0,
      'fake_dump.drop': null,
      'fake_dump.members': null,
    });
  });

  test('describe the strongest group of a type and count the others', () => {
    const strongest = aFinding({
      wallets: [
        anInvolvedWallet('a', { spentLamports: sol(2), receivedLamports: sol(1) }),
        anInvolvedWallet('b', { spentLamports: sol(3) }),
      ],
      valueAtRiskUsd: asUsdNano(5_500_000_000n),
      patternStartSlot: BUNDLED.slot,
    });
    const names = [
      'groups',
      'members',
      'spent_sol',
      'received_sol',
      'value_at_risk_usd',
      'age_slots',
    ];
    const of = names.map((name) => `traditional_bundle.${name}`);
    const weaker = aFinding({ confidence: 0.1 });
    expect(Object.values(read(BUNDLED, of, [strongest, weaker]))).toEqual([2, 2, 5, 1, 5.5, 0]);
  });

  test('sum the trades of the case, those of its creator and its fresh wallets', () => {
    const mintCase = aCase({
      trades: [
        aBuy('creator', { lamports: sol(1), group: { id: 'g', level: 'L1' } }),
        aBuy('new', { txIndex: 1, lamports: sol(2) }),
        aSell('creator', { slot: LAUNCH_SLOT + 10, lamports: sol(4) }),
        aSell('old', { slot: LAUNCH_SLOT + 11, lamports: sol(0.5) }),
      ],
      liquidity: [
        aLiquidityChange('old', { lamports: sol(7) }),
        aLiquidityChange('old', { slot: LAUNCH_SLOT + 1, lamports: sol(-3) }),
      ],
      wallets: {
        creator: { firstSeenMs: null, isOrganic: false },
        new: { firstSeenMs: LAUNCH_TIME_MS - DAY_MS + 1, isOrganic: true },
        old: { firstSeenMs: LAUNCH_TIME_MS - 2 * DAY_MS, isOrganic: true },
      },
    });
    expect(
      read(mintCase, [
        ...['case.trades', 'case.buys', 'case.sells', 'case.bundled_buys', 'case.wallets'],
        ...['case.organic_wallets', 'case.fresh_wallets', 'case.bought_sol', 'case.sold_sol'],
        ...['creator.bought_sol', 'creator.sold_sol', 'case.liquidity_out_sol'],
      ]),
    ).toEqual({
      ...{ 'case.trades': 4, 'case.buys': 2, 'case.sells': 2, 'case.bundled_buys': 1 },
      ...{ 'case.wallets': 3, 'case.organic_wallets': 2, 'case.fresh_wallets': 1 },
      ...{ 'case.bought_sol': 3, 'case.sold_sol': 4.5 },
      ...{ 'creator.bought_sol': 1, 'creator.sold_sol': 4, 'case.liquidity_out_sol': 3 },
    });
  });

  test('are unknown where the case does not show them', () => {
    const bare = aCase({ launch: null, market: null });
    const names = [
      'case.age_minutes',
      'creator.sold_sol',
      'market.pool_sol',
      'case.is_listed_sale',
    ];
    expect(Object.values(read(bare, names))).toEqual([null, null, null, null]);
  });

  test('show the largest group of connected wallets', () => {
    const values = read(BUNDLED, ['case.largest_cluster_wallets', 'case.largest_cluster_strength']);
    // The three, and the creator that paid them.
    expect(values['case.largest_cluster_wallets']).toBe(4);
    expect(values['case.largest_cluster_strength']).toBeGreaterThanOrEqual(0.6);
    expect(read(aCase({}), ['case.largest_cluster_strength'])).toEqual({
      'case.largest_cluster_strength': null,
    });
  });
});

describe('a rule of kind fraud', () => {
  const FRAUD: Partial<RuleFile> = {
    kind: 'fraud',
    scope: 'case',
    when: 'fake_dump.drop > 0.3',
    evidence: ['fake_dump.drop'],
  };
  const problems = (given: Parameters<typeof buildRuleFile>[0]) =>
    compileRule(buildRuleFile({ ...FRAUD, ...given })).problems.map(problemText);

  test('compiles over the features of a case', () => {
    expect(problems({})).toEqual([]);
  });

  test('is refused for a feature that a case does not have, with the nearest name', () => {
    expect(problems({ when: 'fake_dump.dropp > 0.3' })).toEqual([
      'when: There is no feature fake_dump.dropp for the scope case. Did you mean fake_dump.drop?',
    ]);
    expect(problems({ evidence: ['pool.swaps'] })[0]).toContain(
      'evidence.0: There is no feature pool.swaps for the scope case.',
    );
  });

  test('is refused in the scope pool_minute, and another kind in the scope case', () => {
    const of = 'Rules of kind fraud have the scope case or cluster, all others pool_minute.';
    expect(problems({ scope: 'pool_minute', when: 'pool.swaps > 0', evidence: [] })).toEqual([
      `scope: ${of}`,
    ]);
    expect(problems({ kind: 'alert' })).toEqual([`scope: ${of}`]);
  });

  test('is refused with a sequence', () => {
    const sequence = [{ when: 'fake_dump.drop > 0.4', within_minutes: 5 }];
    expect(problems({ sequence }).join()).toContain('Only rules of the scope pool_minute');
  });

  test('is refused when its condition lies outside of what a figure can be', () => {
    expect(problems({ when: 'fake_dump.drop > 1' }).join()).toContain('can never');
    expect(problems({ when: 'coordinated_exit.drain > 1' })).toEqual([]);
  });
});
