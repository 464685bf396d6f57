import { describe, expect, test } from 'vitest';
import { PeopleMarket, SOL } from '../../tests/support/people-market.ts';
import { TokenInterest } from './token-interest.ts';

/** A token whose curve a purchase of the creator has moved from its start. */
function scene() {
  const market = new PeopleMarket('interest', {});
  market.planLaunch(100, 0, 3n * SOL);
  market.run(3);
  const [token] = market.launches;
  if (token === undefined) throw new Error('nothing was launched');
  let arrived = 0;
  const interest = new TokenInterest(
    market.world,
    token,
    { quality: 0.5, startMs: market.world.nowMs },
    { ratio: 0.5, echoMs: 1_000 },
    { arrive: () => arrived++, report: () => undefined },
  );
  return { market, interest, arrived: () => arrived };
}

describe('interest in a token', () => {
  test('calls those whose prices have come, once, and nobody else', () => {
    const { interest } = scene();
    const price = interest.price();
    // Three SOL on thirty virtual ones, less 1.25 per cent: (1 + 3 / 1.0125 / 30) squared.
    expect(price / (30e9 / 1.073e15)).toBeCloseTo((1 + 3 / 1.0125 / 30) ** 2, 4);
    const called: string[] = [];
    const name = (text: string) => () => called.push(text);
    const limits = (above: number, below: number) => ({
      above: price * above,
      below: price * below,
    });
    interest.whenPrice(limits(0.9, 0.5), { above: name('profit'), below: name('no loss') });
    interest.whenPrice(limits(2, 1.1), { above: name('no profit'), below: name('loss') });
    interest.checkPrice();
    interest.checkPrice();
    expect(called).toEqual(['profit', 'loss']);
  });

  test('lets as many come as it is told, and none once it is over', () => {
    const { market, interest, arrived } = scene();
    interest.addArrivals({ count: 200, fadeMs: 5_000 });
    market.run(100);
    // Poisson: 200 with a standard deviation of 14.
    expect(arrived()).toBeGreaterThan(140);
    expect(arrived()).toBeLessThan(260);
    const before = arrived();
    interest.addArrivals({ count: 200, fadeMs: 5_000 });
    interest.end();
    market.run(50);
    expect(arrived()).toBe(before);
  });

  test('is excited by a purchase as often as its ratio says', () => {
    const { market, interest, arrived } = scene();
    for (let count = 0; count < 1_000; count++) interest.excite();
    market.run(100);
    expect(arrived()).toBeGreaterThan(410);
    expect(arrived()).toBeLessThan(590);
  });

  test('finds the curve first and, once it has moved on, the pool', () => {
    const market = new PeopleMarket('moves', {});
    market.planLaunch(100, 0, 100n * SOL);
    market.run(2);
    const [token] = market.launches;
    const interest = token === undefined ? null : market.crowd.interestIn(token.mint);
    expect(interest?.firstMarket()?.venue).toBe('pump');
    expect(interest?.openMarkets()).toEqual([]);
    market.run(20);
    expect(interest?.openMarkets().map(({ venue }) => venue)).toEqual(['pump_amm']);
  });
});
