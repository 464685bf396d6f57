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
import { recordedTransactions } from '../../../tests/support/recorded-by-program.ts';
import { hasTestData } from '../../../tests/support/test-data.ts';
import { METAPLEX_METADATA_PROGRAM, SYSTEM_PROGRAM } from '../../model/program.ts';
import { TransactionView } from '../transaction/transaction-view.ts';
import { metaplexMetadata } from './metaplex-metadata.ts';

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
  collection: null,
  uses: null,
  collectionDetails: null,
  programmableConfig: null,
};

describe('creating a metadata account', () => {
  const collection = concat(u8(1), flag(false), key(address('collection')));
  const uses = concat(u8(1), u8(2), u64(3n), u64(2n ** 64n - 1n));
  const MEMBERSHIP = {
    collection: { verified: false, key: address('collection') },
    uses: { useMethod: 'Single', remaining: 3n, total: 2n ** 64n - 1n },
  };
  const none = u8(0);
  const sized = concat(u8(1), u8(0), u64(7n));
  const unsized = concat(u8(1), u8(1), u64(0n));

  test.each<[string, number, Uint8Array[], object]>([
    ['CreateMetadataAccount', 0, [flag(true)], {}],
    ['CreateMetadataAccountV2', 16, [none, none, flag(true)], {}],
    ['CreateMetadataAccountV2 with all fields', 16, [collection, uses, flag(true)], MEMBERSHIP],
    ['CreateMetadataAccountV3', 33, [none, none, flag(true), none], {}],
    [
      // The program counts the members of a new collection from zero, whatever the size says.
      'CreateMetadataAccountV3 with all fields',
      33,
      [collection, uses, flag(true), sized],
      { ...MEMBERSHIP, collectionDetails: { size: 0n } },
    ],
    [
      'CreateMetadataAccountV3 of a collection that does not count its members',
      33,
      [none, none, flag(true), unsized],
      { collectionDetails: { size: null } },
    ],
  ])('is read from %s', (_, tag, tail, fields) => {
    expect(only(createMetadataAccount(DRAFT, tag, tail))).toEqual({ ...CREATED, ...fields });
  });

  test.each([
    ['an option that is neither absent nor present', [u8(2), none, flag(true), none]],
    ['a use method that does not exist', [none, concat(u8(1), u8(3)), flag(true), none]],
    ['details of a version that does not exist', [none, none, flag(true), concat(u8(1), u8(2))]],
  ])('reports %s as malformed', (_, tail) => {
    const draft = createMetadataAccount(DRAFT, 33, [...tail, new Uint8Array(100)]);
    expect(decode(draft).status).toBe('malformed');
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
      ...[u8(0), u8(0), u8(0), concat(u8(1), u8(1)), u8(0)],
    );
    const events = [first, second].map((draft) =>
      decodeDraft({ signers: [WALLET], instructions: [createMetadataAccount(DRAFT), draft] }, 1),
    );
    const named = {
      ...UNCHANGED,
      outerIx: 1,
      ...NAMES,
      name: 'COW',
      sellerFeeBps: 0,
      creators: [],
    };
    // The second version replaces collection and uses together with the names.
    expect(events).toEqual([
      { status: 'event', events: [named] },
      {
        status: 'event',
        events: [{ ...named, primarySaleHappened: true, collection: null, uses: null }],
      },
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
  const membership = {
    collection,
    uses: { useMethod: 'Multiple', remaining: 3n, total: 4n },
  };
  const programmable = { programmableConfig: { ruleSet: address('rules') } };
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
  const toggled = { ...membership, ...programmable, collectionDetails: { size: 5n } };
  const nothing = {
    newUpdateAuthority: null,
    primarySaleHappened: null,
    isMutable: null,
    data: null,
    collection: 'none',
    collectionDetails: 'none',
    uses: 'none',
    ruleSet: 'none',
    tokenStandard: null,
    authorizationData: null,
  };

  test('are read from CreateMetadataAccountV3', () => {
    const args = encode('createMetadataAccountArgsV3', {
      data: { ...data, collection, uses },
      isMutable: true,
      collectionDetails: ['v1', { size: 5 }],
    });
    const accounts = [METADATA, MINT, AUTHORITY, WALLET, AUTHORITY];
    expect(only(instruction(accounts, u8(33), args))).toEqual({
      ...CREATED,
      ...membership,
      collectionDetails: { size: 0n },
    });
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
      events: [{ ...changed, ...named, ...membership }],
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
      ...membership,
      collectionDetails: { size: 0n },
      // Only the standard with rules has a configuration.
      ...(variant === 'programmableNonFungible' ? programmable : {}),
    });
  });

  test.each<[string, CodamaValue, object | null]>([
    ['v1', { ...authority, ...toggles, data }, { ...changed, ...named, ...toggled }],
    [
      'asUpdateAuthorityV2',
      { ...authority, ...toggles, data, tokenStandard: 'fungible' },
      { ...changed, ...named, ...toggled, tokenStandard: 'Fungible' },
    ],
    [
      'asUpdateAuthorityV2 that does not count members',
      { ...nothing, collectionDetails: ['set', [['v2', { padding: '0000000000000000' }]]] },
      { ...UNCHANGED, collectionDetails: { size: null } },
    ],
    ['asUpdateAuthorityV2 of nothing', nothing, null],
    [
      'asUpdateAuthorityV2 that clears all it can',
      {
        ...nothing,
        collection: 'clear',
        collectionDetails: 'clear',
        uses: 'clear',
        ruleSet: 'clear',
      },
      // The program leaves the details of a collection as they are.
      { ...UNCHANGED, collection: null, uses: null, programmableConfig: null },
    ],
    [
      'asAuthorityItemDelegateV2',
      { ...authority, tokenStandard: 'fungibleAsset', authorizationData: null },
      { ...changed, tokenStandard: 'FungibleAsset' },
    ],
    ['asCollectionDelegateV2', toggles, { ...UNCHANGED, collection }],
    ['asDataDelegateV2', { data, authorizationData: null }, { ...UNCHANGED, ...named }],
    ['asProgrammableConfigDelegateV2', toggles, { ...UNCHANGED, ...programmable }],
    ['asDataItemDelegateV2', { data, authorizationData: null }, { ...UNCHANGED, ...named }],
    ['asCollectionItemDelegateV2', toggles, { ...UNCHANGED, collection }],
    ['asProgrammableConfigItemDelegateV2', toggles, { ...UNCHANGED, ...programmable }],
  ])('are read from Update %s', (title, content, event) => {
    const [variant = ''] = title.split(' ');
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

describe.skipIf(!hasTestData)('recorded launches', () => {
  test('have neither collection, uses nor details, as the last four bytes say', async () => {
    let count = 0;
    for (const transaction of await recordedTransactions(METAPLEX_METADATA_PROGRAM)) {
      const view = new TransactionView(transaction, () => false);
      for (const instruction of transaction.instructions) {
        const { data, programId } = instruction;
        if (programId !== METAPLEX_METADATA_PROGRAM || data[0] !== 33) continue;
        const [collection, uses, isMutable, details] = data.slice(-4);
        expect([collection, uses, details]).toEqual([0, 0, 0]);
        expect(metaplexMetadata.decode(instruction, view)).toMatchObject({
          events: [
            {
              isMutable: isMutable === 1,
              collection: null,
              uses: null,
              collectionDetails: null,
              programmableConfig: null,
            },
          ],
        });
        count++;
      }
    }
    expect(count).toBe(10);
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
    for (let length = 1; length < data.length; length++) {
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
