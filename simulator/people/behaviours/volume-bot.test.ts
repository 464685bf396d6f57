import { describe, expect, test } from 'vitest';
import { lamportChange, placed } from '../../../tests/support/block-readings.ts';
import { PeopleMarket } from '../../../tests/support/people-market.ts';

const market = new PeopleMarket('volume', { volumeBot: 6 });
market.planLaunches(60, 200, [0, 0.2]);
market.run(800);
const bots = market.walletsOf('volumeBot');
const turns = placed(market.blocks).flatMap(({ transaction }) =>
  [...bots].filter((bot) => transaction.staticKeys[0] === bot).map((bot) => ({ bot, transaction })),
);

describe('volume bots', () => {
  test('hold no tokens after each transaction, regardless of the number of round trips', () => {
    expect(turns.length).toBeGreaterThan(50);
    const tradesIn = turns.map(({ transaction }) => transaction.facts.length);
    expect(new Set(tradesIn)).toEqual(new Set([2, 4, 6]));
    for (const { bot, transaction } of turns) {
      expect(transaction.error).toBeNull();
      const own = transaction.tokenBalances.filter(({ owner }) => owner === bot);
      expect(own.map(({ afterRaw }) => afterRaw ?? 0n).filter((raw) => raw > 0n)).toEqual([]);
    }
  });

  test('pay for it: each costs more than the network fee', () => {
    for (const { bot, transaction } of turns) {
      expect(lamportChange(transaction, bot)).toBeLessThan(-transaction.feeLamports);
    }
  });
});
