import { describe, expect, test } from 'vitest';
import { type Episode, episodesOf } from '../../tests/support/block-readings.ts';
import { PeopleMarket } from '../../tests/support/people-market.ts';

const PEOPLE = { casual: 250, terminalUser: 120, skilledTrader: 16, streakTrader: 16 };
const SEEDS = ['one', 'two', 'three', 'four', 'five', 'six'];

const runs = SEEDS.map((seed) => {
  const market = new PeopleMarket(seed, PEOPLE);
  market.planLaunches(16, 900);
  market.run(2_200);
  return market;
});

/** Proceeds over payment of each episode, with the remaining tokens at the pool's payout. */
function multiplesOf(kind: 'skilledTrader' | 'streakTrader'): number[] {
  return runs.flatMap((market) => {
    const { ledger } = market.world.chain;
    const mints = new Set(market.launches.map(({ mint }) => mint));
    const worth = ({ mint, heldRaw, paidLamports, gotLamports }: Episode) => {
      const mark = market.world.openMarketOf(mint)?.quote(ledger, 'sell', heldRaw) ?? 0n;
      return Number(gotLamports + mark) / Number(paidLamports);
    };
    return episodesOf(market.blocks, market.walletsOf(kind), mints).map(worth);
  });
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function meanAndError(values: readonly number[]) {
  const center = mean(values);
  const squares = values.reduce((sum, value) => sum + (value - center) ** 2, 0);
  return { mean: center, error: Math.sqrt(squares / (values.length - 1) / values.length) };
}

// How many trades they win depends on the market: `npm run quality:wallets` reports it for a month.
describe('skilled traders with realistic lives', () => {
  const skilled = multiplesOf('skilledTrader');
  const others = multiplesOf('streakTrader');

  test('earn more than those who trade alike without an edge, by two standard errors', () => {
    expect(Math.min(skilled.length, others.length)).toBeGreaterThan(60);
    const [one, other] = [meanAndError(skilled), meanAndError(others)];
    expect(one.mean - other.mean).toBeGreaterThan(2 * Math.hypot(one.error, other.error));
  });

  test('earn by a heavy right tail: the best tenth of trades makes over a quarter of gains', () => {
    const gains = skilled.map((multiple) => Math.max(0, multiple - 1)).sort((a, b) => b - a);
    const best = gains.slice(0, Math.ceil(gains.length / 10));
    expect(mean(best) * best.length).toBeGreaterThan(0.25 * mean(gains) * gains.length);
  });
});
