import { describe, expect, test } from 'vitest';
import { metadataSet } from '../../../tests/support/build-facts.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import { applyMetadata } from './token-metadata.ts';
import { TOKEN_STATE } from './token-state.ts';

const collection = { verified: true, key: address('collection') };

describe('the state of a token as text', () => {
  /** As versions wrote it whose metadata ended with the token standard. */
  const before =
    '["token 1",["Mint1111","Ann1111"],[0,null,null,null,6,null,null,null,null,null,2800,2800,7,' +
    'null,[["Moo","MOO","ipfs://moo"],null,1,false,5,[[1,true,100]],false,false,null],[],false,' +
    '[7,[],[]]]]';

  test('of a version without collection and uses is decoded, and encoded unchanged', () => {
    const state = TOKEN_STATE.decode(before);
    expect(state.metadata).toMatchObject({ sellerFeeBps: 5, primarySaleHappened: false });
    expect(state.metadata).not.toHaveProperty('collection');
    expect(TOKEN_STATE.encode(state)).toBe(before);
  });

  test.each([
    { editionNonce: 254 },
    { collection, uses: null },
    { collection: null, programmableConfig: { ruleSet: null } },
    { uses: { useMethod: 'Single', remaining: 1n, total: 2n ** 64n - 1n } as const },
    { collectionDetails: { size: 2n ** 60n } },
    { programmableConfig: { ruleSet: address('rules') } },
  ])('keeps what metadata of any version has: %o', (fields) => {
    const state = TOKEN_STATE.decode(before);
    const metadata = applyMetadata(state.metadata, metadataSet({ mint: state.mint, ...fields }));
    const stored = TOKEN_STATE.decode(TOKEN_STATE.encode({ ...state, metadata }));
    expect(stored.metadata).toStrictEqual({ ...state.metadata, ...fields });
  });
});
