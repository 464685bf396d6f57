import { describe, expect, it } from 'vitest';
import { ATTACK_CASES, playAttack } from '../../../tests/support/attack-runs.ts';
import { sumOf } from '../../../tests/support/scenario-record.ts';
import { EXCHANGE_WALLETS } from '../../market/common-accounts.ts';

const SUPPLY = 10n ** 15n;
const MINUTE_MS = 60_000;

/** METHODS §7.5, from the decoded raw blocks. */
describe.each(ATTACK_CASES)('bundle and launder, %s, seed %s', (difficulty, seed) => {
  const { record, label, knobs, of } = playAttack('bundle_and_launder', difficulty, seed);
  const { mint, startSlot, endSlot } = label;
  const [creator] = [...of('attacker')];
  if (creator === undefined) throw new Error('no attack');
  const buyers = of('bundler');
  const swaps = record.swaps(mint).filter(({ slot }) => slot <= endSlot);
  const sales = swaps.filter(({ trader, side }) => trader === creator && side === 'sell');
  const rebuys = swaps.filter(({ trader, side }) => buyers.has(trader) && side === 'buy');
  const soldRaw = sumOf(sales, ({ baseRaw }) => baseRaw);

  it('begins when the creator sells 3 % of the supply or a fifth of the holding within ten minutes', () => {
    expect(sales[0]?.slot).toBe(startSlot);
    const heldBefore = record.held(new Set([creator]), mint, startSlot - 1);
    expect(soldRaw * 5n >= heldBefore || soldRaw * 33n >= SUPPLY).toBe(true);
    expect((sales.at(-1)?.timeMs ?? 0) - (sales[0]?.timeMs ?? 0)).toBeLessThan(10 * MINUTE_MS);
  });

  it('buys back more than half of it within half an hour, with other wallets', () => {
    expect(sumOf(rebuys, ({ baseRaw }) => baseRaw) * 2n).toBeGreaterThanOrEqual(soldRaw);
    expect(buyers.has(creator)).toBe(false);
    const lastMs = rebuys.at(-1)?.timeMs ?? 0;
    expect(lastMs - (sales.at(-1)?.timeMs ?? 0)).toBeLessThan(30 * MINUTE_MS);
    expect(rebuys[0]?.slot).toBeGreaterThan(sales.at(-1)?.slot ?? 0);
  });

  it('leaves the crew with all but 30 % of what was sold', () => {
    const crew = new Set([creator, ...buyers]);
    const lost = record.held(crew, mint, startSlot - 1) - record.held(crew, mint, endSlot);
    expect(lost * 10n).toBeLessThanOrEqual(soldRaw * 3n);
  });

  it('funds the buyers from the proceeds: privately, or through an exchange', () => {
    const paidAfter = record.payments(endSlot).filter(({ slot }) => slot >= startSlot);
    const toExchange = paidAfter.filter(
      ({ from, to }) => from === creator && EXCHANGE_WALLETS.includes(to),
    );
    expect(toExchange.length > 0).toBe(knobs.hubShare > 0);
    for (const wallet of buyers) {
      const funders = record.funders(wallet, endSlot);
      const hops = funders.get(creator);
      if (hops === undefined) expect(record.isPaidByExchange(wallet, endSlot)).toBe(true);
      else expect(hops).toBe(knobs.fundingHops + 2);
    }
    if (knobs.hubShare === 0) expect(of('funding_source').size).toBe(1);
  });
});
