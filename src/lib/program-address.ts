import { createHash } from 'node:crypto';

/** The field over which ed25519 is defined, and the curve's constant d in it. */
const P = 2n ** 255n - 19n;
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;

const MARKER = new TextEncoder().encode('ProgramDerivedAddress');
const Y_MASK = 2n ** 255n - 1n;
const WORD_MASK = 2n ** 32n - 1n;

/**
 * The 32 bytes of the address a program derives from these seeds: the hash with the highest bump
 * that is not a point of ed25519, so no private key can sign for it. Null if no bump gives one,
 * which has never been observed.
 */
export function programAddress(
  seeds: readonly Uint8Array[],
  programId: Uint8Array,
): Uint8Array | null {
  for (let bump = 255; bump >= 0; bump--) {
    const hash = createHash('sha256');
    for (const seed of seeds) hash.update(seed);
    const address = hash.update(Uint8Array.of(bump)).update(programId).update(MARKER).digest();
    if (!isOnCurve(address)) return address;
  }
  return null;
}

/** The 32 bytes of the address that `create_with_seed` derives from a base, a text and an owner. */
export function seededAddress(base: Uint8Array, seed: string, owner: Uint8Array): Uint8Array {
  return createHash('sha256').update(base).update(seed).update(owner).digest();
}

/**
 * Whether 32 bytes are the compressed form of a point: whether x² = (y² - 1) / (dy² + 1) has a
 * root. The Legendre symbol of the product of numerator and denominator decides this.
 */
export function isOnCurve(bytes: Uint8Array): boolean {
  let y = 0n;
  for (let index = 31; index >= 0; index--) y = (y << 8n) | BigInt(bytes[index] as number);
  const square = (y & Y_MASK) ** 2n % P;
  const product = ((square - 1n) * (D * square + 1n)) % P;
  return legendreSymbol(product < 0n ? product + P : product) !== -1;
}

/**
 * 1 for a square modulo P, -1 for any other number, 0 for 0, as a Jacobi symbol by quadratic
 * reciprocity: its hundred or so divisions take a quarter of the time of a power by Euler's
 * criterion. `number` must be from 0 to P - 1.
 */
function legendreSymbol(number: bigint): -1 | 0 | 1 {
  let isSquare = true;
  let upper = number;
  let lower = P;
  while (upper !== 0n) {
    const zeros = trailingZeros(upper);
    upper >>= BigInt(zeros);
    // The last three bits say whether 2 is a square, the last two of both what a swap changes.
    const [upperBits, lowerBits] = [Number(upper & 7n), Number(lower & 7n)];
    if (zeros % 2 === 1 && (lowerBits === 3 || lowerBits === 5)) isSquare = !isSquare;
    if (upperBits % 4 === 3 && lowerBits % 4 === 3) isSquare = !isSquare;
    [upper, lower] = [lower % upper, upper];
  }
  if (lower !== 1n) return 0;
  return isSquare ? 1 : -1;
}

/** Zeros at the end of a number above 0. */
function trailingZeros(number: bigint): number {
  let zeros = 0;
  let rest = number;
  let bits = Number(rest & WORD_MASK);
  while (bits === 0) {
    zeros += 32;
    rest >>= 32n;
    bits = Number(rest & WORD_MASK);
  }
  return zeros + 31 - Math.clz32(bits & -bits);
}
