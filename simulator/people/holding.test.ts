import { describe, expect, test } from 'vitest';
import { episodesOf, placed } from '../../tests/support/block-readings.ts';
import { PeopleMarket, SOL } from '../../tests/support/people-market.ts';
import type { BehaviourContext } from './behaviour.ts';
import { BUYER_STRATEGY } from './crowd-member.ts';
import { buyAndHold, type ExitStrategy } from './holding.ts';
import { OrderService } from './order-service.ts';
import { PLAIN_CLIENT } from './trade-order.ts';
import { endow, heldRaw, openWallet, type Person } from './wallets.ts';

const HOUR_MS = 3_600_000;
/** They only sell because of what a test changes. */
const STOIC: ExitStrategy = {
  ...BUYER_STRATEGY,
  holdMedianMs: 10 * HOUR_MS,
  holdSpread: 0,
  takeProfit: [100, 100],
  stopLoss: [0.001, 0.001],
  reactionMs: 1,
  slippage: { median: 0.01, spread: 0 },
  latencyMs: 0,
  halfShare: 0,
};

/** A launched token, a funded person, and another who moves its price. */
function scene(strategy: Partial<ExitStrategy>) {
  const market = new PeopleMarket('holding', {});
  const { world, crowd } = market;
  const label = { automation: 'organic', isSmart: false } as const;
  const [person, mover] = [0, 1].map(() => {
    const one = openWallet(world, 'casual', label, PLAIN_CLIENT);
    endow(world, one.address, 100n * SOL);
    return one;
  }) as [Person, Person];
  const { attention, funding } = crowd;
  const orders = new OrderService(world, attention);
  const context: BehaviourContext = {
    ...{ world, random: market.random, attention, orders, funding },
    crowdWeight: 1n,
  };
  market.planLaunch(100, 0, 0n);
  market.run(2);
  const mint = market.launches[0]?.mint;
  const interest = mint === undefined ? null : crowd.interestIn(mint);
  if (mint === undefined || interest === null) throw new Error('nothing was launched');
  const buys = (buyer: Person, lamports: bigint, chosen: ExitStrategy = STOIC): boolean =>
    buyAndHold(context, { person: buyer, interest, lamports, strategy: chosen, slippage: 0.1 });
  buys(person, SOL, { ...STOIC, ...strategy });
  market.run(2);
  return { market, world, person, mover, mint, interest, buys, orders };
}

describe('holders', () => {
  test('take profit when the price is reached, on all or half', () => {
    for (const [halfShare, left] of [
      [0, 0n],
      [1, 2n],
    ] as const) {
      const { market, world, person, mover, mint, buys } = scene({
        takeProfit: [1.5, 1.5],
        halfShare,
      });
      const bought = heldRaw(world, person, mint);
      buys(mover, 3n * SOL);
      market.run(3);
      // (34 / 31) squared is 1.2: not yet.
      expect(heldRaw(world, person, mint)).toBe(bought);
      buys(mover, 6n * SOL);
      market.run(4);
      expect(heldRaw(world, person, mint)).toBe(left === 0n ? 0n : bought - bought / left);
    }
  });

  test('stop a loss when the price has fallen', () => {
    const { market, world, person, mover, mint, buys, interest } = scene({ stopLoss: [0.9, 0.9] });
    buys(mover, 10n * SOL, { ...STOIC, slippage: { median: 0.5, spread: 0 } });
    market.run(2);
    expect(heldRaw(world, person, mint)).toBeGreaterThan(0n);
    expect(interest.holders.size).toBe(2);
    interest.holders.get(mover.address)?.leave(1);
    market.run(2);
    // Back at the initial price, 6 % below the price after the purchase: not yet.
    expect(heldRaw(world, mover, mint)).toBe(0n);
    expect(heldRaw(world, person, mint)).toBeGreaterThan(0n);
    const loser = scene({ stopLoss: [1.1, 1.1] });
    loser.buys(loser.mover, SOL / 100n);
    loser.market.run(3);
    expect(heldRaw(loser.world, loser.person, loser.mint)).toBe(0n);
  });

  test('sell when their time is over', () => {
    const { market, world, person, mint, interest } = scene({ holdMedianMs: 8_000 });
    market.run(15);
    expect(heldRaw(world, person, mint)).toBeGreaterThan(0n);
    market.run(10);
    expect(heldRaw(world, person, mint)).toBe(0n);
    expect(interest.holders.size).toBe(0);
  });

  test('repeat a failed sale with more slippage', () => {
    const { market, world, person, mover, mint, buys, interest, orders } = scene({});
    buys(mover, 20n * SOL);
    market.run(2);
    const curve = interest.pickMarket(market.random);
    if (curve === null) throw new Error('the curve is open');
    const share = { interest, market: curve, share: 1, slippage: 0.9 };
    orders.sell({ ...share, person: mover, priority: 1_000_000 });
    interest.holders.get(person.address)?.leave(1);
    market.run(20);
    const own = placed(market.blocks).filter(
      ({ transaction }) => transaction.staticKeys[0] === person.address,
    );
    expect(own.map(({ transaction }) => transaction.error !== null)).toEqual([false, true, false]);
    expect(heldRaw(world, person, mint)).toBe(0n);
  });

  test('keep their tokens once interest in the token has ended', () => {
    const { market, world, person, mint, interest } = scene({ holdMedianMs: 8_000 });
    interest.end();
    market.run(40);
    expect(heldRaw(world, person, mint)).toBeGreaterThan(0n);
  });

  test('buy directly after a creation in its block, before any price is visible', () => {
    const market = new PeopleMarket('behind', { sniper: 10 });
    market.planLaunch(100, 0, 0n);
    market.run(1);
    const mints = new Set(market.launches.map(({ mint }) => mint));
    const episodes = episodesOf(market.blocks, market.walletsOf('sniper'), mints);
    const [created] = market.world.truth.launches;
    expect(episodes.length).toBeGreaterThan(0);
    for (const { firstSlot } of episodes) expect(firstSlot).toBe(created?.slot);
  });
});
