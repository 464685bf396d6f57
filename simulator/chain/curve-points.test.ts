import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';
import { address, getAddressDecoder, isOffCurveAddress } from '@solana/kit';
import { describe, expect, test } from 'vitest';
import { Random } from '../random/random.ts';
import { CurvePoints } from './curve-points.ts';
import { Keyring } from './keyring.ts';

/** Returns the scalar instead of random bytes, most significant byte first. */
class FixedRandom extends Random {
  private readonly scalar: bigint;

  constructor(scalar: bigint) {
    super('fixed');
    this.scalar = scalar;
  }

  override bytes(count: number): Uint8Array {
    return Buffer.from(this.scalar.toString(16).padStart(2 * count, '0'), 'hex');
  }
}

/** The private scalar of a seed: half of its SHA-512, clamped (RFC 8032 §5.1.5). */
function scalarOf(seed: Uint8Array): bigint {
  const hash = createHash('sha512').update(seed).digest().subarray(0, 32);
  hash[0] = (hash[0] as number) & 0xf8;
  hash[31] = ((hash[31] as number) & 0x7f) | 0x40;
  return BigInt(`0x${Buffer.from(hash).reverse().toString('hex')}`);
}

/** The public key that OpenSSL derives from a seed. */
function publicKeyOf(seed: Uint8Array): Buffer {
  const pkcs8 = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
  const key = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
  return createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32);
}

describe('CurvePoints', () => {
  test('starts with the public key that OpenSSL derives for the same private scalar', () => {
    for (let round = 0; round < 20; round++) {
      const seed = new Random(`seed ${round}`).bytes(32);
      const points = new CurvePoints(new FixedRandom(scalarOf(seed)));
      expect(Buffer.from(points.next()).toString('hex')).toBe(publicKeyOf(seed).toString('hex'));
    }
  });

  test('reaches by counting the key that OpenSSL derives, across the end of a batch', () => {
    const seed = new Random('counted').bytes(32);
    const points = new CurvePoints(new FixedRandom(scalarOf(seed) - 300n));
    for (let skipped = 0; skipped < 300; skipped++) points.next();
    expect(Buffer.from(points.next()).toString('hex')).toBe(publicKeyOf(seed).toString('hex'));
  });

  test('starts with the published multiples of the base point', () => {
    const points = new CurvePoints(new FixedRandom(1n));
    // RFC 8032 §5.1: B has y = 4/5; its encoding is 5866…66.
    expect(Buffer.from(points.next()).toString('hex')).toBe(`58${'66'.repeat(31)}`);
  });
});

describe('Keyring', () => {
  test('generates wallets that are points of the curve and program addresses that are not', () => {
    const keyring = new Keyring(new Random('keyring'));
    const wallets = Array.from({ length: 500 }, () => keyring.wallet());
    expect(wallets.filter((wallet) => isOffCurveAddress(address(wallet)))).toEqual([]);
    expect(new Set(wallets).size).toBe(500);
    const program = keyring.account();
    const derived = Array.from({ length: 20 }, (_, index) =>
      keyring.derived(program, 'vault', Uint8Array.of(index)),
    );
    expect(derived.every((text) => isOffCurveAddress(address(text)))).toBe(true);
  });

  test('generates keys of 32 bytes and signatures of 64', () => {
    const keyring = new Keyring(new Random('sizes'));
    const decoder = getAddressDecoder();
    for (const text of [keyring.wallet(), keyring.account(), keyring.blockhash()]) {
      expect(() => address(text)).not.toThrow();
    }
    expect(decoder.fixedSize).toBe(32);
    expect(keyring.signature().length).toBeGreaterThanOrEqual(86);
  });
});
