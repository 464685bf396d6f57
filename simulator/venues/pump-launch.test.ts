import { describe, expect, it } from 'vitest';
import type { ChainEvent } from '../../src/model/chain-event.ts';
import { WRAPPED_SOL } from '../../src/model/program.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import type { Address } from '../../src/model/units.ts';
import { pumpLife } from '../../tests/support/pump-life.ts';
import { PumpStage, SOL } from '../../tests/support/pump-stage.ts';
import { buySteps } from '../market/trade-steps.ts';
import { ensureTokenAccount, wrapLamports } from '../programs/associated-token.ts';
import { planPumpAmmPool } from './pump-amm-create.ts';
import { type PlannedPumpLaunch, planPumpLaunch } from './pump-launch.ts';
import { PUMP } from './pump-program.ts';

const TEXT = { name: 'Cat in a Box', symbol: 'CATBOX', uri: 'https://example.org/cat.json' };

function eventsOf<Kind extends ChainEvent['kind']>(facts: SlotFacts, kind: Kind) {
  return facts.transactions
    .flatMap(({ events }) => events)
    .filter((event): event is Extract<ChainEvent, { kind: Kind }> => event.kind === kind);
}

describe.each(['create', 'create_v2'] as const)('a pump launch by %s', (version) => {
  const { stage, launch, creator, buyer } = pumpLife(version, TEXT);
  const facts = stage.decode();
  const truths = stage.transactions.flatMap(({ facts }) => facts);

  it('decodes without anything unknown, malformed or quarantined', () => {
    expect(facts.problems).toEqual([]);
    expect(eventsOf(facts, 'swap').map(({ quarantine }) => quarantine)).toEqual(
      Array.from({ length: 7 }, () => null),
    );
  });

  it('is decoded trade for trade as the venues counted it', () => {
    const trades = truths.filter((fact) => fact.kind === 'trade');
    expect(trades).toHaveLength(7);
    expect(
      eventsOf(facts, 'swap').map((swap) => ({
        kind: 'trade',
        venue: swap.venue,
        pool: swap.pool,
        baseMint: swap.baseMint,
        quoteMint: swap.quoteMint,
        trader: swap.trader,
        side: swap.side,
        baseRaw: swap.side === 'buy' ? -swap.poolBaseDelta : swap.poolBaseDelta,
        quoteRaw: swap.side === 'buy' ? swap.poolQuoteDelta : -swap.poolQuoteDelta,
        keptQuoteRaw: swap.keptFees?.quote ?? 0n,
      })),
    ).toEqual(trades);
  });

  it('is decoded in its launch, text, completion, migration and liquidity as the venues report', () => {
    const { mint, curve, migratedPool: pool } = launch;
    expect(eventsOf(facts, 'launch')).toMatchObject([
      { mint, pool: curve.pool, creator, supply: 10n ** 15n, quoteMint: WRAPPED_SOL },
    ]);
    expect(eventsOf(facts, 'metadataSet').some((set) => set.mint === mint)).toBe(true);
    for (const { name, symbol, uri } of eventsOf(facts, 'metadataSet')) {
      if (name !== null) expect({ name, symbol, uri }).toEqual(TEXT);
    }
    expect(eventsOf(facts, 'curveComplete')).toMatchObject([{ mint, pool: curve.pool }]);
    const [migrated] = truths.filter((fact) => fact.kind === 'poolCreated');
    const { baseRaw, quoteRaw } = migrated ?? {};
    expect(eventsOf(facts, 'migrate')).toMatchObject([
      { mint, fromPool: curve.pool, toPool: pool.pool, baseRaw, quoteRaw },
    ]);
    expect(eventsOf(facts, 'poolCreated')).toMatchObject([
      { pool: pool.pool, lpMint: pool.lpMint, baseRaw, quoteRaw },
    ]);
    expect(
      eventsOf(facts, 'liquidity').map((event) => ({
        kind: event.kind,
        pool: event.pool,
        provider: event.provider,
        baseRaw: event.poolBaseDelta,
        quoteRaw: event.poolQuoteDelta,
      })),
    ).toEqual(truths.filter((fact) => fact.kind === 'liquidity'));
  });

  it('leaves in the vaults the reserves that decoders read', () => {
    const last = eventsOf(facts, 'liquidity').at(-1)?.reserves;
    expect({ baseRaw: last?.base, quoteRaw: last?.quote }).toEqual(
      launch.migratedPool.reserves(stage.ledger),
    );
  });

  it('preserves every lamport and every token', () => {
    expect(stage.lamportsInAll()).toBe(300n * SOL + 1n);
    expect(stage.tokensInAll(launch.mint)).toBe(10n ** 15n);
    expect(stage.ledger.mint(launch.mint)).toMatchObject({
      supplyRaw: 10n ** 15n,
      mintAuthority: null,
    });
    expect(stage.ledger.get(buyer).lamports).toBeGreaterThan(0n);
  });

  it('moves all lamports of the curve into the pool except the fee of recorded migrations', () => {
    let gathered = 0n;
    for (const fact of truths) {
      if (fact.kind !== 'trade' || fact.pool !== launch.curve.pool) continue;
      gathered += fact.side === 'buy' ? fact.quoteRaw : -fact.quoteRaw;
    }
    const [created] = truths.filter((fact) => fact.kind === 'poolCreated');
    expect(created?.quoteRaw).toBe(gathered - 15_000_001n);
    // The protocol's part of migration 2ffHb9AX…: three rents and 725,041 lamports. Accounts of
    // pools had 243 bytes then and have 287 since, at 6,960 lamports each.
    expect(stage.ledger.get(PUMP.withdrawAuthority).lamports).toBe(6_877_681n - 44n * 6_960n);
    expect(launch.curve.spotPrice(stage.ledger)).toBe(0);
    expect(launch.isComplete(stage.ledger)).toBe(true);
  });

  it('migrates once: a second call moves and reports nothing', () => {
    const before = launch.migratedPool.reserves(stage.ledger);
    const again = stage.succeed(creator, (execution) => launch.migrate(execution, creator));
    expect(again.facts).toEqual([]);
    expect(launch.migratedPool.reserves(stage.ledger)).toEqual(before);
    expect(stage.decode().problems).toEqual([]);
  });

  it('gives each account the balance of its last occurrence', () => {
    const seen = new Map<string, bigint>();
    for (const transaction of stage.transactions) {
      transaction.staticKeys.forEach((key, index) => {
        const known = seen.get(key);
        if (known !== undefined) expect(transaction.lamportsBefore[index]).toBe(known);
        seen.set(key, transaction.lamportsAfter[index] ?? 0n);
      });
    }
    expect(seen.size).toBeGreaterThan(30);
  });
});

describe('planPumpLaunch', () => {
  function launched(): { stage: PumpStage; launch: PlannedPumpLaunch; trader: Address } {
    const stage = new PumpStage('codes');
    const creator = stage.wallet(10n * SOL);
    const trader = stage.wallet(500n * SOL);
    const launch = planPumpLaunch(stage, creator, TEXT);
    stage.succeed(creator, (execution) => launch.create(execution), launch.createSigners);
    return { stage, launch, trader };
  }

  it('rejects trades and migrations like the program', () => {
    const { stage, launch, trader } = launched();
    const { curve } = launch;
    const trade = (side: 'buy' | 'sell', amountInRaw: bigint, minOutRaw: bigint) => {
      stage.run(trader, (execution) => {
        ensureTokenAccount(execution, stage.tokenAccounts, trader, trader, launch.mint);
        curve.swap(execution, { trader, side, amountInRaw, minOutRaw });
      });
      return stage.failureCode;
    };
    const bought = curve.quote(stage.ledger, 'buy', SOL);
    expect(trade('buy', SOL, bought + 1n)).toBe(6_042);
    expect(trade('buy', 1n, 0n)).toBe(6_020);
    expect(trade('buy', SOL, bought)).toBeNull();
    const paid = curve.quote(stage.ledger, 'sell', bought);
    expect(trade('sell', bought, paid + 1n)).toBe(6_003);
    expect(trade('sell', bought + 1n, 0n)).toBe(6_023);
    expect(trade('sell', 0n, 0n)).toBe(6_022);
    stage.run(trader, (execution) => launch.migrate(execution, trader));
    expect(stage.failureCode).toBe(6_006);
    stage.run(trader, (execution) =>
      curve.buyTokens(execution, { trader, tokensRaw: 10n ** 12n, maxLamports: 1n }),
    );
    expect(stage.failureCode).toBe(6_002);
    expect(trade('buy', 200n * SOL, 0n)).toBeNull();
    expect(curve.isOpen(stage.ledger)).toBe(false);
    expect(trade('buy', SOL, 0n)).toBe(6_005);
  });

  it('fails a buy of more lamports than the balance with the code of the system program', () => {
    const { stage, launch } = launched();
    const trader = stage.wallet(SOL);
    stage.run(trader, (execution) =>
      buySteps(execution, stage.tokenAccounts, {
        market: launch.curve,
        trader,
        amountInRaw: 2n * SOL,
        minOutRaw: 0n,
      }),
    );
    expect(stage.failureCode).toBe(1);
    expect(launch.curve.reserves(stage.ledger).quoteRaw).toBe(0n);
  });

  it('has no quote before the launch and after completion', () => {
    const stage = new PumpStage('quote');
    const launch = planPumpLaunch(stage, stage.wallet(SOL), TEXT);
    expect(launch.curve.quote(stage.ledger, 'buy', SOL)).toBe(0n);
    expect(launch.migratedPool.quote(stage.ledger, 'buy', SOL)).toBe(0n);
    expect(launch.curve.isOpen(stage.ledger)).toBe(false);
    expect(launch.migratedPool.isOpen(stage.ledger)).toBe(false);
  });

  it('fails a trade without a token account with the code of Anchor', () => {
    const { stage, launch } = launched();
    const trader = stage.wallet(SOL);
    stage.run(trader, (execution) =>
      launch.curve.swap(execution, { trader, side: 'sell', amountInRaw: 1n, minOutRaw: 0n }),
    );
    expect(stage.failureCode).toBe(3_012);
  });
});

describe('planPumpAmmPool', () => {
  it('opens a pool with flat fees whose LP tokens decode and can be redeemed', () => {
    const stage = new PumpStage('open pool');
    const creator = stage.wallet(100n * SOL);
    const launch = planPumpLaunch(stage, creator, TEXT);
    stage.succeed(creator, (execution) => launch.create(execution), launch.createSigners);
    stage.succeed(creator, (execution) =>
      buySteps(execution, stage.tokenAccounts, {
        market: launch.curve,
        trader: creator,
        amountInRaw: 10n * SOL,
        minOutRaw: 0n,
      }),
    );
    const planned = planPumpAmmPool(stage, creator, launch.mint);
    stage.succeed(creator, (execution) => {
      wrapLamports(execution, stage.tokenAccounts, creator, 50n * SOL);
      planned.create(execution, creator, 10n ** 14n, 20n * SOL);
    });
    // The root of 1e14 * 2e10, minus the hundred that stay locked.
    const lp = stage.ledger.token(stage.tokenAccounts.of(creator, planned.pool.lpMint));
    expect(lp.amountRaw).toBe(1_414_213_562_373n - 100n);
    expect(planned.pool.fees(stage.ledger)).toEqual({
      lpBps: 25n,
      protocolBps: 5n,
      creatorBps: 0n,
    });
    stage.succeed(creator, (execution) =>
      planned.pool.removeLiquidity(execution, creator, lp.amountRaw),
    );
    const facts = stage.decode();
    expect(facts.problems).toEqual([]);
    expect(eventsOf(facts, 'poolCreated')).toMatchObject([
      { pool: planned.pool.pool, creator, baseRaw: 10n ** 14n, quoteRaw: 20n * SOL },
    ]);
    expect(eventsOf(facts, 'liquidity')).toMatchObject([{ lpDelta: -lp.amountRaw }]);
  });
});
