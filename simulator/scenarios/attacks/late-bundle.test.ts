import { describe, expect, it } from 'vitest';
import { ATTACK_CASES, playAttack } from '../../../tests/support/attack-runs.ts';

const SUPPLY = 10n ** 15n;

/** METHODS §7.4, from the decoded raw blocks. */
describe.each(ATTACK_CASES)('a late bundle, %s, seed %s', (difficulty, seed) => {
  const { record, label, knobs, of, run } = playAttack('late_bundle', difficulty, seed);
  const { mint } = label;
  const launchSlot = record.launchSlot(mint);
  const bundlers = of('bundler');
  const swaps = record.swaps(mint);
  const burst = swaps.filter(({ trader, slot }) => bundlers.has(trader) && slot <= label.endSlot);

  it('starts after ten purchases by at least five other wallets and at least half a minute', () => {
    const before = swaps.filter(
      ({ trader, side, slot }) =>
        slot < label.startSlot && side === 'buy' && !label.roles.has(trader),
    );
    expect(before.length).toBeGreaterThanOrEqual(10);
    expect(new Set(before.map(({ trader }) => trader)).size).toBeGreaterThanOrEqual(5);
    const waitedMs = record.timeOf(label.startSlot) - record.timeOf(launchSlot);
    expect(waitedMs).toBeGreaterThanOrEqual(30_000);
    for (const { trader } of before) {
      expect(run.labels.wallets.get(trader)?.automation).toBe('organic');
    }
  });

  it('is a burst of at least three wallets in the slots of the knobs', () => {
    expect(new Set(burst.map(({ trader }) => trader)).size).toBeGreaterThanOrEqual(3);
    expect(Math.min(...burst.map(({ slot }) => slot))).toBe(label.startSlot);
    expect(label.endSlot - label.startSlot).toBeLessThanOrEqual(knobs.slotSpread + 2);
    expect(new Set(burst.map(({ side }) => side))).toEqual(new Set(['buy']));
  });

  it('takes at least 3 % of the supply, about as much as the knobs say', () => {
    const held = record.held(bundlers, mint, label.endSlot);
    expect(held).toBeGreaterThanOrEqual((SUPPLY * 3n) / 100n);
    expect(Number(held) / (knobs.supplyShare * Number(SUPPLY))).toBeGreaterThan(0.8);
  });

  it('is funded by the attacker over the number of hops, or by exchanges', () => {
    const attackers = of('attacker');
    for (const wallet of bundlers) {
      const funders = record.funders(wallet, label.endSlot);
      const hops = [...funders].find(([payer]) => attackers.has(payer))?.[1];
      if (hops === undefined) expect(record.isPaidByExchange(wallet, label.endSlot)).toBe(true);
      else expect(hops).toBe(knobs.fundingHops + 1);
    }
  });
});
