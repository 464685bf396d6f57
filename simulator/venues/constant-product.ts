/** Integer arithmetic of constant-product pools. Rounding is always against the trader. */

/** The output for `inRaw` after fees: `y - xy / (x + in)`, rounded down. */
export function outputOf(inRaw: bigint, reserveIn: bigint, reserveOut: bigint): bigint {
  return (inRaw * reserveOut) / (reserveIn + inRaw);
}

/** The input, before fees, that yields `outRaw`, which must be less than the reserve. */
export function inputOf(outRaw: bigint, reserveIn: bigint, reserveOut: bigint): bigint {
  return divideUp(outRaw * reserveIn, reserveOut - outRaw);
}

/** Both operands positive. */
export function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}

/** The integer part of the square root (Newton's method). */
export function squareRoot(square: bigint): bigint {
  if (square < 2n) return square;
  let root = 1n << BigInt(Math.ceil(square.toString(2).length / 2));
  for (;;) {
    const next = (root + square / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}
