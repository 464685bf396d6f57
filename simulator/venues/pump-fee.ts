import { divideUp } from './constant-product.ts';

const BPS = 10_000n;

/** A share of an amount as both programs charge it: rounded up. */
export function feeOf(amount: bigint, feeBps: bigint): bigint {
  return divideUp(amount * feeBps, BPS);
}

/** A budget minus its own fees, and those fees. */
export interface Budget {
  readonly netRaw: bigint;
  /** By rate, in the given order. */
  readonly feesRaw: readonly bigint[];
}

/**
 * Splits what a buyer spends (pump IDL, `buy_exact_sol_in`, steps 1 to 3): the traded part is
 * rounded down, its fees are rounded up, and any excess of the total is deducted from the traded
 * part. One unit may stay with the buyer.
 */
export function splitBudget(spendableRaw: bigint, ratesBps: readonly bigint[]): Budget {
  const totalBps = ratesBps.reduce((sum, rate) => sum + rate, 0n);
  const net = (spendableRaw * BPS) / (BPS + totalBps);
  const feesRaw = ratesBps.map((rate) => feeOf(net, rate));
  const excess = feesRaw.reduce((sum, fee) => sum + fee, net) - spendableRaw;
  return { netRaw: excess > 0n ? net - excess : net, feesRaw };
}
