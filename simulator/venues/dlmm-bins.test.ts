import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { recordedTransactions } from '../../tests/support/recorded-by-program.ts';
import { hasTestData } from '../../tests/support/test-data.ts';
import {
  type Bin,
  binOfPrice,
  depositInBin,
  priceOfBin,
  swapInBin,
  swapThroughBins,
  withdrawFromBin,
} from './dlmm-bins.ts';

const PROGRAM = 'LBUZKhRxPF3XUpBCjp4YzTKgLccjZhTSDM9YuVaPwxo';
const ONE = 2n ** 64n;
const FEE_RATE = 2_000_000n;
/** Bin steps of real pools. */
const BIN_STEPS = [1, 2, 4, 5, 8, 10, 15, 16, 20, 25, 50, 75, 80, 100, 125, 150, 200, 250];

const binStep = fc.constantFrom(...BIN_STEPS);
const amount = fc.bigInt(1n, 10n ** 15n);

describe('bin prices', () => {
  test('are powers of the step, to eleven digits up to prices of e^±13', () => {
    fc.assert(
      fc.property(binStep, fc.integer({ min: -130_000, max: 130_000 }), (step, points) => {
        const id = Math.trunc(points / step);
        const precise = Decimal.clone({ precision: 60 });
        const exact = new precise(1).plus(new precise(step).div(10_000)).pow(id).mul(`${ONE}`);
        const error = new precise(`${priceOfBin(step, id)}`).div(exact).minus(1).abs();
        return error.lessThan('1e-11');
      }),
    );
  });

  test('are mapped back to their bin', () => {
    for (const id of [-3_000, -70, -1, 0, 1, 69, 2_999]) {
      const price = Number(priceOfBin(20, id)) / 2 ** 64;
      expect(binOfPrice(20, price * 1.0005)).toBe(id);
    }
  });
});

describe('a swap in a bin', () => {
  const bins = fc.record({ xRaw: amount, yRaw: amount, shares: fc.constant(1n) });

  test('takes the fee first, pays at the price and never more than available', () => {
    fc.assert(
      fc.property(bins, amount, fc.boolean(), fc.integer({ min: -900, max: 900 }), (...given) => {
        const [bin, amountInRaw, isXIn, id] = given;
        const price = priceOfBin(20, id);
        const {
          bin: after,
          usedRaw,
          outRaw,
          feeRaw,
        } = swapInBin(...([bin, price, isXIn, amountInRaw, FEE_RATE] as const));
        const netRaw = usedRaw - feeRaw;
        // The output is worth no more than the input: X × price = Y × 2^64.
        const fair = isXIn ? outRaw * ONE <= netRaw * price : outRaw * price <= netRaw * ONE;
        const worthOf = ({ xRaw, yRaw }: Bin) => xRaw * price + yRaw * ONE;
        const covered = feeRaw * 1_000_000_000n >= usedRaw * FEE_RATE - 1_000_000_000n;
        return (
          fair &&
          covered &&
          usedRaw <= amountInRaw &&
          after.xRaw >= 0n &&
          after.yRaw >= 0n &&
          worthOf(after) >= worthOf(bin)
        );
      }),
    );
  });
});

describe('a swap through bins', () => {
  const bins = new Map<number, Bin>([
    [0, { xRaw: 0n, yRaw: 1_000_000n, shares: 1n }],
    [-1, { xRaw: 0n, yRaw: 1_000_000n, shares: 1n }],
    [-2, { xRaw: 0n, yRaw: 0n, shares: 0n }],
    [-3, { xRaw: 0n, yRaw: 1_000_000n, shares: 1n }],
  ]);
  const path = {
    ...{ activeId: 0, feeRate: 0n, protocolShareBps: 0n },
    binAt: (id: number) => bins.get(id) ?? null,
    priceAt: (id: number) => priceOfBin(100, id),
  };

  test('empties a bin before it continues, past empty ones', () => {
    const swap = swapThroughBins(path, true, 2_200_000n);
    // 1e6 at 1; 1e6 at 1/1.01, truncated, for 1,010,001; the remaining 189,999 at 1/1.01³ give
    // 184,411.
    expect(swap?.activeId).toBe(-3);
    expect(swap?.outRaw).toBe(2_184_411n);
    expect(swap?.bins.get(0)).toMatchObject({ yRaw: 0n, xRaw: 1_000_000n });
  });

  test('is refused when the liquidity does not suffice', () => {
    expect(swapThroughBins(path, true, 10_000_000n)).toBeNull();
    expect(swapThroughBins(path, false, 1n)).toBeNull();
  });

  test('gives the protocol its share of each fee', () => {
    const paid = { ...path, feeRate: 10_000_000n, protocolShareBps: 500n };
    const swap = swapThroughBins(paid, true, 500_000n);
    // 1 % of 500,000, and 5 % of that.
    expect(swap).toMatchObject({ feeRaw: 5_000n, protocolFeeRaw: 250n, outRaw: 495_000n });
  });
});

describe('liquidity in a bin', () => {
  test('is worth no more when withdrawn than when deposited', () => {
    const price = priceOfBin(20, -345);
    const sides = fc.record({ xRaw: amount, yRaw: amount });
    fc.assert(
      fc.property(sides, sides, (first, second) => {
        const held = depositInBin(
          { xRaw: 0n, yRaw: 0n, shares: 0n },
          price,
          first.xRaw,
          first.yRaw,
        );
        const added = depositInBin(held.bin, price, second.xRaw, second.yRaw);
        const taken = withdrawFromBin(added.bin, added.shares);
        const worthOf = ({ xRaw, yRaw }: Pick<Bin, 'xRaw' | 'yRaw'>) => xRaw * price + yRaw * ONE;
        return worthOf(taken) <= worthOf(second) && taken.bin.shares === held.bin.shares;
      }),
    );
  });
});

interface RecordedSwap {
  readonly startId: number;
  readonly endId: number;
  readonly inRaw: bigint;
  readonly outRaw: bigint;
  readonly isXIn: boolean;
  readonly feeRaw: bigint;
  readonly feeRate: bigint;
}

async function recordedSwaps(): Promise<RecordedSwap[]> {
  const instructions = (await recordedTransactions(PROGRAM)).flatMap((one) => one.instructions);
  return instructions
    .filter(({ programId }) => programId === PROGRAM)
    .map(({ data }) => Buffer.from(data))
    .filter((data) => data.toString('hex', 0, 16) === 'e445a52e51cb9a1d516ce3becdd00ac4')
    .map((data) => ({
      startId: data.readInt32LE(80),
      endId: data.readInt32LE(84),
      inRaw: data.readBigUInt64LE(88),
      outRaw: data.readBigUInt64LE(96),
      isXIn: data[104] === 1,
      feeRaw: data.readBigUInt64LE(105),
      feeRate: data.readBigUInt64LE(121),
    }));
}

describe.skipIf(!hasTestData)('against recorded swaps of Meteora DLMM', () => {
  test('each swap inside one bin agrees to the unit for exactly one step of the pool', async () => {
    const swaps = (await recordedSwaps()).filter(({ startId, endId }) => startId === endId);
    expect(swaps).not.toEqual([]);
    const deep = { xRaw: 2n ** 100n, yRaw: 2n ** 100n, shares: 1n };
    for (const { startId, inRaw, outRaw, isXIn, feeRaw, feeRate } of swaps) {
      const agreeing = BIN_STEPS.filter((step) => {
        if (Math.abs(startId) * step > 300_000) return false;
        const swap = swapInBin(deep, priceOfBin(step, startId), isXIn, inRaw, feeRate);
        return swap.outRaw === outRaw && swap.feeRaw === feeRaw;
      });
      expect(agreeing).toHaveLength(1);
    }
  });
});
