import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  KEPT,
  KEPT_TOKENS,
  OctoberStage,
  octoberLife,
  V2,
} from '../../tests/support/october-life.ts';
import { SOL } from '../../tests/support/pump-stage.ts';
import { bytesOf } from '../chain/keyring.ts';
import type { MarketFact } from '../chain/market-fact.ts';
import { boostBuyAndBurn } from './pump-amm-boost.ts';
import { poolState } from './pump-amm-state.ts';
import { PUMP, PUMP_AMM } from './pump-program.ts';
import type { TradeStyle } from './trade-style.ts';

/** Rent of a curve's 166 bytes: (128 + 166) * 6,960. */
const CURVE_RENT = 2_046_240n;

type Trade = MarketFact & { readonly kind: 'trade' };

/** The change of the quote vault according to a fact. */
function vaultChange(fact: MarketFact): bigint {
  switch (fact.kind) {
    case 'trade':
      return (fact.side === 'buy' ? fact.quoteRaw : -fact.quoteRaw) + fact.keptQuoteRaw;
    case 'feeSweep':
      return -fact.amountRaw;
    case 'poolBoost':
      return fact.poolDeltaRaw;
    case 'poolCreated':
      return fact.quoteRaw;
    default:
      return 0n;
  }
}

function lastTrade(stage: OctoberStage): Trade {
  const facts = stage.transactions.at(-1)?.facts ?? [];
  return facts.find((fact) => fact.kind === 'trade') as Trade;
}

describe('a curve that keeps fees', () => {
  it('holds rent, real quote and kept fees; only the buyback part is paid out', () => {
    const stage = new OctoberStage('kept');
    const { curve } = stage.launch();
    stage.buy(curve, 3n * SOL, KEPT);
    // 3 SOL: 2,962,962,962 trade; 28,148,149 for the protocol, half of it paid immediately for
    // buybacks; 8,888,889 for the creator (transaction 2RoRJxat… had the same split).
    const kept = 28_148_149n - 14_074_074n + 8_888_889n;
    expect(lastTrade(stage)).toMatchObject({ quoteRaw: 2_962_962_962n, keptQuoteRaw: kept });
    const lamports = (address: typeof curve.pool) => stage.ledger.get(address).lamports;
    expect(lamports(curve.pool)).toBe(CURVE_RENT + 2_962_962_962n + kept);
    expect(lamports(PUMP.buybackRecipient)).toBe(14_074_074n);
    expect(lamports(curve.accounts.creatorVault)).toBe(0n);
    const before = curve.virtualReserves(stage.ledger);
    const launch = { curve } as ReturnType<OctoberStage['launch']>;
    stage.sweep(launch, 'curve');
    expect(lamports(curve.pool)).toBe(CURVE_RENT + 2_962_962_962n);
    expect(lamports(curve.accounts.creatorVault)).toBe(8_888_889n);
    expect(curve.virtualReserves(stage.ledger)).toEqual(before);
    stage.sweep(launch, 'curve');
    expect(lamports(curve.pool)).toBe(CURVE_RENT + 2_962_962_962n);
  });

  it('pays sellers and keeps its part of a sale', () => {
    const stage = new OctoberStage('sale');
    const { curve, mint } = stage.launch();
    stage.buy(curve, 3n * SOL, V2);
    const before = stage.ledger.get(curve.pool).lamports;
    stage.sell(curve, stage.held(stage.buyer, mint), KEPT);
    const { quoteRaw, keptQuoteRaw } = lastTrade(stage);
    // All that was bought is sold for one lamport less, and 0.95 and 0.3 per cent are charged on
    // it.
    expect(quoteRaw).toBe(2_962_962_961n);
    const protocol = (quoteRaw * 95n + 9_999n) / 10_000n;
    const creator = (quoteRaw * 30n + 9_999n) / 10_000n;
    expect(keptQuoteRaw).toBe(protocol - protocol / 2n + creator);
    expect(stage.ledger.get(curve.pool).lamports).toBe(before - quoteRaw + keptQuoteRaw);
  });
});

describe('a complete life cycle with the instructions of October 2026', () => {
  const { stage, coin, far } = octoberLife('october');
  const { ledger, tokenAccounts } = stage;

  it('loses no lamport and no token, and burns what it reports', () => {
    const burnt = 10n ** 15n - ledger.mint(coin.mint).supplyRaw;
    const boughtBack = stage.transactions
      .flatMap(({ facts }) => facts)
      .find((fact) => fact.kind === 'trade' && fact.trader === null) as Trade;
    expect(burnt).toBe(boughtBack.baseRaw);
    expect(stage.tokensInAll(coin.mint)).toBe(10n ** 15n - burnt);
    expect(stage.tokensInAll(far.mint)).toBe(10n ** 15n);
    expect(stage.lamportsInAll()).toBe(2_000n * SOL + SOL + 1n);
  });

  it('opens the pool with the reserves after the purchase past the end, minus what is set aside', () => {
    const completing = stage.transactions.find(({ facts }) =>
      facts.some(({ kind }) => kind === 'curveComplete'),
    );
    const created = stage.transactions
      .flatMap(({ facts }) => facts)
      .find((fact) => fact.kind === 'poolCreated' && fact.baseMint === coin.mint);
    expect(completing).toBeDefined();
    // Some of the 206.9e12 reserved tokens were already sold.
    expect(created).toMatchObject({ kind: 'poolCreated' });
    if (created?.kind !== 'poolCreated') return;
    expect(created.baseRaw).toBeLessThan(206_900_000_000_000n);
    expect(created.quoteRaw).toBeGreaterThan(84_990_359_056n);
    const boost = stage.transactions
      .flatMap(({ facts }) => facts)
      .find((fact) => fact.kind === 'poolBoost');
    const setAside = (created.quoteRaw * created.baseRaw) / 10n ** 15n;
    expect(boost).toMatchObject({ poolDeltaRaw: -setAside });
    expect(poolState(ledger, coin.migratedPool.pool)?.boostRaw).toBe(setAside);
  });

  it('holds in every vault what was traded and kept, minus what was swept and set aside', () => {
    const facts = stage.transactions.flatMap(({ facts: reported }) => reported);
    for (const { pool, quoteMint } of [coin.migratedPool, far.curve]) {
      const expected = facts
        .filter((fact) => 'pool' in fact && fact.pool === pool)
        .reduce((sum, fact) => sum + vaultChange(fact), 0n);
      expect(ledger.heldRaw(tokenAccounts.of(pool, quoteMint))).toBe(expected);
    }
  });

  it('rejects liquidity if quote is set aside, and trades until the migration', () => {
    stage.run(stage.buyer, (execution) =>
      coin.migratedPool.addLiquidity(execution, stage.buyer, 1_000_000n, 1_000_000n),
    );
    expect(stage.failureCode).toBe(6_064);
    const other = stage.launch();
    stage.buy(other.curve, 120n * SOL, KEPT);
    expect(other.curve.isOpen(ledger)).toBe(false);
    expect(() => stage.buy(other.curve, SOL, KEPT)).toThrow('has completed');
  });

  it('reports the holders as creator if they are paid, and the wallet as launcher', () => {
    const launch = stage.transactions[0]?.facts[0];
    expect(launch).toMatchObject({ kind: 'launch', creator: stage.creator });
    expect(coin.curve.accounts.creator).toBe(
      stage.keyring.derived(PUMP.program, 'holder-rewards', bytesOf(coin.mint)),
    );
  });
});

interface Step {
  readonly style: TradeStyle;
  readonly isBuy: boolean;
  readonly lamports: bigint;
  readonly perMille: bigint;
  readonly sweeps: boolean;
}

type Launch = ReturnType<OctoberStage['launch']>;

/** One trade in the current market of the coin; after the last trade of the curve it migrates. */
function trade(stage: OctoberStage, launch: Launch, taken: Step): void {
  const { curve, migratedPool: pool, mint } = launch;
  const { style, isBuy, lamports, perMille } = taken;
  const market = curve.isOpen(stage.ledger) ? curve : pool;
  const held = (stage.held(stage.buyer, mint) * perMille) / 1_000n;
  if (isBuy) stage.buy(market, lamports, style);
  else if (held > 1_000_000n) stage.sell(market, held, style);
  if (curve.isOpen(stage.ledger) || pool.isOpen(stage.ledger)) return;
  stage.succeed(stage.creator, (execution) => launch.migrate(execution, stage.creator));
}

function expectWaiting({ ledger }: OctoberStage, { curve }: Launch): void {
  const state = curve.state(ledger);
  if (state === null) throw new Error('the curve is gone');
  const { realQuoteRaw, protocolFeesRaw, creatorFeesRaw } = state;
  const { lamports } = ledger.get(curve.pool);
  expect(lamports).toBe(CURVE_RENT + realQuoteRaw + protocolFeesRaw + creatorFeesRaw);
}

describe('random trades that keep their fees', () => {
  const step = fc.record({
    style: fc.constantFrom(V2, KEPT, KEPT_TOKENS),
    isBuy: fc.boolean(),
    lamports: fc.bigInt(1_000_000n, 30n * SOL),
    perMille: fc.bigInt(1n, 1_000n),
    sweeps: fc.boolean(),
  });

  it('leave rent, real quote and kept fees on the curve, and no unit elsewhere', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 3, maxLength: 12 }), (steps) => {
        const stage = new OctoberStage('random');
        const launch = stage.launch();
        const { mint } = launch;
        for (const taken of steps) {
          trade(stage, launch, taken);
          if (taken.sweeps) stage.sweep(launch, 'curve');
          expectWaiting(stage, launch);
        }
        expect(stage.lamportsInAll()).toBe(2_000n * SOL + SOL + 1n);
        expect(stage.tokensInAll(mint)).toBe(10n ** 15n);
      }),
      { numRuns: 40 },
    );
  });

  it("keep a pool's price unchanged when fees are swept, and raise its product by trades", () => {
    const stage = new OctoberStage('pool');
    const launch = stage.launch();
    const { curve, migratedPool: pool, mint } = launch;
    stage.buy(curve, 120n * SOL, KEPT);
    stage.succeed(stage.creator, (execution) => launch.migrate(execution, stage.creator));
    let product = 0n;
    for (const style of [KEPT, KEPT_TOKENS, KEPT, KEPT_TOKENS]) {
      stage.buy(pool, SOL, style);
      stage.sell(pool, stage.held(stage.buyer, mint) / 100n, style);
      const before = pool.effectiveReserves(stage.ledger);
      expect(before.baseRaw * before.quoteRaw).toBeGreaterThan(product);
      product = before.baseRaw * before.quoteRaw;
      const vault = pool.reserves(stage.ledger).quoteRaw;
      stage.sweep(launch, 'pool');
      expect(pool.effectiveReserves(stage.ledger)).toEqual(before);
      expect(pool.reserves(stage.ledger).quoteRaw).toBeLessThan(vault);
    }
    const price = pool.spotPrice(stage.ledger);
    stage.succeed(PUMP_AMM.boostAuthority, (execution) =>
      boostBuyAndBurn(execution, pool, { quoteRaw: SOL, minBaseRaw: 1n }),
    );
    expect(pool.spotPrice(stage.ledger)).toBeGreaterThan(price);
  });
});
