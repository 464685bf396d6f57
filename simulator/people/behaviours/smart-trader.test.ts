import { describe, expect, test } from 'vitest';
import { type Episode, episodesOf } from '../../../tests/support/block-readings.ts';
import { PeopleMarket } from '../../../tests/support/people-market.ts';

const PEOPLE = { casual: 250, terminalUser: 120, smartTrader: 12, luckyTrader: 16 };
const SEEDS = ['one', 'two', 'three'];

const runs = SEEDS.map((seed) => {
  const market = new PeopleMarket(seed, PEOPLE);
  market.planLaunches(16, 900);
  market.run(2_200);
  return market;
});

/**
 * Natural logarithm of proceeds divided by payment, with the remaining tokens valued at the pool's
 * current payout.
 */
function returnOf(
  market: PeopleMarket,
  { mint, heldRaw, paidLamports, gotLamports }: Episode,
): number {
  const { ledger } = market.world.chain;
  const mark = market.world.openMarketOf(mint)?.quote(ledger, 'sell', heldRaw) ?? 0n;
  const ratio = Number(gotLamports + mark) / Number(paidLamports);
  return Math.max(-3, Math.min(3, Math.log(ratio)));
}

function returnsOf(kind: 'smartTrader' | 'luckyTrader' | 'casual'): number[] {
  return runs.flatMap((market) => {
    const mints = new Set(market.launches.map(({ mint }) => mint));
    const episodes = episodesOf(market.blocks, market.walletsOf(kind), mints);
    return episodes.map((episode) => returnOf(market, episode));
  });
}

function meanAndError(values: readonly number[]) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, error: Math.sqrt(squares / (values.length - 1) / values.length) };
}

describe('smart traders', () => {
  const smart = returnsOf('smartTrader');
  const lucky = returnsOf('luckyTrader');

  test('earn more per episode than lucky traders and the crowd, by five standard errors', () => {
    expect(smart.length).toBeGreaterThan(60);
    for (const others of [lucky, returnsOf('casual')]) {
      const [one, other] = [meanAndError(smart), meanAndError(others)];
      expect(one.mean - other.mean).toBeGreaterThan(5 * Math.hypot(one.error, other.error));
    }
  });

  test('win well over half of their episodes, and lose some', () => {
    const share = smart.filter((value) => value > Math.log(1.02)).length / smart.length;
    expect(share).toBeGreaterThan(0.6);
    expect(share).toBeLessThan(1);
  });

  test('have many episodes each', () => {
    const most = runs.map((market) => {
      const mints = new Set(market.launches.map(({ mint }) => mint));
      const episodes = episodesOf(market.blocks, market.walletsOf('smartTrader'), mints);
      return episodes.length / PEOPLE.smartTrader;
    });
    expect(Math.min(...most)).toBeGreaterThan(3);
  });

  test('never buy in the slot of the creation', () => {
    for (const market of runs) {
      const created = new Map(market.world.truth.launches.map(({ mint, slot }) => [mint, slot]));
      const mints = new Set(market.launches.map(({ mint }) => mint));
      for (const { mint, firstSlot } of episodesOf(
        market.blocks,
        market.walletsOf('smartTrader'),
        mints,
      )) {
        expect(firstSlot).toBeGreaterThan(created.get(mint) ?? firstSlot);
      }
    }
  });
});
