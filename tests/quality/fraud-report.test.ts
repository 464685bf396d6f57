import { describe, expect, it } from 'vitest';
import { ATTACK_VARIANTS, INNOCENT_VARIANTS } from '../../simulator/scenarios/variants/registry.ts';
import type { Difficulty, FraudType } from '../../simulator/truth/labels.ts';
import { calibrationError, fraudQuality, plansOf, quantile } from './fraud-quality.ts';
import { fraudReport } from './fraud-report.ts';
import { type AttackMatch, type FraudRun, jaccardOf, judgeRun } from './fraud-run.ts';

const runOf = (
  plan: FraudRun['plan'],
  confidences: Partial<Record<FraudType, number>>,
  match: AttackMatch | null = null,
): FraudRun => ({
  ...{
    plan,
    match,
    isRaw: false,
    transactions: 10,
    evaluationsMs: [1, 2],
    seconds: 0.5,
    isCovered: false,
  },
  found: Object.entries(confidences).map(([fraudType, confidence]) => ({
    ...{ fraudType: fraudType as FraudType, confidence, rawScore: confidence },
  })),
});
const attack = (
  confidences: Partial<Record<FraudType, number>>,
  match: AttackMatch | null,
  difficulty: Difficulty = 'easy',
) => runOf({ type: 'late_bundle', difficulty, seed: 'training-1' }, confidences, match);
const innocent = (confidences: Partial<Record<FraudType, number>>) =>
  runOf({ type: 'N3', difficulty: null, seed: 'training-1' }, confidences);

const early = { jaccard: 1, roles: 2, rolesRight: 2, delaySlots: 0, delayMs: 0 };
const late = { jaccard: 0.5, roles: 3, rolesRight: 1, delaySlots: 5, delayMs: 2_000 };

/** Two of three attacks found, one of two innocent runs accused. */
const RUNS = [
  attack({ late_bundle: 0.9 }, early),
  attack({ late_bundle: 0.7, fake_dump: 0.6 }, late),
  attack({ late_bundle: 0.3 }, null),
  innocent({ late_bundle: 0.95 }),
  innocent({}),
];

describe('the arithmetic of the fraud report', () => {
  it('counts an attack as found when it was matched, and takes means over those', () => {
    const [row, ...others] = fraudQuality(RUNS).attacks;
    expect(others).toEqual([]);
    expect(row).toEqual({
      ...{ type: 'late_bundle', scenario: 'late_bundle', difficulty: 'easy' },
      ...{ runs: 3, recall: 2 / 3, covered: 0 },
      // (1 + 0.5) / 2; (2 + 1) of (2 + 3) roles.
      ...{ jaccard: 0.75, roles: 0.6, delaySlots: 5, delaySeconds: 2 },
      isWithoutRoles: false,
    });
  });

  it('asks for roles only where somebody has one, and misses them where nothing was found', () => {
    const asksForRoles = (match: AttackMatch | null) =>
      fraudQuality([attack({ late_bundle: 0.9 }, match)]).goals.some(({ what }) =>
        what.endsWith(': roles'),
      );
    expect(asksForRoles({ ...early, roles: 0, rolesRight: 0 })).toBe(false);
    expect(asksForRoles(early)).toBe(true);
    expect(asksForRoles(null)).toBe(true);
  });

  it('counts innocent runs by their strongest finding', () => {
    expect(fraudQuality(RUNS).benign).toEqual([
      { family: 'N3', runs: 2, found: 1, critical: 1, types: ['late_bundle'] },
    ]);
  });

  it('counts other scenarios of a type apart, and for the precision of their type', () => {
    const drip = runOf(
      {
        ...{ type: 'coordinated_exit', difficulty: 'hard' },
        ...{ seed: 'training-1', variant: 'drip-exit' },
      },
      { coordinated_exit: 0.6 },
      early,
    );
    const patient = runOf(
      {
        ...{ type: null, difficulty: null },
        ...{ seed: 'training-1', variant: 'profit-takers' },
      },
      { coordinated_exit: 0.5 },
    );
    const { attacks, benign, types } = fraudQuality([drip, patient]);
    expect(attacks.map(({ scenario, recall }) => [scenario, recall])).toEqual([['drip-exit', 1]]);
    expect(benign.map(({ family, found }) => [family, found])).toEqual([['profit-takers', 1]]);
    expect(types.find(({ type }) => type === 'coordinated_exit')?.precision).toBe(0.5);
  });

  it('takes precision over own attacks and innocent runs, and other attacks separately', () => {
    const { types } = fraudQuality(RUNS);
    const late = types.find(({ type }) => type === 'late_bundle');
    expect([late?.precision, late?.others, late?.judged]).toEqual([2 / 3, 0, 4]);
    const dump = types.find(({ type }) => type === 'fake_dump');
    expect([dump?.precision, dump?.others, dump?.calibrationError]).toEqual([null, 1, null]);
  });

  it('weights the gap of each bin between confidence and truth', () => {
    const points = [
      // Bin 0.9: said 0.95 and 1, one of two is true: gap |1.95 − 1|. Bin 0.3: said 0.3, gap 0.3.
      { confidence: 0.95, isTrue: true },
      { confidence: 1, isTrue: false },
      { confidence: 0.3, isTrue: false },
    ];
    expect(calibrationError(points)).toBeCloseTo((0.95 + 0.3) / 3, 12);
    expect(calibrationError([])).toBeNull();
  });

  it('takes the least value that enough values do not exceed', () => {
    expect(quantile([30, 10, 20, 40], 0.5)).toBe(20);
    expect(quantile([30, 10, 20, 40], 0.95)).toBe(40);
    expect(quantile([], 0.5)).toBeNull();
  });

  it('counts wallets of both sides once', () => {
    expect(jaccardOf(new Set(['a', 'b', 'c']), new Set(['b', 'c', 'd']))).toBe(0.5);
    expect(jaccardOf(new Set(), new Set())).toBe(1);
  });

  it('counts a figure that could not be measured as missed', () => {
    const { goals } = fraudQuality([attack({}, null)]);
    const roles = goals.find(({ what }) => what === 'late_bundle, easy: roles');
    expect([roles?.value, roles?.isMet]).toEqual([null, false]);
  });

  it('states that training seeds show no result', () => {
    const quality = fraudQuality(RUNS);
    expect(fraudReport(quality, 'training', null)).toContain('the figures are no result');
    expect(fraudReport(quality, 'held-back', null)).not.toContain('are no result');
  });

  it('states which commit it measured, also when it is unknown', () => {
    const quality = fraudQuality(RUNS);
    expect(fraudReport(quality, 'held-back', '0123abc')).toContain(' s. Commit: 0123abc.\n');
    expect(fraudReport(quality, 'held-back', null)).toContain(' s. Commit: unknown.\n');
  });

  it('plays all attacks at three difficulties and everything innocent with every seed', () => {
    const plans = plansOf('training', 2);
    const [attacks, innocent] = [Object.keys(ATTACK_VARIANTS), Object.keys(INNOCENT_VARIANTS)];
    expect(plans).toHaveLength(2 * (3 * (6 + attacks.length) + 16 + innocent.length));
    expect(new Set(plans.map(({ seed }) => seed))).toEqual(new Set(['training-1', 'training-2']));
  });
});

describe('a scenario judged from raw blocks', () => {
  it('finds an easy traditional bundle in the slot it is complete', () => {
    const { match } = judgeRun({
      ...{ type: 'traditional_bundle', difficulty: 'easy', seed: 'training-1' },
    });
    // The label lists all participants, and nothing is hidden from the chain.
    expect(match).toMatchObject({ jaccard: 1, delaySlots: 0 });
    expect(match?.rolesRight).toBe(match?.roles);
  });

  it('accuses no wallet of an innocent exchange with many customers', () => {
    const { found, match } = judgeRun({ type: 'N1', difficulty: null, seed: 'training-1' });
    expect(found.filter(({ confidence }) => confidence >= 0.5)).toEqual([]);
    expect(match).toBeNull();
  });
});
