import { describe, expect, test } from 'vitest';
import type { Address } from '../../../src/model/units.ts';
import { episodesOf } from '../../../tests/support/block-readings.ts';
import { PeopleMarket } from '../../../tests/support/people-market.ts';

const market = new PeopleMarket('promoter', { casual: 300, promoter: 30 });
market.planLaunches(12, 600, [0.3, 0.5]);
const calls: { readonly mint: Address; readonly caller: Address; readonly slot: number }[] = [];
market.crowd.attention.onCall(({ mint }, { address }) => {
  calls.push({ mint, caller: address, slot: market.world.slot });
});
market.run(1_800);

function buyersBetween(mint: Address, from: number, to: number): number {
  const episodes = episodesOf(market.blocks, market.walletsOf('casual'), new Set([mint]));
  return episodes.filter(({ firstSlot }) => firstSlot >= from && firstSlot < to).length;
}

describe('promoters', () => {
  test('attract a crowd within minutes: far more newcomers after their call than before', () => {
    expect(calls.length).toBeGreaterThan(3);
    const minutes = 375;
    const sum = (shift: number): number =>
      calls.reduce(
        (total, { mint, slot }) =>
          total + buyersBetween(mint, slot + shift, slot + shift + minutes),
        0,
      );
    expect(sum(0)).toBeGreaterThan(1.5 * sum(-minutes));
  });

  test('hold the token before the call, and sell to those who follow', () => {
    const own = episodesOf(
      market.blocks,
      market.walletsOf('promoter'),
      new Set(market.launches.map(({ mint }) => mint)),
    );
    const ofCalls = calls.flatMap(({ mint, caller, slot }) => {
      const episode = own.find((one) => one.mint === mint && one.wallet === caller);
      return episode === undefined ? [] : [{ slot, ...episode }];
    });
    expect(ofCalls.length / calls.length).toBeGreaterThan(0.6);
    for (const { firstSlot, slot } of ofCalls) expect(firstSlot).toBeLessThanOrEqual(slot);
    expect(ofCalls.some(({ sells, lastSlot, slot }) => sells > 0 && lastSlot > slot)).toBe(true);
  });
});
