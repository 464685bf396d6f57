import { describe, expect, test } from 'vitest';
import { lamportChange, placed, tokenChange } from '../../../tests/support/block-readings.ts';
import { PeopleMarket, SOL } from '../../../tests/support/people-market.ts';

const market = new PeopleMarket('maker', { casual: 200, terminalUser: 60, marketMaker: 1 });
market.planLaunch(500, 1, 50n * SOL);
market.run(3_000);
const [maker] = market.walletsOf('marketMaker');
const mint = market.launches[0]?.mint;
if (maker === undefined || mint === undefined) throw new Error('no market maker');

const trades = placed(market.blocks)
  .map(({ transaction }) => ({
    tokens: Number(tokenChange(transaction, maker, mint)),
    lamports: Number(lamportChange(transaction, maker)),
    isPool: transaction.facts.some(({ kind }) => kind === 'poolCreated'),
  }))
  .filter(({ tokens }) => tokens !== 0);

describe('a market maker', () => {
  test('buys inventory first and opens a second pool at the price of the first', () => {
    expect(trades[0]?.tokens).toBeGreaterThan(0);
    expect(trades[1]?.isPool).toBe(true);
    const [created] = placed(market.blocks).flatMap(({ transaction }) =>
      transaction.facts.flatMap((fact) =>
        fact.kind === 'poolCreated' && fact.creator === maker ? [fact] : [],
      ),
    );
    expect(created?.venue).toBe('raydium_cpmm');
    expect(created?.baseMint).toBe(mint);
    expect(market.world.marketsOf(mint)).toHaveLength(3);
  });

  test('trades both ways, many times, and keeps its inventory close to the initial one', () => {
    const quoting = trades.slice(2);
    const bought = quoting.filter(({ tokens }) => tokens > 0);
    const sold = quoting.filter(({ tokens }) => tokens < 0);
    expect(bought.length).toBeGreaterThan(5);
    expect(sold.length).toBeGreaterThan(5);
    const start = (trades[0]?.tokens ?? 0) + (trades[1]?.tokens ?? 0);
    let held = start;
    for (const { tokens } of quoting) {
      held += tokens;
      expect(held).toBeGreaterThan(0);
      expect(held).toBeLessThan(2.5 * start);
    }
    const turns = quoting.filter(
      ({ tokens }, index) => index > 0 && tokens > 0 !== (quoting[index - 1]?.tokens ?? 0) > 0,
    );
    expect(turns.length).toBeGreaterThan(4);
  });
});
