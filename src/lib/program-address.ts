import { createHash } from 'node:crypto';

/** The field over which ed25519 is defined, and the curve's constant d in it. */
const P = 2n ** 255n - 19n;
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;

const MARKER = new TextEncoder().encode('ProgramDerivedAddress');
const Y_MASK = 2n ** 255n - 1n;

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
 * root. By Euler's criterion one power of the product of numerator and denominator decides this.
 */
export function isOnCurve(bytes: Uint8Array): boolean {
  let y = 0n;
  for (let index = 31; index >= 0; index--) y = (y << 8n) | BigInt(bytes[index] as number);
  const square = (y & Y_MASK) ** 2n % P;
  const product = ((square - 1n) * (D * square + 1n)) % P;
  return toHalfOrder(product < 0n ? product + P : product) !== P - 1n;
}

/**
 * `base` to the power of (P - 1) / 2 = 16 (2^250 - 1) + 6. All but three bits of it are ones: the
 * usual method multiplies once for each, this one eleven times.
 */
function toHalfOrder(base: bigint): bigint {
  const ones2 = raised(base, 1, base);
  const ones4 = raised(ones2, 2, ones2);
  const ones5 = raised(ones4, 1, base);
  const ones10 = raised(ones5, 5, ones5);
  const ones20 = raised(ones10, 10, ones10);
  const ones40 = raised(ones20, 20, ones20);
  const ones50 = raised(ones40, 10, ones10);
  const ones100 = raised(ones50, 50, ones50);
  const ones200 = raised(ones100, 100, ones100);
  const ones250 = raised(ones200, 50, ones50);
  return raised(ones250, 4, raised(ones2, 1, 1n));
}

/** Squares `base` `squarings` times, then multiplies by `factor`. */
function raised(base: bigint, squarings: number, factor: bigint): bigint {
  let power = base;
  for (let done = 0; done < squarings; done++) power = (power * power) % P;
  return (power * factor) % P;
}
