import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { address } from '../../../tests/support/build-transaction.ts';
import { decodeDraft } from '../../../tests/support/decode-draft.ts';
import { decodeBase58 } from '../../lib/base58.ts';
import { decoderOf, isVenueProgram } from '../registry.ts';
import { ROUTERS } from './routers.ts';

describe.each(ROUTERS)('router $name', (router) => {
  test('has an address of 32 bytes that no other program has, and owns no pools', () => {
    expect(decodeBase58(router.programId)).toHaveLength(32);
    expect(decoderOf(router.programId)).toBe(router);
    expect(isVenueProgram(router.programId)).toBe(false);
  });
});

test('every instruction of a router is counted and yields no event', () => {
  const router = fc.constantFrom(...ROUTERS.map(({ programId }) => programId));
  fc.assert(
    fc.property(router, fc.uint8Array({ maxLength: 64 }), (program, data) => {
      const draft = { signers: [address('wallet')], instructions: [{ program, data }] };
      expect(decodeDraft(draft)).toEqual({ status: 'ignored' });
    }),
  );
});
