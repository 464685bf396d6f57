import { describe, expect, test } from 'vitest';
import { episodesOf } from '../../../tests/support/block-readings.ts';
import { PeopleMarket } from '../../../tests/support/people-market.ts';

const market = new PeopleMarket('lucky', { casual: 250, terminalUser: 120, luckyTrader: 30 });
market.planLaunches(20, 700);
market.run(3_000);
const mints = new Set(market.launches.map(({ mint }) => mint));
const episodes = episodesOf(market.blocks, market.walletsOf('luckyTrader'), mints);

/** Proceeds divided by payment, with the remaining tokens valued at the pool's current payout. */
const multiples = episodes
  .map(({ mint, heldRaw, paidLamports, gotLamports }) => {
    const { ledger } = market.world.chain;
    const mark = market.world.openMarketOf(mint)?.quote(ledger, 'sell', heldRaw) ?? 0n;
    return Number(gotLamports + mark) / Number(paidLamports);
  })
  .sort((one, other) => one - other);

describe('lucky traders', () => {
  test('lose with most of their purchases', () => {
    expect(multiples.length).toBeGreaterThan(60);
    expect(multiples[multiples.length >> 1]).toBeLessThan(1);
  });

  test('have no edge: the mean logarithm of their multiples is not above zero', () => {
    const logarithms = multiples.map((multiple) => Math.max(-3, Math.log(multiple)));
    const mean = logarithms.reduce((sum, value) => sum + value, 0) / logarithms.length;
    const squares = logarithms.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    const error = Math.sqrt(squares) / logarithms.length;
    expect(mean).toBeLessThan(2 * error);
  });

  test('win several times the stake with a few', () => {
    expect(multiples.at(-1)).toBeGreaterThan(3);
    expect(multiples.filter((multiple) => multiple > 3).length / multiples.length).toBeLessThan(
      0.25,
    );
  });

  test('spend the same small amount on each', () => {
    const wholeTickets = episodes.filter(({ buys }) => buys === 1);
    for (const { paidLamports } of wholeTickets) {
      // 0.15 SOL, the token account's rent and fees.
      expect(paidLamports).toBeGreaterThan(150_000_000n);
      expect(paidLamports).toBeLessThan(158_000_000n);
    }
  });
});
