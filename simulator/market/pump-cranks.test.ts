import { describe, expect, test } from 'vitest';
import { PeopleMarket, SOL } from '../../tests/support/people-market.ts';
import type { MarketFact } from '../chain/market-fact.ts';
import { endow } from '../people/wallets.ts';
import { Random } from '../random/random.ts';
import { planPumpLaunch } from '../venues/pump-launch.ts';
import { launchToken } from './launch-token.ts';
import { PumpCranks } from './pump-cranks.ts';
import { buySteps } from './trade-steps.ts';

const TEXT = { name: 'Token', symbol: 'TKN', uri: 'https://a.test/' };
const KEPT = { form: 'kept', asksForTokens: false } as const;

/** A launch, a purchase that keeps its fees, and frequent cranks. */
function scene(lamports: bigint) {
  const market = new PeopleMarket('cranks', {});
  const { world } = market;
  const [creator, buyer, wallet] = [0, 1, 2].map(() => world.keyring.wallet());
  if (creator === undefined || buyer === undefined || wallet === undefined)
    throw new Error('no wallets');
  for (const address of [creator, buyer, wallet]) endow(world, address, 500n * SOL);
  const plan = planPumpLaunch(world, creator, TEXT, { migration: 'migrate_v2' });
  launchToken(world, plan, creator);
  market.run(1);
  world.send({
    feePayer: buyer,
    build: (execution) =>
      buySteps(execution, world.tokenAccounts, {
        ...{ market: plan.curve, trader: buyer, amountInRaw: lamports, minOutRaw: 1n },
        style: KEPT,
      }),
  });
  market.run(2);
  const start = () =>
    new PumpCranks(world, {
      ...{ random: new Random('cranks'), wallet, feeSweepEveryMs: 2_000, boostEveryMs: 2_000 },
    }).start();
  return { market, world, plan, wallet, start };
}

function factsOf({ blocks }: PeopleMarket): readonly MarketFact[] {
  return blocks.flatMap(({ transactions }) => transactions.flatMap(({ facts }) => facts));
}

describe('cranks', () => {
  test('pay out all that a curve kept, once, and at their own expense', () => {
    const { market, world, plan, wallet, start } = scene(10n * SOL);
    const kept = factsOf(market).flatMap((fact) =>
      fact.kind === 'trade' ? [fact.keptQuoteRaw] : [],
    );
    expect(kept).toHaveLength(1);
    expect(kept[0]).toBeGreaterThan(0n);
    start();
    market.run(100);
    const swept = factsOf(market).flatMap((fact) => (fact.kind === 'feeSweep' ? [fact] : []));
    const paid = swept.reduce((sum, { amountRaw }) => sum + amountRaw, 0n);
    expect(paid).toBe(kept[0]);
    const state = plan.curve.state(world.chain.ledger);
    expect([state?.protocolFeesRaw, state?.creatorFeesRaw]).toEqual([0n, 0n]);
    expect(world.chain.ledger.get(wallet).lamports).toBeLessThan(500n * SOL);
  });

  test('do nothing if there were no trades', () => {
    const { market, start } = scene(0n);
    start();
    market.run(20);
    expect(factsOf(market).filter(({ kind }) => kind === 'poolBoost')).toEqual([]);
    const paid = factsOf(market).flatMap((fact) =>
      fact.kind === 'feeSweep' && fact.amountRaw > 0n ? [fact] : [],
    );
    expect(paid).toEqual([]);
  });
});
