import { describe, expect, test } from 'vitest';
import { placed, tokenChange } from '../../tests/support/block-readings.ts';
import { PeopleMarket, SOL } from '../../tests/support/people-market.ts';
import { endow } from '../people/wallets.ts';
import { planPumpLaunch } from '../venues/pump-launch.ts';
import { launchToken } from './launch-token.ts';

const TEXT = { name: 'Token', symbol: 'TKN', uri: 'https://a.test/' };

function scene(seed: string) {
  const market = new PeopleMarket(seed, {});
  const creator = market.world.keyring.wallet();
  endow(market.world, creator, 200n * SOL);
  return { market, creator, plan: planPumpLaunch(market.world, creator, TEXT) };
}

describe('launching a token', () => {
  test('registers curve and pool before either is open', () => {
    const { market, creator, plan } = scene('known');
    const token = launchToken(market.world, plan, creator);
    expect(market.world.marketsOf(token.mint)).toEqual([plan.curve, plan.migratedPool]);
    expect(market.world.openMarketOf(token.mint)).toBeNull();
    market.run(1);
    expect(market.world.openMarketOf(token.mint)).toBe(plan.curve);
  });

  test('lets the creator buy in the creation transaction', () => {
    const { market, creator, plan } = scene('buys');
    const { mint } = launchToken(market.world, plan, creator, { creatorBuyLamports: SOL });
    market.run(1);
    const [first] = placed(market.blocks);
    // METHODS 5.3: one SOL net buys 34,612,903 tokens; here 1.25 per cent of fees are deducted
    // first.
    const tokens = first === undefined ? 0n : tokenChange(first.transaction, creator, mint);
    const net = 1e9 / 1.0125;
    expect(Number(tokens)).toBeCloseTo((net * 1.073e15) / (30e9 + net), -9);
  });

  test("is followed by the keeper's migration when the curve is complete", () => {
    const { market, creator, plan } = scene('migrates');
    const keeper = market.world.keyring.wallet();
    endow(market.world, keeper, SOL);
    launchToken(market.world, plan, creator, { creatorBuyLamports: 100n * SOL, keeper });
    market.run(20);
    const facts = placed(market.blocks).flatMap(({ transaction, slot }) =>
      transaction.facts.map((fact) => ({
        kind: fact.kind,
        payer: transaction.staticKeys[0],
        slot,
      })),
    );
    const complete = facts.find(({ kind }) => kind === 'curveComplete');
    const migrate = facts.find(({ kind }) => kind === 'migrate');
    expect(complete?.payer).toBe(creator);
    expect(migrate?.payer).toBe(keeper);
    expect((migrate?.slot ?? 0) - (complete?.slot ?? 0)).toBeGreaterThan(0);
    expect(market.world.openMarketOf(plan.mint)).toBe(plan.migratedPool);
  });

  test('tries the migration a few times and stops if the keeper cannot pay', () => {
    const { market, creator, plan } = scene('poor');
    const keeper = market.world.keyring.wallet();
    launchToken(market.world, plan, creator, { creatorBuyLamports: 100n * SOL, keeper });
    market.run(100);
    expect(plan.isComplete(market.world.chain.ledger)).toBe(true);
    expect(market.world.openMarketOf(plan.mint)).toBeNull();
    expect(market.world.mempool.size).toBe(0);
  });
});
