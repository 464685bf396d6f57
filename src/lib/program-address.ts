import { createHash } from 'node:crypto';

/** The field ed25519 is defined over, and the curve's constant d in it. */
const P = 2n ** 255n - 19n;
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;

const MARKER = new TextEncoder().encode('ProgramDerivedAddress');
const Y_MASK = 2n ** 255n - 1n;
const EULER = (P - 1n) / 2n;

/**
 * The 32 bytes of the address a program owns by these seeds: the hash with the greatest bump that is
 * no point of ed25519, so that no private key signs for it. Null when no bump gives one, which has
 * never been seen.
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

/**
 * Whether 32 bytes are the compressed form of a point: whether x² = (y² - 1) / (dy² + 1) has a root.
 * By Euler's criterion that is told by one power of the product of the fraction's two parts.
 */
export function isOnCurve(bytes: Uint8Array): boolean {
  let y = 0n;
  for (let index = 31; index >= 0; index--) y = (y << 8n) | BigInt(bytes[index] as number);
  const square = (y & Y_MASK) ** 2n % P;
  const product = ((square - 1n) * (D * square + 1n)) % P;
  return power(product < 0n ? product + P : product, EULER) !== P - 1n;
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let factor = base;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = (result * factor) % P;
    factor = (factor * factor) % P;
  }
  return result;
}
