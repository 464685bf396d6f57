import { describe, expect, test } from 'vitest';
import { PeopleMarket, SOL } from '../../tests/support/people-market.ts';
import { seeDepth, seeTrade } from './depth.ts';

describe('the visible depth of a pool', () => {
  test('equals that of the curve with its thirty virtual SOL and 1.25 per cent of fees', () => {
    const market = new PeopleMarket('depth', {});
    market.planLaunch(100, 0, 0n);
    market.run(3);
    const { curve } = launchOf(market);
    const depth = seeDepth(curve, market.world.chain.ledger);
    expect(depth?.quoteRaw).toBeCloseTo(30e9, -6);
    expect((depth?.baseRaw ?? 0) / 1.073e15).toBeCloseTo(1, 4);
    // 1.25 % on top of the traded amount is 1 - 1/1.0125 of the payment.
    expect(depth?.feeShare).toBeCloseTo(1 - 1 / 1.0125, 5);
  });

  test("predicts the curve's outputs in both directions, to a thousandth", () => {
    const market = new PeopleMarket('foresee', {});
    market.planLaunch(100, 0, SOL);
    market.run(3);
    const { curve } = launchOf(market);
    const { ledger } = market.world.chain;
    const depth = seeDepth(curve, ledger);
    if (depth === null) throw new Error('the curve gives something');
    const bought = seeTrade(depth, 'buy', 2e9);
    expect(bought.out / Number(curve.quote(ledger, 'buy', 2n * SOL))).toBeCloseTo(1, 3);
    const sold = seeTrade(depth, 'sell', 1e13);
    expect(sold.out / Number(curve.quote(ledger, 'sell', 10n ** 13n))).toBeCloseTo(1, 3);
  });

  test('is null if there is no pool', () => {
    const market = new PeopleMarket('nothing', {});
    market.planLaunch(2_000, 0, 0n);
    market.run(8);
    const { migratedPool } = launchOf(market);
    expect(seeDepth(migratedPool, market.world.chain.ledger)).toBeNull();
  });
});

function launchOf({ launches }: PeopleMarket) {
  const [launched] = launches;
  if (launched === undefined) throw new Error('nothing was launched');
  return launched.launch;
}
