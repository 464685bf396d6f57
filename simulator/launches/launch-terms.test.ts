import { describe, expect, test } from 'vitest';
import { PeopleMarket, SOL } from '../../tests/support/people-market.ts';
import { launchToken } from '../market/launch-token.ts';
import { endow } from '../people/wallets.ts';
import { Random } from '../random/random.ts';
import { PathMarket } from '../venues/path-market.ts';
import { planPumpLaunch } from '../venues/pump-launch.ts';
import { LaunchTerms, type LaunchTermsOptions } from './launch-terms.ts';

const TEXT = { name: 'Token', symbol: 'TKN', uri: 'https://a.test/' };

function scene(shares: Pick<LaunchTermsOptions, 'otherQuoteShare' | 'holderRewardShare'>) {
  const market = new PeopleMarket('terms', {});
  const { world } = market;
  const creator = world.keyring.wallet();
  endow(world, creator, 100n * SOL);
  const keeper = world.keyring.wallet();
  const options = { ...shares, random: new Random('terms'), dollars: null, keeper };
  return { market, world, creator, keeper, terms: new LaunchTerms(world, options) };
}

describe('the terms of a launch', () => {
  test('are SOL without rewards for the older creation, regardless of the shares', () => {
    const { terms } = scene({ otherQuoteShare: 1, holderRewardShare: 1 });
    expect(terms.draw('create')).toMatchObject({
      quote: null,
      creatorBps: null,
      isHolderReward: false,
    });
    expect(terms.draw('create_v2').isHolderReward).toBe(true);
  });

  test('contain a quote coin only once one is open, and then a rate for its creator', () => {
    const { market, world, creator, terms } = scene({ otherQuoteShare: 1, holderRewardShare: 0 });
    const coin = planPumpLaunch(world, creator, TEXT);
    expect(terms.routeTo(coin)).toEqual({});
    expect(terms.draw('create_v2').quote).toBeNull();
    launchToken(world, coin, creator);
    market.run(1);
    const { quote, creatorBps } = terms.draw('create_v2');
    expect(quote).toEqual({ kind: 'coin', curve: coin.curve, pool: coin.migratedPool });
    expect([30n, 100n, 200n]).toContain(creatorBps);
  });

  test('route people with SOL through the coin in which another is quoted', () => {
    const { market, world, creator, keeper, terms } = scene({
      otherQuoteShare: 1,
      holderRewardShare: 0,
    });
    const coin = planPumpLaunch(world, creator, TEXT);
    terms.routeTo(coin);
    launchToken(world, coin, creator);
    market.run(1);
    const other = planPumpLaunch(world, creator, TEXT, terms.draw('create_v2'));
    const route = terms.routeTo(other);
    expect(route.keeper).toBe(keeper);
    const { curve } = route.markets ?? {};
    expect(curve).toBeInstanceOf(PathMarket);
    expect((curve as PathMarket).last).toBe(other.curve);
    launchToken(world, other, creator, { ...route, creatorBuyLamports: SOL });
    market.run(1);
    // The purchase is after the creation and passes through both curves.
    const trades = market.blocks
      .flatMap(({ transactions }) => transactions)
      .flatMap(({ facts }) => facts.filter((fact) => fact.kind === 'trade'));
    expect(trades.map(({ pool }) => pool)).toEqual([coin.curve.pool, other.curve.pool]);
  });
});
