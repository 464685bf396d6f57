import { describe, expect, it } from 'vitest';
import { playAttack } from '../support/attack-runs.ts';
import { NaiveCases, naiveCase } from '../support/naive-case.ts';

const { record, label, of } = playAttack('traditional_bundle', 'easy', 'training-1');
const { slots } = record;
const mintCase = naiveCase(slots, label.mint, { solUsd: 180 });

describe('a case read from decoded slots', () => {
  it('knows a launch by the slot of its mint and the wallet that the label names', () => {
    expect(mintCase.launch?.slot).toBe(record.launchSlot(label.mint));
    expect(of('attacker')).toContain(mintCase.launch?.creator);
  });

  it('has the balances that the nodes reported last', () => {
    const last = slots.at(-1)?.slot ?? 0;
    for (const wallet of label.roles.keys()) {
      const held = record.held(new Set([wallet]), label.mint, last);
      expect(mintCase.wallets.get(wallet)?.balanceRaw ?? 0n).toBe(held);
    }
  });

  it('has every swap of a wallet, in block order', () => {
    const swaps = record.swaps(label.mint);
    expect(mintCase.trades.map(({ signature }) => signature)).toEqual(
      swaps.map(({ transaction }) => transaction.signature),
    );
  });

  it('puts purchases of one bundle into one group and others into none', () => {
    const grouped = mintCase.trades.filter(({ group }) => group !== null);
    const crew = of('attacker', 'bundler');
    expect(grouped.length).toBeGreaterThanOrEqual(of('bundler').size);
    expect(grouped.filter(({ wallet }) => !crew.has(wallet))).toEqual([]);
  });

  it('names the wallets that paid the crew, according to the payments on the chain', () => {
    const [bundler] = of('bundler');
    if (bundler === undefined) throw new Error('a bundle without bundlers');
    const paid = record.payments(label.startSlot).filter(({ to }) => to === bundler);
    expect(mintCase.wallets.get(bundler)?.firstFunding).toMatchObject({
      funder: paid[0]?.from,
      slot: paid[0]?.slot,
    });
  });

  it('contains nothing of slots that were not added, also after several reads', () => {
    const half = slots.slice(0, Math.floor(slots.length / 2));
    const cases = new NaiveCases(label.mint, { solUsd: 180 });
    for (const facts of half) {
      cases.add(facts);
      if (facts.slot % 50 === 0) cases.read();
    }
    expect(cases.read()).toEqual(naiveCase(half, label.mint, { solUsd: 180 }));
    expect(Math.max(...cases.read().trades.map(({ slot }) => slot))).toBeLessThanOrEqual(
      half.at(-1)?.slot ?? 0,
    );
  });
});
