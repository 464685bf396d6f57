import { generateKeyPairSync } from 'node:crypto';
import { type Address, getProgramDerivedAddress, isOffCurveAddress } from '@solana/kit';
import bs58 from 'bs58';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isOnCurve, programAddress, seededAddress } from './program-address.ts';

const ATA_PROGRAM = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';
const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';

describe('a program address', () => {
  test('is the native mint that Token-2022 derives by "native-mint"', () => {
    const program = bs58.decode('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb');
    const address = programAddress([new TextEncoder().encode('native-mint')], program);
    expect(address && bs58.encode(address)).toBe('9pan9bMn5HatX4EJdBwg9VgCa7Uz5HL8N1m5D3NdXejP');
  });

  test('equals that of @solana/kit for any seeds', async () => {
    const key = fc.uint8Array({ minLength: 32, maxLength: 32 });
    const derivation = fc.asyncProperty(key, key, async (owner, mint) => {
      const seeds = [owner, bs58.decode(TOKEN_PROGRAM), mint];
      const [expected] = await getProgramDerivedAddress({
        programAddress: ATA_PROGRAM as Parameters<
          typeof getProgramDerivedAddress
        >[0]['programAddress'],
        seeds,
      });
      const address = programAddress(seeds, bs58.decode(ATA_PROGRAM));
      expect(address && bs58.encode(address)).toBe(expected);
    });
    await fc.assert(derivation, { numRuns: 60 });
  });
});

describe('a point of the curve', () => {
  test('is every generated public key of ed25519', () => {
    for (let count = 0; count < 200; count++) {
      const { publicKey } = generateKeyPairSync('ed25519');
      const { x = '' } = publicKey.export({ format: 'jwk' });
      expect(isOnCurve(Buffer.from(x, 'base64url'))).toBe(true);
    }
  });

  test('is recognised like in @solana/kit, for any 32 bytes', () => {
    const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 });
    const seen = new Set<boolean>();
    fc.assert(
      fc.property(bytes, (drawn) => {
        const expected = !isOffCurveAddress(bs58.encode(drawn) as Address);
        seen.add(expected);
        expect(isOnCurve(drawn)).toBe(expected);
      }),
      { numRuns: 300 },
    );
    expect([...seen].sort()).toEqual([false, true]);
  });
});

test('the address created with a seed is the one in the tests of solana-sdk', () => {
  const zeros = new Uint8Array(32);
  const address = seededAddress(zeros, 'limber chicken: 4/45', zeros);
  expect(bs58.encode(address)).toBe('9h1HyLCW5dZnBVap8C5egQ9Z6pHyjsh5MNy83iPqqRuq');
});
