import { describe, expect, it } from 'vitest';
import { ATTACK_CASES, playAttack } from '../../../tests/support/attack-runs.ts';
import { meanPrice, sumOf } from '../../../tests/support/scenario-record.ts';

const MINUTE_MS = 60_000;

/** METHODS §7.6, from the decoded raw blocks. */
describe.each(ATTACK_CASES)('a fake dump, %s, seed %s', (difficulty, seed) => {
  const { record, label, knobs, of } = playAttack('fake_dump', difficulty, seed);
  const { mint, startSlot, endSlot } = label;
  const creators = of('attacker');
  const buyers = of('bundler');
  const swaps = record.swaps(mint).filter(({ slot }) => slot <= endSlot);
  const startMs = record.timeOf(startSlot);
  const sales = swaps.filter(({ trader, side }) => creators.has(trader) && side === 'sell');
  const rebuys = swaps.filter(({ trader, side }) => buyers.has(trader) && side === 'buy');

  it("sells at least 1.5 % of the supply or a fifth of the creator's holding", () => {
    const soldRaw = sumOf(sales, ({ baseRaw }) => baseRaw);
    const heldRaw = record.held(creators, mint, startSlot - 1);
    expect(soldRaw >= 15n * 10n ** 12n || soldRaw * 5n >= heldRaw).toBe(true);
    expect(sales[0]?.slot).toBe(startSlot);
  });

  it('lowers the price by 15 % or more from the mean of the previous five minutes', () => {
    const before = swaps.filter(
      ({ timeMs, slot }) => slot < startSlot && timeMs >= startMs - 5 * MINUTE_MS,
    );
    const after = swaps.filter(({ slot, side }) => slot >= startSlot && side === 'sell');
    const lowest = Math.min(
      ...after.map(({ quoteRaw, baseRaw }) => Number(quoteRaw) / Number(baseRaw)),
    );
    expect(lowest).toBeLessThanOrEqual(0.85 * meanPrice(before));
  });

  it('frightens others into selling', () => {
    const induced = swaps.filter(
      ({ trader, side, slot }) => slot >= startSlot && side === 'sell' && !label.roles.has(trader),
    );
    expect(induced.length).toBeGreaterThan(0);
  });

  it('buys back at least 80 % with other wallets, 5 % cheaper, within the hour', () => {
    const soldRaw = sumOf(sales, ({ baseRaw }) => baseRaw);
    const boughtRaw = sumOf(rebuys, ({ baseRaw }) => baseRaw);
    expect(boughtRaw * 10n).toBeGreaterThanOrEqual(soldRaw * 8n);
    expect(meanPrice(rebuys)).toBeLessThanOrEqual(0.95 * meanPrice(sales));
    expect((rebuys.at(-1)?.timeMs ?? 0) - startMs).toBeLessThan(60 * MINUTE_MS);
  });

  it('leaves the crew with at least 95 % of its holding', () => {
    const crew = new Set([...creators, ...buyers]);
    const before = record.held(crew, mint, startSlot - 1);
    expect(record.held(crew, mint, endSlot) * 100n).toBeGreaterThanOrEqual(before * 95n);
    expect(knobs.rebuyShare).toBeGreaterThanOrEqual(1);
  });
});
