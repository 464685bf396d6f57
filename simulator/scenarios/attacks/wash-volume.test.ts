import { describe, expect, it } from 'vitest';
import { ATTACK_CASES, playAttack } from '../../../tests/support/attack-runs.ts';
import { jitoTips, sumOf } from '../../../tests/support/scenario-record.ts';

/** A thousand dollars at any SOL price of the simulation. */
const THOUSAND_DOLLARS_LAMPORTS = 10_000_000_000n;

/** METHODS §7.8, from the decoded raw blocks. */
describe.each(ATTACK_CASES)('wash volume, %s, seed %s', (difficulty, seed) => {
  const { record, label, knobs, of } = playAttack('wash_volume', difficulty, seed);
  const { mint, startSlot, endSlot } = label;
  const crew = of('unknown');
  const swaps = record.swaps(mint);
  const washed = swaps.filter(({ trader, slot }) => crew.has(trader) && slot <= endSlot);
  const bought = washed.filter(({ side }) => side === 'buy');
  const sold = washed.filter(({ side }) => side === 'sell');
  const gross = sumOf(washed, ({ baseRaw }) => baseRaw);

  it("trades a thousand dollars and a tenth of the pool's volume, with two or more wallets", () => {
    const volume = sumOf(washed, ({ quoteRaw }) => quoteRaw);
    expect(volume).toBeGreaterThanOrEqual(THOUSAND_DOLLARS_LAMPORTS);
    expect(volume * 10n).toBeGreaterThanOrEqual(sumOf(swaps, ({ quoteRaw }) => quoteRaw));
    expect(new Set(washed.map(({ trader }) => trader)).size).toBeGreaterThanOrEqual(2);
    expect(Math.min(...washed.map(({ slot }) => slot))).toBe(startSlot);
  });

  it('ends as it began: everything bought was sold, within 1 % of the volume', () => {
    const net = sumOf(bought, ({ baseRaw }) => baseRaw) - sumOf(sold, ({ baseRaw }) => baseRaw);
    const off = net < 0n ? -net : net;
    expect(off * 100n).toBeLessThanOrEqual(gross);
    expect(record.held(crew, mint, endSlot)).toBe(0n);
  });

  it('costs the crew more than it earns', () => {
    const paid = sumOf(bought, ({ quoteRaw }) => quoteRaw);
    const got = sumOf(sold, ({ quoteRaw }) => quoteRaw);
    const feesOfVenue = (paid + got) / 100n;
    expect(got - paid).toBeLessThan(feesOfVenue);
  });

  it('matches a sale to each purchase of a wallet within five minutes', () => {
    let matched = 0;
    for (const wallet of crew) {
      const own = washed.filter(({ trader }) => trader === wallet);
      own.forEach((swap, index) => {
        const next = own[index + 1];
        if (swap.side !== 'buy' || next?.side !== 'sell') return;
        const difference = Math.abs(Number(next.baseRaw) / Number(swap.baseRaw) - 1);
        if (next.timeMs - swap.timeMs <= 300_000 && difference <= 0.01) matched++;
      });
    }
    expect(matched).toBeGreaterThanOrEqual(bought.length * 0.9);
  });

  it('places both sides as in the knobs: in one bundle, in one transaction, or apart', () => {
    const byTransaction = Map.groupBy(washed, ({ transaction }) => transaction);
    const both = [...byTransaction.values()].filter(
      (trades) => new Set(trades.map(({ side }) => side)).size === 2,
    );
    expect(both.length > 0).toBe(knobs.tipStyle === 'multi_signer');
    const tips = [...byTransaction.keys()].map(jitoTips);
    const tipped = tips.filter((count) => count === 1).length;
    if (knobs.tipStyle === 'shared') {
      expect(tipped / tips.length).toBeGreaterThan(0.35);
      expect(tipped / tips.length).toBeLessThan(0.55);
    } else if (knobs.tipStyle === 'each') expect(tipped / tips.length).toBeGreaterThan(0.8);
    else expect(tipped).toBe(0);
  });

  it('has a single fee payer if nothing is hidden', () => {
    const payers = new Set(washed.map(({ transaction }) => transaction.feePayer));
    if (knobs.fundingHops === 0) expect([...payers]).toEqual([...of('attacker')]);
    else expect(payers.size).toBeGreaterThan(1);
  });
});
