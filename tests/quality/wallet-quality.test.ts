import { describe, expect, test } from 'vitest';
import { Random } from '../../simulator/random/random.ts';
import type { Address } from '../../src/model/units.ts';
import { classQuality } from './class-quality.ts';
import { foresight, matchBestTenth } from './score-foresight.ts';
import { skillQuality } from './skill-quality.ts';
import type { JudgedWallet } from './wallet-market.ts';
import { HELD_BACK_SEEDS, TRAINING_SEEDS } from './wallet-quality.ts';

function wallet(
  address: string,
  automation: 'organic' | 'bot',
  isBot: boolean,
  skill: { isSmart: boolean; score: number; episodes: number } | null = null,
  isSmart = false,
): JudgedWallet {
  const truth = { automation, isSmart, behaviour: automation };
  const judged = skill === null ? null : { ...skill, ...PARTS };
  return { address: address as Address, truth, trades: 10, isBot, skill: judged };
}

/** Parts of the merit, which none of these figures reads. */
const PARTS = {
  ...{ wins: 3, merit: 0, skillMean: 0, skillBound: 0, boundWithoutBest: 0, logProfitFactor: 0 },
};

describe('the figures of quality', () => {
  test('of eight people and two programs with one program missed and one person accused', () => {
    const wallets = [
      ...Array.from({ length: 7 }, (_, index) => wallet(`person ${index}`, 'organic', false)),
      wallet('accused', 'organic', true),
      wallet('found', 'bot', true),
      wallet('missed', 'bot', false),
    ];
    expect(classQuality(wallets)).toEqual({
      wallets: 10,
      accuracy: 0.8,
      organicShare: 0.8,
      botRecall: 0.5,
      botPrecision: 0.5,
    });
  });

  test('are unknown without wallets, and not perfect', () => {
    expect(classQuality([])).toMatchObject({ accuracy: null, botRecall: null });
    expect(skillQuality([])).toMatchObject({ precision: null, recall: null });
  });

  test('of smart wallets: three planted, two of them found, one lucky one called', () => {
    const smart = { isSmart: true, score: 60, episodes: 20 };
    const dull = { isSmart: false, score: 10, episodes: 20 };
    const wallets = [
      wallet('a', 'organic', false, smart, true),
      wallet('b', 'organic', false, smart, true),
      wallet('c', 'organic', false, dull, true),
      wallet('lucky', 'organic', false, smart),
      wallet('new', 'organic', false),
    ];
    const { precision, recall } = skillQuality(wallets);
    expect([precision, recall]).toEqual([2 / 3, 2 / 3]);
  });

  test('training seeds are never among the held-back seeds', () => {
    const training: readonly string[] = TRAINING_SEEDS;
    expect(HELD_BACK_SEEDS.filter((seed) => training.includes(seed))).toEqual([]);
  });
});

describe('the predictive value of a score', () => {
  /** A hundred wallets of equal activity; the score is the index. */
  const wallets = Array.from({ length: 100 }, (_, index) =>
    wallet(`w${String(index).padStart(3, '0')}`, 'organic', false, {
      isSmart: false,
      score: index,
      episodes: 10,
    }),
  );
  const episodesOf = (returnOf: (index: number) => number) =>
    wallets.map(({ address }, index) => ({
      wallet: address,
      mint: 'Mint' as Address,
      logReturn: returnOf(index),
    }));

  test('is the full planted difference of the best tenth', () => {
    const best = matchBestTenth(
      wallets,
      episodesOf((index) => (index >= 90 ? 0.5 : -0.1)),
    );
    const found = foresight(best, new Random('test'));
    expect(found?.wallets).toBe(10);
    for (const value of [found?.difference, found?.low, found?.high]) {
      expect(value).toBeCloseTo(0.6, 9);
    }
  });

  test('is zero when returns do not depend on scores: the interval contains zero', () => {
    const random = new Random('noise');
    const best = matchBestTenth(
      wallets,
      episodesOf(() => random.normal()),
    );
    const found = foresight(best, new Random('test'));
    expect(found?.low).toBeLessThan(0);
    expect(found?.high).toBeGreaterThan(0);
  });

  test('leaves out bots and those with too few episodes', () => {
    const bots = wallets.map((each) => ({ ...each, isBot: true }));
    expect(
      matchBestTenth(
        bots,
        episodesOf(() => 0),
      ),
    ).toEqual([]);
    expect(foresight([], new Random('test'))).toBeNull();
  });

  test('compares with wallets of the same fifth by episodes only', () => {
    // Only the busiest fifth earns; the best by score are in it.
    const busy = wallets.map((each, index) => ({
      ...each,
      skill: { isSmart: false, score: index, episodes: 10 + index, ...PARTS },
    }));
    const best = matchBestTenth(
      busy,
      episodesOf((index) => (index >= 80 ? 1 : 0)),
    );
    expect(foresight(best, new Random('test'))?.difference).toBeCloseTo(0, 9);
  });
});
