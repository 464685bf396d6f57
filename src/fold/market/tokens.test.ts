import { describe, expect, test } from 'vitest';
import { metadataSet, mintCreated, supplyChange } from '../../../tests/support/build-facts.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import type { MetadataObserved, MintObserved } from '../../model/account-observation.ts';
import type { AuthorityChange, CreatorChange, Launch } from '../../model/chain-event.ts';
import type { MintExtension, MintExtensionFact } from '../../model/mint-extension.ts';
import { TOKEN_2022_PROGRAM, WRAPPED_SOL } from '../../model/program.ts';
import { type Address, asRawAmount, asSlot } from '../../model/units.ts';
import type { Moment } from './logical-time.ts';
import { presentToken } from './present-token.ts';
import { TokenBook } from './tokens.ts';

const mint = address('token-t');
const [ann, bob] = [address('ann'), address('bob')];

function at(slot: number): Moment {
  return { slot: asSlot(slot), timeMs: slot * 400, isTimeKnown: true };
}

function created(): TokenBook {
  const book = new TokenBook();
  book.applyMintCreated(
    mintCreated(mint, { mintAuthority: ann, freezeAuthority: bob }),
    ann,
    at(1),
  );
  return book;
}

function read(book: TokenBook) {
  const state = book.get(mint);
  if (state === undefined) throw new Error('no such token');
  return presentToken(state, { priceUsd: null, priceChain: null }, asRawAmount(0n));
}

function authority(
  authorityKind: AuthorityChange['authorityKind'],
  newAuthority: Address | null,
): AuthorityChange {
  return { kind: 'authority', outerIx: 0, innerIx: -1, mint, authorityKind, newAuthority };
}

describe('the supply of a token', () => {
  test('is the minted amount less the burned amount', () => {
    const book = created();
    expect(read(book).supplyRaw).toBe(0n);
    book.applySupply(supplyChange('mintTo', mint, 1_000n), at(2));
    book.applySupply(supplyChange('burn', mint, 300n), at(3));
    expect(read(book)).toMatchObject({ supplyRaw: 700n, slot: 3, updatedAtMs: 1_200 });
  });

  test('is unknown and stays so if the creation was not seen', () => {
    const book = new TokenBook();
    book.ensure(mint, 6, at(1));
    book.applySupply(supplyChange('mintTo', mint, 1_000n), at(2));
    expect(read(book).supplyRaw).toBeNull();
  });

  test('becomes unknown by a burn of more than the supply', () => {
    const book = created();
    book.applySupply(supplyChange('mintTo', mint, 10n), at(2));
    book.applySupply(supplyChange('burn', mint, 11n), at(3));
    book.applySupply(supplyChange('mintTo', mint, 5n), at(4));
    expect([read(book).supplyRaw, book.contradictionCount]).toEqual([null, 1]);
  });

  test('starts again when the mint is created again', () => {
    const book = created();
    book.applySupply(supplyChange('mintTo', mint, 10n), at(2));
    book.applyMintCreated(mintCreated(mint, { decimals: 9 }), bob, at(5));
    expect(read(book)).toMatchObject({
      supplyRaw: 0n,
      decimals: 9,
      mintAuthority: null,
      creationSlot: 5,
      creator: ann,
      createdAtMs: 400,
    });
  });
});

describe('the authorities of a token', () => {
  test('are those of the mint until changed or removed', () => {
    const book = created();
    expect(read(book)).toMatchObject({ mintAuthority: ann, freezeAuthority: bob });
    book.applyAuthority(authority('mint', null), at(2));
    book.applyAuthority(authority('freeze', ann), at(2));
    expect(read(book)).toMatchObject({ mintAuthority: null, freezeAuthority: ann });
  });

  test('create no token for an unknown mint', () => {
    const book = new TokenBook();
    book.applyAuthority(authority('mint', ann), at(1));
    book.applySupply(supplyChange('mintTo', mint, 1n), at(1));
    expect(book.size).toBe(0);
  });
});

describe('the recipient of the creator fees of a token', () => {
  const base = { outerIx: 0, innerIx: -1, venue: 'pump' } as const;
  const launch = (feeRecipient?: Address): Launch => ({
    kind: 'launch',
    ...base,
    mint,
    quoteMint: WRAPPED_SOL,
    pool: address('curve'),
    creator: ann,
    tokenProgram: TOKEN_2022_PROGRAM,
    supply: null,
    reserves: null,
    ...(feeRecipient !== undefined && { feeRecipient }),
  });
  const change = (feeRecipient: Address): CreatorChange => ({
    kind: 'creatorChange',
    ...base,
    mint,
    pool: null,
    feeRecipient,
  });

  test('is null until the chain reports one', () => {
    const book = created();
    book.applyLaunch(launch(), at(2));
    expect(read(book)).toMatchObject({ creator: ann, feeRecipient: null });
  });

  test('is set by the launch or the last change, while the creator stays', () => {
    const book = created();
    const rewards = address('rewards');
    book.applyLaunch(launch(rewards), at(2));
    expect(read(book)).toMatchObject({ creator: ann, feeRecipient: rewards, slot: 2 });
    book.applyCreatorChange(change(bob), at(3));
    expect(read(book)).toMatchObject({ creator: ann, feeRecipient: bob, slot: 3 });
    book.takeChanges();
    book.applyCreatorChange(change(bob), at(4));
    expect(book.takeChanges()).toEqual([]);
  });

  test('is stored for a token whose launch was not seen', () => {
    const book = new TokenBook();
    book.applyCreatorChange(change(bob), at(3));
    expect(read(book)).toMatchObject({ creator: null, feeRecipient: bob });
  });
});

describe('the extensions of a token', () => {
  const set = (extension: MintExtensionFact): MintExtension => ({
    kind: 'mintExtension',
    outerIx: 0,
    innerIx: -1,
    mint,
    extension,
  });
  const fee = (kind: 'transferFee' | 'nextTransferFee', feeBps: number) =>
    set({ kind, feeBps, maxFeeRaw: asRawAmount(9n) });

  test('can precede the creation of the mint, and the latest state of each counts', () => {
    const book = new TokenBook();
    book.applyExtension(fee('transferFee', 100), at(1));
    book.applyExtension(set({ kind: 'interestBearing', rateBps: 5 }), at(1));
    book.applyMintCreated(mintCreated(mint), ann, at(1));
    book.applyExtension(set({ kind: 'interestBearing', rateBps: 7 }), at(2));
    book.applyExtension(fee('nextTransferFee', 300), at(3));
    expect(book.get(mint)).toMatchObject({ creationSlot: 1, slot: 3 });
    expect(book.get(mint)?.extensions).toEqual([
      { kind: 'transferFee', feeBps: 100, maxFeeRaw: 9n },
      { kind: 'interestBearing', rateBps: 7 },
      { kind: 'nextTransferFee', feeBps: 300, maxFeeRaw: 9n },
    ]);
  });
});

describe('the metadata of a token', () => {
  test('is null as long as no record sets it', () => {
    expect(read(created())).toMatchObject({ name: null, symbol: null, metadata: null });
  });

  test('keeps fields that an update does not contain', () => {
    const book = created();
    const creators = [{ address: ann, verified: true, sharePercent: 100 }];
    book.applyMetadataSet(
      metadataSet({
        mint,
        name: 'Moo',
        symbol: 'MOO',
        uri: 'ipfs://moo',
        updateAuthority: ann,
        sellerFeeBps: 0,
        creators,
        isMutable: true,
      }),
      at(2),
    );
    book.applyMetadataSet(metadataSet({ mint, name: 'Moo Dog', updateAuthority: null }), at(3));
    expect(read(book)).toMatchObject({
      name: 'Moo Dog',
      symbol: 'MOO',
      metadata: {
        uri: 'ipfs://moo',
        updateAuthority: null,
        sellerFeeBps: 0,
        creators,
        isMutable: true,
        primarySaleHappened: false,
        tokenStandard: null,
      },
    });
    book.applyMetadataSet(
      metadataSet({ mint, isMutable: false, primarySaleHappened: true }),
      at(4),
    );
    expect(read(book).metadata).toMatchObject({ isMutable: false, primarySaleHappened: true });
  });

  test('has a collection, uses and rules until they are removed', () => {
    const book = created();
    const collection = { verified: false, key: bob };
    const uses = { useMethod: 'Single', remaining: 1n, total: 1n } as const;
    const programmableConfig = { ruleSet: bob };
    book.applyMetadataSet(metadataSet({ mint, collection, uses, programmableConfig }), at(2));
    book.applyMetadataSet(metadataSet({ mint, name: 'Moo', uses: null }), at(3));
    expect(read(book).metadata).toMatchObject({ collection, uses: null, programmableConfig });
    book.applyMetadataSet(
      metadataSet({ mint, collection: null, programmableConfig: { ruleSet: null } }),
      at(4),
    );
    expect(read(book).metadata).toMatchObject({
      editionNonce: null,
      collection: null,
      uses: null,
      collectionDetails: null,
      programmableConfig: { ruleSet: null },
    });
  });

  test('comes from the extension of the mint if both standards have it, in either order', () => {
    const metaplex = metadataSet({
      mint,
      name: 'Old',
      symbol: 'OLD',
      updateAuthority: ann,
      sellerFeeBps: 5,
    });
    const extension = metadataSet({
      mint,
      standard: 'token2022',
      name: 'New',
      updateAuthority: bob,
    });
    for (const events of [
      [metaplex, extension],
      [extension, metaplex],
    ]) {
      const book = created();
      for (const event of events) book.applyMetadataSet(event, at(2));
      expect(read(book)).toMatchObject({
        name: 'New',
        symbol: 'OLD',
        metadata: { updateAuthority: bob, sellerFeeBps: 5, isMutable: true },
      });
    }
  });

  test('of an extension is mutable until it has no update authority', () => {
    const book = created();
    book.applyMetadataSet(
      metadataSet({ mint, standard: 'token2022', name: 'A', updateAuthority: ann }),
      at(2),
    );
    expect(read(book).metadata?.isMutable).toBe(true);
    book.applyMetadataSet(
      metadataSet({ mint, standard: 'token2022', updateAuthority: null }),
      at(3),
    );
    expect(read(book).metadata).toMatchObject({ isMutable: false, updateAuthority: null });
  });

  test('is cleaned of padding', () => {
    const book = created();
    book.applyMetadataSet(metadataSet({ mint, name: 'Moo\0\0\0', symbol: ' MOO ' }), at(2));
    expect(read(book)).toMatchObject({ name: 'Moo', symbol: 'MOO' });
  });

  test('creates a token for a mint older than the history', () => {
    const book = new TokenBook();
    book.applyMetadataSet(metadataSet({ mint, name: 'Moo' }), at(7));
    expect(read(book)).toMatchObject({
      name: 'Moo',
      supplyRaw: null,
      creationSlot: null,
      createdAtMs: 2_800,
    });
  });
});

describe('the changes of a token book', () => {
  test('contain each token once, in order of first change', () => {
    const book = created();
    book.ensure(address('other'), 6, at(1));
    book.applySupply(supplyChange('mintTo', mint, 1n), at(1));
    expect(book.takeChanges().map((state) => state.mint)).toEqual([mint, address('other')]);
    expect(book.takeChanges()).toEqual([]);
  });

  test('fill in decimals once they are known', () => {
    const book = new TokenBook();
    book.ensure(mint, null, at(1));
    book.takeChanges();
    book.ensure(mint, 6, at(2));
    expect(book.takeChanges().map(({ decimals }) => decimals)).toEqual([6]);
    book.ensure(mint, 6, at(3));
    expect(book.takeChanges()).toEqual([]);
  });
});

function observed(contextSlot: number, rest: Partial<MintObserved> = {}): MintObserved {
  return {
    kind: 'mintObserved',
    contextSlot: asSlot(contextSlot),
    mint,
    tokenProgram: TOKEN_2022_PROGRAM,
    decimals: 6,
    supplyRaw: asRawAmount(1_000n),
    mintAuthority: ann,
    freezeAuthority: bob,
    extensions: [],
    ...rest,
  };
}

function metadataObserved(
  contextSlot: number,
  rest: Partial<MetadataObserved> = {},
): MetadataObserved {
  const { kind, outerIx, innerIx, ...nothing } = metadataSet({ mint });
  const texts = { name: 'Moo', symbol: 'MOO', uri: 'https://x.y' };
  const base = { kind: 'metadataObserved', contextSlot: asSlot(contextSlot) } as const;
  return { ...nothing, ...base, ...texts, updateAuthority: ann, isMutable: true, ...rest };
}

/** A token first seen in slot 10, by a swap. */
function met(): TokenBook {
  const book = new TokenBook();
  book.ensure(mint, null, at(10));
  return book;
}

describe('a token older than the stored history, whose account was read', () => {
  test('has the values of the account', () => {
    const book = met();
    book.applyMintObserved(observed(12), at(12));
    expect(read(book)).toMatchObject({
      supplyRaw: 1_000n,
      decimals: 6,
      tokenProgram: TOKEN_2022_PROGRAM,
      mintAuthority: ann,
      freezeAuthority: bob,
      creationSlot: null,
      slot: 12,
    });
  });

  test('has the supply that was read plus all changes after that slot', () => {
    const book = met();
    book.applySupply(supplyChange('mintTo', mint, 1n), at(11));
    book.applySupply(supplyChange('mintTo', mint, 20n), at(12));
    book.applySupply(supplyChange('burn', mint, 5n), at(13));
    expect(read(book).supplyRaw).toBeNull();
    // Read at the end of slot 12, so it includes the first two changes.
    book.applyMintObserved(observed(12), at(14));
    expect(read(book).supplyRaw).toBe(995n);
    book.applySupply(supplyChange('burn', mint, 95n), at(15));
    expect(read(book).supplyRaw).toBe(900n);
  });

  test('has no supply if it was read before the token was seen, or after too many changes', () => {
    const early = met();
    early.applyMintObserved(observed(9), at(12));
    expect(read(early)).toMatchObject({ supplyRaw: null, mintAuthority: ann });
    const busy = met();
    for (let slot = 12; slot < 77; slot++) {
      busy.applySupply(supplyChange('mintTo', mint, 1n), at(slot));
    }
    // 65 changes in slots 12 to 76, of which 64 are kept: a read in slot 12 or later is usable.
    busy.applyMintObserved(observed(11), at(78));
    expect(read(busy).supplyRaw).toBeNull();
    busy.applyMintObserved(observed(12), at(79));
    expect(read(busy).supplyRaw).toBe(1_064n);
  });

  test('keeps values from events after that slot, including removed authorities', () => {
    const book = met();
    book.applyAuthority(authority('mint', null), at(13));
    book.applyAuthority(authority('freeze', ann), at(12));
    const pausable = (isPaused: boolean) => ({ kind: 'pausable', isPaused }) as const;
    const base = { kind: 'mintExtension', outerIx: 0, innerIx: -1, mint } as const;
    book.applyExtension({ ...base, extension: pausable(true) }, at(13));
    book.applyMintObserved(
      observed(12, { extensions: [pausable(false), { kind: 'nonTransferable' }] }),
      at(14),
    );
    expect(read(book)).toMatchObject({ mintAuthority: null, freezeAuthority: bob });
    expect(book.get(mint)?.extensions).toEqual([pausable(true), { kind: 'nonTransferable' }]);
  });

  test('has the newer of two readings, in either order, and one supply', () => {
    const newer = observed(14, { supplyRaw: asRawAmount(700n), mintAuthority: bob });
    for (const order of [
      [observed(12), newer],
      [newer, observed(12)],
    ]) {
      const book = met();
      book.applySupply(supplyChange('burn', mint, 300n), at(13));
      for (const event of order) book.applyMintObserved(event, at(15));
      expect(read(book)).toMatchObject({ supplyRaw: 700n, mintAuthority: bob });
    }
  });

  test('has the texts that were read, and keeps texts that were set later', () => {
    const book = met();
    book.applyMetadataSet(metadataSet({ mint, uri: 'https://new' }), at(13));
    book.applyMetadataObserved(metadataObserved(12), at(14));
    expect(read(book)).toMatchObject({
      name: 'Moo',
      symbol: 'MOO',
      metadata: { uri: 'https://new', updateAuthority: ann, isMutable: true },
    });
    book.applyMetadataObserved(metadataObserved(13), at(15));
    expect(read(book).metadata?.uri).toBe('https://x.y');
  });

  test('has the collection and uses that were read, unless they were set or removed later', () => {
    const book = met();
    const uses = { useMethod: 'Burn', remaining: 1n, total: 1n } as const;
    const readCollection = { verified: true, key: ann };
    const collection = { verified: false, key: bob };
    book.applyMetadataSet(metadataSet({ mint, collection, uses: null }), at(13));
    book.applyMetadataObserved(
      metadataObserved(12, {
        editionNonce: 255,
        collection: readCollection,
        uses,
        collectionDetails: { size: 3n },
        programmableConfig: null,
      }),
      at(14),
    );
    expect(read(book).metadata).toMatchObject({
      editionNonce: 255,
      collection,
      uses: null,
      collectionDetails: { size: 3n },
      programmableConfig: null,
    });
  });

  test('has an unknown supply after a burn of more than the supply, until it is read again', () => {
    const book = met();
    book.applyMintObserved(observed(12), at(12));
    book.applySupply(supplyChange('burn', mint, 1_001n), at(13));
    expect([read(book).supplyRaw, book.contradictionCount]).toEqual([null, 1]);
    book.applySupply(supplyChange('burn', mint, 1n), at(15));
    book.applyMintObserved(observed(14, { supplyRaw: asRawAmount(50n) }), at(16));
    expect(read(book).supplyRaw).toBe(49n);
  });
});

describe('a reading of an account', () => {
  test('changes nothing of a token whose creation was seen', () => {
    const book = created();
    const before = read(book);
    book.applyMintObserved(observed(9, { mintAuthority: null }), at(9));
    book.applyMetadataObserved(metadataObserved(9), at(9));
    expect(read(book)).toEqual(before);
  });

  test('creates no token for a mint that is not in the log', () => {
    const book = new TokenBook();
    book.applyMintObserved(observed(9), at(9));
    book.applyMetadataObserved(metadataObserved(9), at(9));
    expect(book.size).toBe(0);
  });
});
