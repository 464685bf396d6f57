import { getProgramDerivedAddress, address as kitAddress } from '@solana/kit';
import { describe, expect, test } from 'vitest';
import { address } from '../../../tests/support/build-transaction.ts';
import { named } from '../../../tests/support/made-up-units.ts';
import { decodeBase58 } from '../../lib/base58.ts';
import { METAPLEX_METADATA_PROGRAM, USDC } from '../../model/program.ts';
import { metadataAddress } from './metadata-address.ts';

describe('the address of a mint’s metadata', () => {
  test.each([USDC, address('mint')])('is what @solana/kit derives for %s', async (mint) => {
    const programId = decodeBase58(METAPLEX_METADATA_PROGRAM) ?? new Uint8Array();
    const [expected] = await getProgramDerivedAddress({
      programAddress: kitAddress(METAPLEX_METADATA_PROGRAM),
      seeds: ['metadata', programId, decodeBase58(mint) ?? new Uint8Array()],
    });
    expect(metadataAddress(mint)).toBe(expected);
  });

  test('is null for a mint that is not an address', () => {
    expect(metadataAddress(named('0OIl'))).toBeNull();
    expect(metadataAddress(named('abc'))).toBeNull();
  });
});
