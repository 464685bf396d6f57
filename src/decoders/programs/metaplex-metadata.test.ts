import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { concat, flag, key, u8, u64 } from '../../../tests/support/borsh-bytes.ts';
import { metadataSet } from '../../../tests/support/build-facts.ts';
import { address, type InstructionDraft } from '../../../tests/support/build-transaction.ts';
import { type CodamaValue, readCodamaTypes } from '../../../tests/support/codama-types.ts';
import { decodeDraft } from '../../../tests/support/decode-draft.ts';
import {
  createMetadataAccount,
  initializeMint2,
  metadataData,
  optionalKey,
} from '../../../tests/support/mint-instructions.ts';
import { hasTestData } from '../../../tests/support/test-data.ts';
import { METAPLEX_METADATA_PROGRAM, SYSTEM_PROGRAM } from '../../model/program.ts';

const MINT = address('mint');
const METADATA = address('metadata');
const WALLET = address('wallet');
const AUTHORITY = address('authority');
const ARTIST = address('artist');
const NAMES = { name: 'MOO DOG', symbol: 'MOODOG', uri: 'https://example.org/moo.json' };
const CREATORS = [
  { address: WALLET, verified: true, sharePercent: 60 },
  { address: ARTIST, verified: false, sharePercent: 40 },
];
const DRAFT = {
  ...NAMES,
  mint: MINT,
  sellerFeeBps: 500,
  creators: CREATORS,
  updateAuthority: AUTHORITY,
  isMutable: true,
};
/** An event that changes nothing; tests add what the instruction sets. */
const UNCHANGED = metadataSet({ mint: MINT });
const CREATED = {
  ...UNCHANGED,
  ...NAMES,
  sellerFeeBps: 500,
  creators: CREATORS,
  isMutable: true,
  primarySaleHappened: false,
  updateAuthority: AUTHORITY,
};

describe('creating a metadata account', () => {
  const noCollection = u8(0);
  const collection = concat(u8(1), flag(false), key(address('collection')));
  const uses = concat(u8(1), u8(2), u64(3n), u64(4n));

  test.each([
    ['CreateMetadataAccount', 0, [flag(true)]],
    ['CreateMetadataAccountV2', 16, [noCollection, u8(0), flag(true)]],
    ['CreateMetadataAccountV2 with all fields', 16, [collection, uses, flag(true)]],
    ['CreateMetadataAccountV3', 33, [noCollection, u8(0), flag(true), u8(0)]],
    ['CreateMetadataAccountV3 with all fields', 33, [collection, uses, flag(true), u8(1)]],
  ])('is read from %s', (_, tag, tail) => {
    expect(only(createMetadataAccount(DRAFT, tag, tail))).toEqual(CREATED);
  });

  test('shows that there are no creators, and that the metadata cannot be updated', () => {
    const { creators: _, ...draft } = DRAFT;
    const event = only(
      createMetadataAccount({ ...draft, updateAuthority: SYSTEM_PROGRAM, isMutable: false }),
    );
    expect(event).toEqual({ ...CREATED, creators: [], updateAuthority: null, isMutable: false });
  });

  test.each([
    [6, 33, 'Fungible'],
    [6, 16, 'Fungible'],
    // The first version does not set the standard.
    [6, 0, null],
    // Without decimals it may still become an edition.
    [0, 33, null],
  ])('of a mint with %i decimals, by tag %i, has the standard %s', (decimals, tag, standard) => {
    const tail = tag === 0 ? [flag(true)] : [u8(0), u8(0), flag(true), u8(0)];
    const instructions = [
      initializeMint2({ mint: MINT, decimals, mintAuthority: AUTHORITY }),
      createMetadataAccount(DRAFT, tag, tail),
    ];
    expect(decodeDraft({ signers: [WALLET], instructions }, 1)).toMatchObject({
      events: [{ tokenStandard: standard }],
    });
  });
});

describe('updating a metadata account', () => {
  const change = concat(u8(0), optionalKey(ARTIST), u8(0), concat(u8(1), u8(0)));
  const update = instruction([METADATA, AUTHORITY], u8(15), change);

  test('is emitted when the transaction names the mint of that account elsewhere', () => {
    const instructions = [createMetadataAccount(DRAFT), update];
    expect(decodeDraft({ signers: [WALLET], instructions }, 1)).toEqual({
      status: 'event',
      events: [{ ...UNCHANGED, outerIx: 1, updateAuthority: ARTIST, isMutable: false }],
    });
  });

  test('is ignored when nothing names the mint', () => {
    expect(decode(update)).toEqual({ status: 'ignored' });
  });

  test('reads new names in both versions', () => {
    const data = concat(u8(1), metadataData({ ...NAMES, name: 'COW' }));
    const first = instruction([METADATA, AUTHORITY], u8(1), data, u8(0), u8(0));
    const second = instruction(
      [METADATA, AUTHORITY],
      u8(15),
      data,
      u8(0),
      u8(0),
      ...[u8(0), concat(u8(1), u8(1)), u8(0)],
    );
    const events = [first, second].map((draft) =>
      decodeDraft({ signers: [WALLET], instructions: [createMetadataAccount(DRAFT), draft] }, 1),
    );
    const named = { ...NAMES, name: 'COW', sellerFeeBps: 0, creators: [] };
    expect(events).toMatchObject([
      { events: [{ ...named, primarySaleHappened: null }] },
      { events: [{ ...named, primarySaleHappened: true }] },
    ]);
  });
});

describe.skipIf(!hasTestData)('arguments encoded by the published types', () => {
  const encode = hasTestData ? readCodamaTypes('metaplex_token_metadata') : () => new Uint8Array();
  const creators = CREATORS.map(({ address: creator, verified, sharePercent }) => ({
    address: creator,
    verified,
    share: sharePercent,
  }));
  const data = { ...NAMES, sellerFeeBasisPoints: 500, creators };
  const collection = { verified: true, key: address('collection') };
  const uses = { useMethod: 'multiple', remaining: 3, total: 4 };
  const named = { ...NAMES, sellerFeeBps: 500, creators: CREATORS };
  const changed = {
    ...UNCHANGED,
    updateAuthority: ARTIST,
    primarySaleHappened: true,
    isMutable: false,
  };
  const authority = { newUpdateAuthority: ARTIST, primarySaleHappened: true, isMutable: false };
  const toggles = {
    collection: ['set', [collection]],
    collectionDetails: ['set', [['v1', { size: 5 }]]],
    uses: ['set', [uses]],
    ruleSet: ['set', [address('rules')]],
    authorizationData: null,
  };

  test('are read from CreateMetadataAccountV3', () => {
    const args = encode('createMetadataAccountArgsV3', {
      data: { ...data, collection, uses },
      isMutable: true,
      collectionDetails: ['v1', { size: 5 }],
    });
    const accounts = [METADATA, MINT, AUTHORITY, WALLET, AUTHORITY];
    expect(only(instruction(accounts, u8(33), args))).toEqual(CREATED);
  });

  test('are read from UpdateMetadataAccountV2', () => {
    const args = encode('updateMetadataAccountArgsV2', {
      data: { ...data, collection, uses },
      updateAuthority: ARTIST,
      primarySaleHappened: true,
      isMutable: false,
    });
    const update = instruction([METADATA, AUTHORITY], u8(15), args);
    const instructions = [update, createMetadataAccount(DRAFT)];
    expect(decodeDraft({ signers: [WALLET], instructions })).toEqual({
      status: 'event',
      events: [{ ...changed, ...named }],
    });
  });

  test.each([
    ['nonFungible', 'NonFungible'],
    ['fungibleAsset', 'FungibleAsset'],
    ['fungible', 'Fungible'],
    ['nonFungibleEdition', 'NonFungibleEdition'],
    ['programmableNonFungible', 'ProgrammableNonFungible'],
    ['programmableNonFungibleEdition', 'ProgrammableNonFungibleEdition'],
  ])('are read from Create of a %s', (variant, tokenStandard) => {
    const assetData = {
      ...data,
      primarySaleHappened: true,
      isMutable: true,
      tokenStandard: variant,
      collection,
      uses,
      collectionDetails: ['v1', { size: 5 }],
      ruleSet: address('rules'),
    };
    const args = encode('createArgs', ['v1', { assetData, decimals: 6, printSupply: 'zero' }]);
    const accounts = [METADATA, METAPLEX_METADATA_PROGRAM, MINT, WALLET, WALLET, AUTHORITY];
    expect(only(instruction(accounts, u8(42), args))).toEqual({
      ...CREATED,
      primarySaleHappened: true,
      tokenStandard,
    });
  });

  test.each<[string, CodamaValue, object | null]>([
    ['v1', { ...authority, ...toggles, data }, { ...changed, ...named }],
    [
      'asUpdateAuthorityV2',
      { ...authority, ...toggles, data, tokenStandard: 'fungible' },
      { ...changed, ...named, tokenStandard: 'Fungible' },
    ],
    [
      'asUpdateAuthorityV2',
      {
        newUpdateAuthority: null,
        primarySaleHappened: null,
        isMutable: null,
        data: null,
        collection: 'none',
        collectionDetails: 'clear',
        uses: 'none',
        ruleSet: 'clear',
        tokenStandard: null,
        authorizationData: null,
      },
      null,
    ],
    [
      'asAuthorityItemDelegateV2',
      { ...authority, tokenStandard: 'fungibleAsset', authorizationData: null },
      { ...changed, tokenStandard: 'FungibleAsset' },
    ],
    ['asCollectionDelegateV2', toggles, null],
    ['asDataDelegateV2', { data, authorizationData: null }, { ...UNCHANGED, ...named }],
    ['asProgrammableConfigDelegateV2', toggles, null],
    ['asDataItemDelegateV2', { data, authorizationData: null }, { ...UNCHANGED, ...named }],
    ['asCollectionItemDelegateV2', toggles, null],
    ['asProgrammableConfigItemDelegateV2', toggles, null],
  ])('are read from Update %s', (variant, content, event) => {
    const accounts = [
      AUTHORITY,
      METAPLEX_METADATA_PROGRAM,
      METAPLEX_METADATA_PROGRAM,
      MINT,
      METADATA,
    ];
    const draft = instruction(accounts, u8(50), encode('updateArgs', [variant, content]));
    expect(decode(draft)).toEqual(
      event === null ? { status: 'ignored' } : { status: 'event', events: [event] },
    );
  });
});

describe('the metadata program', () => {
  /** Tags of `MetadataInstruction` that are read; the others up to CloseAccounts are known. */
  const READ = [0, 1, 15, 16, 33, 42, 50];

  test('handles every tag', () => {
    const statuses = Array.from(
      { length: 256 },
      (_, tag) => decode(instruction([], u8(tag))).status,
    );
    expect(statuses).toEqual(
      Array.from({ length: 256 }, (_, tag) => {
        if (tag > 57) return 'unknown';
        return READ.includes(tag) ? 'malformed' : 'ignored';
      }),
    );
    expect(decode(instruction([]))).toEqual({ status: 'malformed', reason: 'no data' });
  });

  test('reports later versions of Create and Update as unknown', () => {
    expect(decode(instruction([], u8(42), u8(1)))).toEqual({
      status: 'unknown',
      discriminator: '2a01',
    });
    expect(decode(instruction([], u8(50), u8(9)))).toEqual({
      status: 'unknown',
      discriminator: '3209',
    });
  });

  test('reports arguments truncated anywhere before the end of what it reads', () => {
    const { data = u8(0), ...draft } = createMetadataAccount(DRAFT);
    // The collection details at the end are not read.
    for (let length = 1; length < data.length - 1; length++) {
      expect(decode({ ...draft, data: data.subarray(0, length) }).status).toBe('malformed');
    }
  });

  test('never throws, for any bytes and any number of accounts', () => {
    const anything = fc.tuple(
      fc.constantFrom(...READ, 7, 99),
      fc.uint8Array({ maxLength: 300 }),
      fc.array(fc.constantFrom(METADATA, MINT, WALLET), { maxLength: 6 }),
    );
    fc.assert(
      fc.property(anything, ([tag, rest, accounts]) => {
        const { status } = decode(instruction(accounts, u8(tag), rest));
        expect(['event', 'ignored', 'unknown', 'malformed']).toContain(status);
      }),
    );
  });
});

function instruction(
  accounts: readonly string[],
  ...data: readonly Uint8Array[]
): InstructionDraft {
  return { program: METAPLEX_METADATA_PROGRAM, accounts, data: concat(...data) };
}

function decode(draft: InstructionDraft) {
  return decodeDraft({ signers: [WALLET], instructions: [draft] });
}

/** The one event of an instruction. */
function only(draft: InstructionDraft) {
  const result = decode(draft);
  if (result.status !== 'event') throw new Error(result.status);
  expect(result.events).toHaveLength(1);
  return result.events[0];
}
