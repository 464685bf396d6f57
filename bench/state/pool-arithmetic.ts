/**
 * Constant-product trades on reserves that are whole numbers below 2^53. A quotient is lowered by
 * two units, more than the error of the division, so that a pool never pays too much.
 */

/** What a pool trades with. For a curve both include its virtual part. */
export interface TradingReserves {
  readonly base: number;
  readonly quote: number;
}

const ROUNDING = 2;

/** Output for an input on the other side; 0 if it rounds to nothing. */
export function outputOf(input: number, reserveIn: number, reserveOut: number): number {
  return Math.max(0, Math.floor((input * reserveOut) / (reserveIn + input)) - ROUNDING);
}

/** Input for which a pool pays at most `output`, which must be below its reserve. */
export function inputOf(output: number, reserveIn: number, reserveOut: number): number {
  return Math.ceil((output * reserveIn) / (reserveOut - output)) + ROUNDING;
}

/** Fees on an amount, rounded up. */
export function feeOf(amount: number, feeBps: number): number {
  return Math.ceil((amount * feeBps) / 10_000);
}
