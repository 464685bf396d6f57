import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { WRAPPED_SOL } from '../../src/model/program.ts';
import type { Address } from '../../src/model/units.ts';
import { openPool, poolSteps, takeStep } from '../../tests/support/pool-walk.ts';
import { recordedTransactions } from '../../tests/support/recorded-by-program.ts';
import {
  expectConserved,
  expectExplained,
  expectLamportsKept,
  expectReserves,
  LAMPORTS,
  type Scene,
} from '../../tests/support/simulated-scene.ts';
import { hasTestData } from '../../tests/support/test-data.ts';
import { ensureTokenAccount } from '../programs/associated-token.ts';
import { ammInput, ammOutput, planRaydiumAmmV4, type RaydiumSwapForm } from './raydium-amm-v4.ts';
import { depositOf, withdrawalOf } from './raydium-amm-v4-liquidity.ts';

const PROGRAM = '675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8';

function openAmm(form: RaydiumSwapForm = 'market') {
  return openPool((context, pair) => planRaydiumAmmV4(context, pair, form));
}

describe('a pool of Raydium AMM v4', () => {
  test('is created with its first liquidity, as the decoder reads it', () => {
    const { scene, creator, pool, created } = openAmm();
    expectExplained(created);
    expectLamportsKept(created);
    expect(pool.reserves(scene.ledger)).toEqual({ baseRaw: 10n ** 14n, quoteRaw: 50n * LAMPORTS });
    // √(1e14 × 5e10) = 2,236,067,977,499 and a fraction; one whole token, 1e6, is never minted.
    expect(scene.held(creator, pool.lpMint)).toBe(2_236_067_977_499n - 1_000_000n);
    expectConserved(scene.ledger);
  });

  test.each(['market', 'filled', 'marketless'] as const)(
    'pays what it quotes in both directions (%s)',
    (form) => {
      const { scene, creator, mint, pool } = openAmm(form);
      for (const side of ['buy', 'sell'] as const) {
        const amountInRaw = side === 'buy' ? 3n * LAMPORTS : 7n * 10n ** 12n;
        const target = side === 'buy' ? mint : WRAPPED_SOL;
        const before = scene.held(creator, target);
        const quoted = pool.quote(scene.ledger, side, amountInRaw);
        const swapped = scene.run({
          payer: creator,
          build: (execution) =>
            pool.swap(execution, { trader: creator, side, amountInRaw, minOutRaw: quoted }),
        });
        expectExplained(swapped);
        expectReserves(scene, pool, swapped);
        expect(scene.held(creator, target) - before).toBe(quoted);
      }
      expectConserved(scene.ledger);
    },
  );

  test('takes exactly the quoted amount for an exact output', () => {
    const { scene, creator, mint, pool } = openAmm();
    const before = scene.held(creator, mint);
    const maxInRaw = pool.quoteExactOut(scene.ledger, 'buy', 5n * 10n ** 12n) ?? 0n;
    const order = { trader: creator, side: 'buy', amountOutRaw: 5n * 10n ** 12n } as const;
    const swapped = scene.run({
      payer: creator,
      build: (execution) => pool.swapExactOut(execution, { ...order, maxInRaw }),
    });
    expectExplained(swapped);
    expect(scene.held(creator, mint) - before).toBe(5n * 10n ** 12n);
    const refused = scene.run({
      payer: creator,
      build: (execution) => pool.swapExactOut(execution, { ...order, maxInRaw }),
    });
    expect(refused.transaction.error).toEqual({ InstructionError: [0, { Custom: 30 }] });
  });

  test('fails on chain for slippage, for an insufficient balance and without a token account', () => {
    const { scene, creator, pool } = openAmm();
    const buy = { trader: creator, side: 'buy', amountInRaw: LAMPORTS } as const;
    const quoted = pool.quote(scene.ledger, 'buy', LAMPORTS);
    const errorOf = (build: Parameters<Scene['run']>[0]['build'], payer: Address = creator) =>
      scene.run({ payer, build }).transaction.error;
    const failure = (code: number) => ({ InstructionError: [0, { Custom: code }] });
    expect(errorOf((on) => pool.swap(on, { ...buy, minOutRaw: quoted + 1n }))).toEqual(failure(30));
    const tooMuch = { ...buy, amountInRaw: 10_000n * LAMPORTS, minOutRaw: 0n };
    expect(errorOf((on) => pool.swap(on, tooMuch))).toEqual(failure(1));
    const stranger = scene.wallet(LAMPORTS);
    const without = { ...buy, trader: stranger, minOutRaw: 0n };
    expect(errorOf((on) => pool.swap(on, without), stranger)).toEqual(failure(3_012));
    expectConserved(scene.ledger);
  });

  test('preserves its invariants over any sequence of trades, deposits and withdrawals', () => {
    fc.assert(
      fc.property(poolSteps, (steps) => {
        const open = openAmm();
        const { scene, pool } = open;
        for (const step of steps) {
          const before = pool.reserves(scene.ledger);
          const lpBefore = countedLp(scene, pool.lpMint);
          const result = takeStep(open, step);
          expectExplained(result);
          expectReserves(scene, pool, result);
          expectLamportsKept(result);
          const after = pool.reserves(scene.ledger);
          const lpAfter = countedLp(scene, pool.lpMint);
          // The product of the reserves divided by the square of the LP tokens never decreases.
          const worthBefore = before.baseRaw * before.quoteRaw * lpAfter * lpAfter;
          expect(after.baseRaw * after.quoteRaw * lpBefore * lpBefore >= worthBefore).toBe(true);
        }
        expectConserved(scene.ledger);
      }),
      { numRuns: 15 },
    );
  });

  test('can be traded by others once they have a token account', () => {
    const { scene, mint, pool } = openAmm();
    const trader = scene.wallet(LAMPORTS, 5n * LAMPORTS);
    const swapped = scene.run({
      payer: trader,
      version: 0,
      build: (execution) => {
        ensureTokenAccount(execution, scene.tokenAccounts, trader, trader, mint);
        pool.swap(execution, { trader, side: 'buy', amountInRaw: LAMPORTS, minOutRaw: 0n });
      },
    });
    expectExplained(swapped);
    expect(swapped.transaction.loadedReadonly.length).toBeGreaterThan(0);
  });
});

/** The minted LP tokens, and the whole token the program counts from the start. */
function countedLp(scene: Scene, lpMint: Address): bigint {
  return scene.ledger.mint(lpMint).supplyRaw + 1_000_000n;
}

interface RayLog {
  readonly type: number;
  readonly numbers: readonly bigint[];
}

/** The program's log lines: a tag and 64-bit numbers. */
async function recordedLogs(...types: readonly number[]): Promise<RayLog[]> {
  const transactions = await recordedTransactions(PROGRAM);
  const lines = transactions.flatMap(({ logMessages }) => logMessages);
  const logs = lines.filter((line) => line.startsWith(RAY_LOG)).map(readRayLog);
  return logs.filter(({ type }) => types.includes(type));
}

const RAY_LOG = 'Program log: ray_log: ';

function readRayLog(line: string): RayLog {
  const bytes = Buffer.from(line.slice(RAY_LOG.length), 'base64');
  const numbers: bigint[] = [];
  for (let at = 1; at + 8 <= bytes.length; at += 8) numbers.push(bytes.readBigUInt64LE(at));
  return { type: bytes[0] ?? -1, numbers };
}

describe.skipIf(!hasTestData)('against recorded transactions of Raydium AMM v4', () => {
  test('every recorded swap paid what the arithmetic gives for the logged reserves', async () => {
    const logs = await recordedLogs(3, 4);
    expect(logs.length).toBeGreaterThan(100);
    for (const { type, numbers } of logs) {
      const [given = 0n, wanted = 0n, direction, , coin = 0n, pc = 0n, result] = numbers;
      const [reserveIn, reserveOut] = direction === 1n ? [pc, coin] : [coin, pc];
      const computed =
        type === 3
          ? ammOutput(given, reserveIn, reserveOut)
          : ammInput(wanted, reserveIn, reserveOut);
      expect(computed).toBe(result);
    }
  });

  test('every recorded deposit moved and minted what the arithmetic gives', async () => {
    const logs = await recordedLogs(1);
    expect(logs).not.toEqual([]);
    for (const { numbers } of logs) {
      // Maxima, fixed side, coin, pc and LP before, two 128-bit numbers, what moved.
      const [maxCoin = 0n, maxPc = 0n, fixed, coinRaw = 0n, pcRaw = 0n, lp = 0n] = numbers;
      const most = { coinRaw: maxCoin, pcRaw: maxPc };
      const [coin, pc, minted] = numbers.slice(10);
      expect(depositOf(most, { coinRaw, pcRaw }, lp, fixed === 0n)).toEqual({
        ...{ coinRaw: coin, pcRaw: pc, lpRaw: minted },
      });
    }
  });

  test('every recorded withdrawal paid what the arithmetic gives', async () => {
    const logs = await recordedLogs(2);
    expect(logs).not.toEqual([]);
    for (const { numbers } of logs) {
      // LP burned, LP held, coin, pc and LP before, two 128-bit numbers, what moved.
      const [burned = 0n, , coinRaw = 0n, pcRaw = 0n, lp = 1n] = numbers;
      const [coin, pc] = numbers.slice(9);
      const paid = withdrawalOf({ coinRaw, pcRaw }, lp, burned);
      expect(paid).toEqual({ coinRaw: coin, pcRaw: pc });
    }
  });
});
