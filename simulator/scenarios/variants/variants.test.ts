import { describe, expect, it } from 'vitest';
import type { Address } from '../../../src/model/units.ts';
import { ScenarioRecord } from '../../../tests/support/scenario-record.ts';
import {
  runAttackVariant,
  runInnocentVariant,
  type ScenarioRun,
} from '../../../tests/support/scenario-stage.ts';
import type { Difficulty } from '../../truth/labels.ts';
import { ATTACK_VARIANTS, INNOCENT_VARIANTS } from './registry.ts';

const DIFFICULTIES: readonly Difficulty[] = ['easy', 'medium', 'hard'];
const CASES = Object.keys(ATTACK_VARIANTS).flatMap((name) =>
  DIFFICULTIES.map((difficulty) => [name, difficulty] as const),
);

/** An attack with its swaps within the slots of its label. */
function attackOf(run: ScenarioRun) {
  const { attack } = run;
  if (attack === null || attack.endSlot === null) throw new Error('no whole label');
  const { mint, startSlot, endSlot, roles } = attack;
  const record = new ScenarioRecord(run);
  const swaps = record.swaps(mint).filter(({ slot }) => slot >= startSlot && slot <= endSlot);
  return { attack, record, crew: swaps.filter(({ trader }) => roles.has(trader)) };
}

describe.each(CASES)('%s, %s', (name, difficulty) => {
  const run = runAttackVariant(name, difficulty, 'variants');

  it('finishes, is fully decoded and has a label of the type it is registered for', () => {
    expect(run.isOver).toBe(true);
    const { attack, record, crew } = attackOf(run);
    expect(record.problems).toEqual([]);
    expect([attack.type, attack.difficulty]).toEqual([ATTACK_VARIANTS[name]?.type, difficulty]);
    expect(attack.startSlot).toBeLessThanOrEqual(attack.endSlot ?? 0);
    expect(crew.length).toBeGreaterThanOrEqual(3);
  });
});

it.each(Object.keys(INNOCENT_VARIANTS))('%s finishes, and accuses nobody in its label', (name) => {
  const run = runInnocentVariant(name, 'variants');
  expect(run.isOver).toBe(true);
  expect(new ScenarioRecord(run).problems).toEqual([]);
  expect(run.labels.benign.map(({ family }) => family)).toEqual([name]);
  expect(run.labels.attacks).toEqual([]);
});

describe('the way of a variant', () => {
  it('is an exit of which no ten minutes hold six tenths, at the hard tier', () => {
    const { attack, record, crew } = attackOf(runAttackVariant('drip-exit', 'hard', 'variants'));
    const sales = crew.filter(({ side }) => side === 'sell');
    const soldFrom = (fromMs: number) =>
      sales
        .filter(({ timeMs }) => timeMs >= fromMs && timeMs <= fromMs + 600_000)
        .reduce((sum, { baseRaw }) => sum + baseRaw, 0n);
    const sold = sales.reduce((sum, { baseRaw }) => sum + baseRaw, 0n);
    const held = record.held(new Set(attack.roles.keys()), attack.mint, attack.startSlot - 1);
    expect(sold * 10n).toBeGreaterThanOrEqual(held * 9n);
    for (const { timeMs } of sales) expect(soldFrom(timeMs) * 10n).toBeLessThan(held * 6n);
  });

  it.each(['venues-exit', 'pools-wash'])('is over two pools: %s', (name) => {
    const { crew } = attackOf(runAttackVariant(name, 'hard', 'variants'));
    expect(new Set(crew.map(({ pool }) => pool)).size).toBe(2);
  });

  it('is sold by wallets that never bought: fresh-sellers', () => {
    const { attack, record, crew } = attackOf(
      runAttackVariant('fresh-sellers', 'hard', 'variants'),
    );
    const buyers = new Set(
      record
        .swaps(attack.mint)
        .filter(({ side }) => side === 'buy')
        .map(({ trader }) => trader),
    );
    expect(crew.some(({ trader }) => buyers.has(trader))).toBe(false);
  });

  it('has each wallet buy once and sell once: one-use-wash', () => {
    const { crew } = attackOf(runAttackVariant('one-use-wash', 'hard', 'variants'));
    const sidesOf = new Map<Address, string>();
    for (const { trader, side } of crew) {
      sidesOf.set(trader, `${sidesOf.get(trader) ?? ''} ${side}`);
    }
    expect(new Set(sidesOf.values())).toEqual(new Set([' buy sell']));
  });
});
