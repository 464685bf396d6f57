import { decodeBase58 } from '../../src/lib/base58.ts';

/** The field prime 2^255 - 19 and the curve constant d (RFC 8032, section 5.1). */
const P = 2n ** 255n - 19n;
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;

/**
 * Whether an address is a point of the curve, so that it can have a private key. Addresses of
 * programs' own accounts are not. A point with this y exists when (y² - 1) / (d·y² + 1) is a
 * square; the quotient is a square when the product of both is (Euler's criterion).
 */
export function isOnCurve(address: string): boolean {
  const bytes = decodeBase58(address);
  if (bytes === null || bytes.length !== 32) throw new Error(`not an address: ${address}`);
  const bigEndian = Buffer.from(bytes).reverse().toString('hex');
  const y = BigInt(`0x${bigEndian}`) & (2n ** 255n - 1n);
  const square = (y * y) % P;
  const product = (((square - 1n + P) % P) * ((D * square + 1n) % P)) % P;
  return product === 0n || power(product, (P - 1n) / 2n) === 1n;
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let factor = base % P;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * factor) % P;
    factor = (factor * factor) % P;
  }
  return result;
}
