import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { WRAPPED_SOL } from '../../src/model/program.ts';
import { openPool, poolSteps, takeStep } from '../../tests/support/pool-walk.ts';
import {
  expectConserved,
  expectExplained,
  expectLamportsKept,
  expectReserves,
  LAMPORTS,
  type Scene,
} from '../../tests/support/simulated-scene.ts';
import { type MeteoraDlmmPool, planMeteoraDlmm } from './meteora-dlmm.ts';
import type { BinArrayState, PairState, PositionState } from './meteora-dlmm-accounts.ts';

function openDlmm() {
  return openPool((context, pair) => planMeteoraDlmm(context, pair));
}

/** The sum of bins and unclaimed fees, read from the accounts. */
function accounted({ ledger }: Scene, pool: MeteoraDlmmPool) {
  const { feesXRaw, feesYRaw } = ledger.get(pool.pool).state as PairState;
  let [baseRaw, quoteRaw] = [feesXRaw, feesYRaw];
  for (const [, { state }] of ledger.entries()) {
    for (const { xRaw, yRaw } of binsOf(state)) {
      baseRaw += xRaw;
      quoteRaw += yRaw;
    }
  }
  return { baseRaw, quoteRaw };
}

/** Bins of every pool: the first market has one too, which is not traded here. */
function binsOf(state: object | null): BinArrayState['bins'] {
  return state !== null && 'bins' in state ? (state as BinArrayState).bins : [];
}

describe('a pool of Meteora DLMM', () => {
  test('is opened empty and filled around its price, as the decoder reads it', () => {
    const { scene, pool, created } = openDlmm();
    expectExplained(created);
    expectLamportsKept(created);
    expect(created.transaction.facts.map(({ kind }) => kind)).toEqual(['poolCreated', 'liquidity']);
    // 5e10 lamports for 1e14 tokens, to the bin below.
    expect(pool.spotPrice(scene.ledger)).toBeLessThanOrEqual(0.0005);
    expect(pool.spotPrice(scene.ledger)).toBeGreaterThan(0.0005 / 1.002);
    expectConserved(scene.ledger);
  });

  test('pays what it quotes, within a bin and through many', () => {
    const { scene, creator, mint, pool } = openDlmm();
    for (const amountInRaw of [1_000n, LAMPORTS, 20n * LAMPORTS]) {
      const before = scene.held(creator, mint);
      const quoted = pool.quote(scene.ledger, 'buy', amountInRaw);
      const trade = { trader: creator, side: 'buy', amountInRaw, minOutRaw: quoted } as const;
      const swapped = scene.run({ payer: creator, build: (on) => pool.swap(on, trade) });
      expectExplained(swapped);
      expectReserves(scene, pool, swapped);
      expect(scene.held(creator, mint) - before).toBe(quoted);
    }
    const quoted = pool.quote(scene.ledger, 'sell', 10n ** 13n);
    const before = scene.held(creator, WRAPPED_SOL);
    const trade = { trader: creator, side: 'sell', amountInRaw: 10n ** 13n } as const;
    const sold = scene.run({
      payer: creator,
      build: (on) => pool.swap(on, { ...trade, minOutRaw: quoted }),
    });
    expectExplained(sold);
    expect(scene.held(creator, WRAPPED_SOL) - before).toBe(quoted);
  });

  test('reports its fee, which the decoder reads for purchases', () => {
    const { scene, creator, pool } = openDlmm();
    const trade = { trader: creator, side: 'buy', amountInRaw: LAMPORTS, minOutRaw: 0n } as const;
    const { events } = scene.run({ payer: creator, build: (on) => pool.swap(on, trade) });
    // 20 × 10,000 × 10 parts of 1e9: 0.2 %; each bin rounds up.
    const fee = events.find((event) => event.kind === 'swap')?.feeQuoteRaw ?? 0n;
    expect(fee >= 2_000_000n && fee <= 2_000_069n).toBe(true);
  });

  test('fails on chain without enough liquidity or with too much slippage', () => {
    const { scene, creator, pool } = openDlmm();
    const errorOf = (amountInRaw: bigint, minOutRaw: bigint) => {
      const trade = { trader: creator, side: 'buy', amountInRaw, minOutRaw } as const;
      return scene.run({ payer: creator, build: (on) => pool.swap(on, trade) }).transaction.error;
    };
    const failure = (code: number) => ({ InstructionError: [0, { Custom: code }] });
    expect(pool.quote(scene.ledger, 'buy', 150n * LAMPORTS)).toBe(0n);
    expect(errorOf(150n * LAMPORTS, 0n)).toEqual(failure(6_012));
    expect(errorOf(LAMPORTS, 10n ** 14n)).toEqual(failure(6_003));
    expectConserved(scene.ledger);
  });

  test('accepts liquidity on one side, and returns both', () => {
    const { scene, creator, pool } = openDlmm();
    const added = scene.run({
      payer: creator,
      build: (on) => pool.addLiquidity(on, creator, 10n ** 13n, 0n),
    });
    expectExplained(added);
    expect(added.transaction.facts).toMatchObject([{ kind: 'liquidity', quoteRaw: 0n }]);
    const removed = scene.run({
      payer: creator,
      build: (on) => pool.removeLiquidity(on, creator, 10_000n),
    });
    expectExplained(removed);
    expect(pool.reserves(scene.ledger)).toEqual({ baseRaw: 0n, quoteRaw: 0n });
    const again = scene.run({
      payer: creator,
      build: (on) => pool.removeLiquidity(on, creator, 10_000n),
    });
    expect(again.transaction.error).toEqual({ InstructionError: [0, { Custom: 6_007 }] });
  });

  test('preserves its invariants over any sequence of trades, deposits and withdrawals', () => {
    fc.assert(
      fc.property(poolSteps, (steps) => {
        const open = openDlmm();
        const { scene, pool } = open;
        const elsewhere = accounted(scene, pool);
        const start = pool.reserves(scene.ledger);
        for (const step of steps) {
          const result = takeStep(open, step);
          if (result.transaction.error === null) expectExplained(result);
          expectReserves(scene, pool, result);
          expectLamportsKept(result);
          const now = accounted(scene, pool);
          const { baseRaw, quoteRaw } = pool.reserves(scene.ledger);
          expect(baseRaw - start.baseRaw).toBe(now.baseRaw - elsewhere.baseRaw);
          expect(quoteRaw - start.quoteRaw).toBe(now.quoteRaw - elsewhere.quoteRaw);
        }
        expectSharesOwned(scene);
        expectConserved(scene.ledger);
      }),
      { numRuns: 15 },
    );
  });
});

/** Positions own all shares that bins have issued. */
function expectSharesOwned({ ledger }: Scene): void {
  let [given, owned] = [0n, 0n];
  for (const [, { state }] of ledger.entries()) {
    for (const { shares } of binsOf(state)) given += shares;
    if (state !== null && 'lowerBinId' in state) {
      for (const shares of (state as PositionState).shares) owned += shares;
    }
  }
  expect(owned).toBe(given);
}
