import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { WRAPPED_SOL } from '../../src/model/program.ts';
import { openPool, poolSteps, SUPPLY_RAW, takeStep } from '../../tests/support/pool-walk.ts';
import { recordedTransactions } from '../../tests/support/recorded-by-program.ts';
import {
  expectConserved,
  expectExplained,
  expectLamportsKept,
  expectReserves,
  LAMPORTS,
} from '../../tests/support/simulated-scene.ts';
import { hasTestData } from '../../tests/support/test-data.ts';
import type { TransferFee } from '../chain/ledger.ts';
import { transferFeeOf } from '../programs/token.ts';
import { divideUp, squareRoot } from './constant-product.ts';
import { planRaydiumCpmm } from './raydium-cpmm.ts';
import { CPMM_CONFIG, type CpmmState } from './raydium-cpmm-accounts.ts';
import { inverseTransferFee, tradeForInput } from './raydium-cpmm-math.ts';

const PROGRAM = 'CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C';
const FEE: TransferFee = { feeBps: 300, maxFeeRaw: 10n ** 12n };
const UNCAPPED: TransferFee = { feeBps: 333, maxFeeRaw: 2n ** 64n - 1n };

function openCpmm(transferFee: TransferFee | null = null) {
  return openPool((context, pair) => planRaydiumCpmm(context, pair), transferFee);
}

/** The two reserves without the fees of protocol and fund. */
function tradable({ scene, pool }: ReturnType<typeof openCpmm>) {
  const { baseRaw, quoteRaw } = pool.reserves(scene.ledger);
  const state = scene.ledger.get(pool.pool).state as CpmmState;
  const { baseFeesRaw, quoteFeesRaw, lpRaw } = state;
  return { base: baseRaw - baseFeesRaw, quote: quoteRaw - quoteFeesRaw, baseFeesRaw, lpRaw };
}

describe('a pool of Raydium CPMM', () => {
  test('is created with its first liquidity, as the decoder reads it', () => {
    const { scene, creator, pool, created } = openCpmm();
    expectExplained(created);
    expectLamportsKept(created);
    // √(1e14 × 5e10) = 2,236,067,977,499 and a fraction; a hundred units are never minted.
    expect(scene.held(creator, pool.lpMint)).toBe(2_236_067_977_499n - 100n);
    expectConserved(scene.ledger);
  });

  test('reserves 16 % of a fee of 0.25 % outside of the tradable reserve', () => {
    const open = openCpmm();
    const { scene, creator, pool } = open;
    const amountInRaw = 4n * 10n ** 12n;
    const trade = { trader: creator, side: 'sell', amountInRaw, minOutRaw: 0n } as const;
    const swapped = scene.run({ payer: creator, build: (on) => pool.swap(on, trade) });
    expectExplained(swapped);
    expectReserves(scene, pool, swapped);
    // 0.25 % of 4e12 is 1e10; 12 % and 4 % of that are 1.6e9.
    expect(tradable(open).baseFeesRaw).toBe(1_600_000_000n);
    expect(tradable(open).base).toBe(10n ** 14n + amountInRaw - 1_600_000_000n);
  });

  test.each([
    ['a plain mint', null],
    ['a mint with a transfer fee', FEE],
  ] as const)('pays what it quotes for %s', (_, transferFee) => {
    const { scene, creator, mint, pool } = openCpmm(transferFee);
    for (const side of ['buy', 'sell'] as const) {
      const amountInRaw = side === 'buy' ? 3n * LAMPORTS : 7n * 10n ** 12n;
      const target = side === 'buy' ? mint : WRAPPED_SOL;
      const before = scene.held(creator, target);
      const quoted = pool.quote(scene.ledger, side, amountInRaw);
      const trade = { trader: creator, side, amountInRaw };
      const swapped = scene.run({
        payer: creator,
        build: (on) => pool.swap(on, { ...trade, minOutRaw: quoted }),
      });
      expectExplained(swapped);
      expectReserves(scene, pool, swapped);
      expect(scene.held(creator, target) - before).toBe(quoted);
    }
    expectConserved(scene.ledger);
  });

  test('counts the received amount of a mint with a transfer fee, and withholds the rest', () => {
    const { scene, creator, mint, pool } = openCpmm(FEE);
    // 3 % of 1e14 is 3e12: more than the maximum of 1e12.
    expect(pool.reserves(scene.ledger).baseRaw).toBe(10n ** 14n - 10n ** 12n);
    const sold = { trader: creator, side: 'sell', amountInRaw: 10n ** 12n, minOutRaw: 0n } as const;
    const swapped = scene.run({ payer: creator, build: (on) => pool.swap(on, sold) });
    expect(swapped.transaction.facts).toMatchObject([{ baseRaw: 97n * 10n ** 10n }]);
    expectExplained(swapped);
    expect(scene.held(creator, mint)).toBe(SUPPLY_RAW - 10n ** 14n - 10n ** 12n);
    expectConserved(scene.ledger);
  });

  test.each([
    ['a plain mint', null],
    ['a mint with a transfer fee', FEE],
  ] as const)('delivers an exact amount (%s)', (_, transferFee) => {
    const { scene, creator, mint, pool } = openCpmm(transferFee);
    const amountOutRaw = 5n * 10n ** 12n + 1n;
    const before = scene.held(creator, mint);
    const maxInRaw = pool.quoteExactOut(scene.ledger, 'buy', amountOutRaw) ?? 0n;
    const order = { trader: creator, side: 'buy', amountOutRaw, maxInRaw } as const;
    const swapped = scene.run({ payer: creator, build: (on) => pool.swapExactOut(on, order) });
    expectExplained(swapped);
    expect(scene.held(creator, mint) - before).toBe(amountOutRaw);
    const refused = scene.run({ payer: creator, build: (on) => pool.swapExactOut(on, order) });
    expect(refused.transaction.error).toEqual({ InstructionError: [0, { Custom: 6_005 }] });
  });

  test.each([null, FEE, UNCAPPED])(
    'preserves its invariants over any sequence (transfer fee %o)',
    (fee) => {
      fc.assert(
        fc.property(poolSteps, (steps) => {
          const open = openCpmm(fee);
          for (const step of steps) {
            const before = tradable(open);
            const result = takeStep(open, step);
            expectExplained(result);
            expectReserves(open.scene, open.pool, result);
            expectLamportsKept(result);
            const after = tradable(open);
            // The product of the reserves divided by the square of the LP tokens never decreases.
            const worthBefore = before.base * before.quote * after.lpRaw * after.lpRaw;
            const worthAfter = after.base * after.quote * before.lpRaw * before.lpRaw;
            expect(worthAfter >= worthBefore).toBe(true);
          }
          expectConserved(open.scene.ledger);
        }),
        { numRuns: 12 },
      );
    },
  );

  test('a transfer that includes the inverse fee delivers the exact amount', () => {
    const fees = fc.record({
      feeBps: fc.integer({ min: 0, max: 9_999 }),
      maxFeeRaw: fc.bigInt(0n, 10n ** 15n),
    });
    fc.assert(
      fc.property(fees, fc.bigInt(1n, 10n ** 15n), (fee, arriving) => {
        const sent = arriving + inverseTransferFee(fee, arriving);
        return sent - transferFeeOf(fee, sent) === arriving;
      }),
    );
  });
});

/** Events of a length from a recorded transaction, as 64-bit numbers after pool and tag. */
async function recordedEvents(discriminator: string, bytes: number): Promise<bigint[][]> {
  const lines = (await recordedTransactions(PROGRAM)).flatMap(({ logMessages }) => logMessages);
  const logged = lines.filter((line) => line.startsWith('Program data: '));
  return logged
    .map((line) => Buffer.from(line.slice(14), 'base64'))
    .filter((data) => data.length === bytes && data.toString('hex', 0, 8) === discriminator)
    .map((data) => {
      const numbers: bigint[] = [];
      for (let at = 40; at + 8 <= data.length; at += 8) numbers.push(data.readBigUInt64LE(at));
      return numbers;
    });
}

describe.skipIf(!hasTestData)('against recorded transactions of Raydium CPMM', () => {
  test('the recorded swap paid what the arithmetic gives for the reserves in its event', async () => {
    const events = await recordedEvents('40c6cde8260871e2', 89);
    expect(events).not.toEqual([]);
    const none = { inTransferFee: null, outTransferFee: null };
    for (const [inRaw = 0n, outRaw = 0n, sentRaw = 0n, paidRaw, sentFee = 0n] of events) {
      const trade = tradeForInput(CPMM_CONFIG, { inRaw, outRaw, ...none }, sentRaw);
      expect(trade.paidRaw).toBe(paidRaw);
      expect(sentFee >= 0n).toBe(true);
    }
  });

  test('the recorded first liquidity minted the square root minus a hundred', () => {
    // 28FDVns1…: 20 SOL and 2.1e16 raw tokens gave LP tokens to the creator.
    const squared = 20_000_000_000n * 0x4a9b6384488000n;
    expect(squareRoot(squared) - 100n).toBe(20_493_901_531_819n);
  });

  test('the recorded deposit paid the share of its LP tokens, rounded up', async () => {
    const events = await recordedEvents('79a3cdc939da753c', 97);
    expect(events).not.toEqual([]);
    for (const [lpRaw = 1n, vault0 = 0n, vault1 = 0n, amount0, amount1] of events) {
      // 3YWUfe2p… requested this number of LP tokens.
      const lp = 66_627_862_783n;
      expect(divideUp(lp * vault0, lpRaw)).toBe(amount0);
      expect(divideUp(lp * vault1, lpRaw)).toBe(amount1);
    }
  });
});
