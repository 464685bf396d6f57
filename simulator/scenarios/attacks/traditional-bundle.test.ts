import { describe, expect, it } from 'vitest';
import { ATTACK_CASES, playAttack } from '../../../tests/support/attack-runs.ts';
import { jitoTips } from '../../../tests/support/scenario-record.ts';

const SUPPLY = 10n ** 15n;

/** METHODS §7.3, from the decoded raw blocks. */
describe.each(ATTACK_CASES)('a traditional bundle, %s, seed %s', (difficulty, seed) => {
  const { record, label, knobs, of } = playAttack('traditional_bundle', difficulty, seed);
  const { mint } = label;
  const launchSlot = record.launchSlot(mint);
  const bundlers = of('bundler');
  const purchases = record
    .swaps(mint)
    .filter(({ trader, side }) => bundlers.has(trader) && side === 'buy')
    .filter(({ slot }) => slot <= label.endSlot);

  it('begins with the launch', () => {
    expect(label.startSlot).toBe(launchSlot);
  });

  it('gives at least three wallets 5 % of the supply within two slots of the launch', () => {
    const early = purchases.filter(({ slot }) => slot <= launchSlot + 2);
    expect(new Set(early.map(({ trader }) => trader)).size).toBeGreaterThanOrEqual(3);
    expect(record.held(bundlers, mint, launchSlot + 2)).toBeGreaterThanOrEqual(SUPPLY / 20n);
  });

  it('gives all wallets together the share of the knobs, within a tenth', () => {
    const wanted = knobs.supplyShare * Number(SUPPLY);
    const held = Number(record.held(bundlers, mint, label.endSlot));
    expect(Math.abs(held / wanted - 1)).toBeLessThan(0.1);
    expect(new Set(purchases.map(({ trader }) => trader)).size).toBe(knobs.wallets);
  });

  it('pays tips in the style of the knobs', () => {
    const transactions = [...new Set(purchases.map(({ transaction }) => transaction))];
    const tips = transactions.map(jitoTips);
    const total = tips.reduce((sum, count) => sum + count, 0);
    if (knobs.tipStyle === 'shared') {
      // The creation's bundle has space for four purchases, the others for five.
      const others = Math.max(0, knobs.wallets - 4);
      expect(total).toBeGreaterThanOrEqual(1 + Math.ceil(others / 5));
      expect(total).toBeLessThanOrEqual(2 + Math.ceil(others / 5));
      expect(Math.max(...tips)).toBe(1);
    } else if (knobs.tipStyle === 'each') expect(new Set(tips)).toEqual(new Set([1]));
    else expect(total).toBe(0);
    const signers = Math.max(...transactions.map((transaction) => transaction.signers.length));
    expect(signers > 1).toBe(knobs.tipStyle === 'multi_signer');
  });

  it('is spread over exactly the slots of the knobs', () => {
    const last = Math.max(...purchases.map(({ slot }) => slot));
    expect(last - launchSlot).toBeLessThanOrEqual(knobs.slotSpread + 2);
  });

  it('is funded by one payer over the number of hops, or by exchanges', () => {
    const payers = of('funding_source', 'attacker');
    let private_ = 0;
    for (const wallet of bundlers) {
      const funders = record.funders(wallet, label.endSlot);
      const distances = [...funders].flatMap(([payer, hops]) => (payers.has(payer) ? [hops] : []));
      if (distances.length > 0) private_++;
      else expect(record.isPaidByExchange(wallet, label.endSlot)).toBe(true);
      for (const hops of distances.slice(0, 1)) expect(hops).toBe(knobs.fundingHops + 1);
    }
    if (knobs.hubShare === 0) expect(private_).toBe(bundlers.size);
    if (knobs.hubShare === 1) expect(private_).toBe(0);
  });
});
