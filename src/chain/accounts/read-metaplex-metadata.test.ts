import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { concat, flag, key, text, u8, u16, u32, u64 } from '../../../tests/support/borsh-bytes.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import { METAPLEX_METADATA_PROGRAM, SYSTEM_PROGRAM } from '../../model/program.ts';
import { asSlot } from '../../model/units.ts';
import { readMetaplexMetadata } from './read-metaplex-metadata.ts';

const mint = address('mint');
const [ann, bob] = [address('ann'), address('bob')];
const SLOT = asSlot(77);

/** `Metadata` of mpl-token-metadata up to `is_mutable`. */
function metadataBytes({ authority = ann, ofMint = mint, creators = creator(ann) } = {}) {
  return concat(
    u8(4),
    key(authority),
    key(ofMint),
    text('Moo Deng'.padEnd(32, '\0')),
    text('MOO'.padEnd(10, '\0')),
    text('https://example.org/moo.json'.padEnd(200, '\0')),
    u16(550),
    creators,
    flag(true),
    flag(false),
  );
}

/** The fields after `is_mutable`: nonce, standard, collection, uses, details, configuration. */
const UP_TO_STANDARD = concat(u8(1), u8(255), u8(1), u8(2));
const COLLECTION = concat(u8(1), flag(true), key(bob));
const USES = concat(u8(1), u8(1), u64(3n), u64(4n));
const DETAILS = concat(u8(1), u8(0), u64(2n ** 60n));
const CONFIG = concat(u8(1), u8(0), u8(1), key(ann));
const LATER_FIELDS = concat(UP_TO_STANDARD, COLLECTION, USES, DETAILS, CONFIG);
const USES_AT = UP_TO_STANDARD.length + COLLECTION.length;
const DETAILS_AT = USES_AT + USES.length;
const CONFIG_AT = DETAILS_AT + DETAILS.length;
const NO_LATER_FIELDS = {
  tokenStandard: null,
  editionNonce: null,
  collection: null,
  uses: null,
  collectionDetails: null,
  programmableConfig: null,
};

function creator(of: string): Uint8Array {
  return concat(u8(1), u32(1), key(of), flag(true), u8(100));
}

function read(bytes: Uint8Array, owner = METAPLEX_METADATA_PROGRAM) {
  return readMetaplexMetadata(mint, { owner, bytes }, SLOT);
}

describe('a Metaplex metadata account', () => {
  test('is read with its texts, without their zero padding, and all later fields', () => {
    const bytes = concat(metadataBytes(), LATER_FIELDS, new Uint8Array(300));
    expect(read(bytes)).toEqual({
      status: 'ok',
      metadata: {
        kind: 'metadataObserved',
        contextSlot: 77,
        standard: 'metaplex',
        mint,
        name: 'Moo Deng',
        symbol: 'MOO',
        uri: 'https://example.org/moo.json',
        updateAuthority: ann,
        sellerFeeBps: 550,
        creators: [{ address: ann, verified: true, sharePercent: 100 }],
        isMutable: false,
        primarySaleHappened: true,
        tokenStandard: 'Fungible',
        editionNonce: 255,
        collection: { verified: true, key: bob },
        uses: { useMethod: 'Multiple', remaining: 3n, total: 4n },
        collectionDetails: { size: 2n ** 60n },
        programmableConfig: { ruleSet: ann },
      },
    });
  });

  test('has the fields up to the one that is not valid; collection and uses only together', () => {
    const readings = [
      LATER_FIELDS.subarray(0, 3),
      concat(LATER_FIELDS.subarray(0, USES_AT), u8(2)),
      concat(LATER_FIELDS.subarray(0, DETAILS_AT), u8(1), u8(2), new Uint8Array(50)),
      concat(LATER_FIELDS.subarray(0, CONFIG_AT), u8(1), u8(0), u8(7)),
    ].map((tail) => read(concat(metadataBytes(), tail)));
    const none = { ...NO_LATER_FIELDS, editionNonce: 255 };
    const collection = { verified: true, key: bob };
    const uses = { useMethod: 'Multiple', remaining: 3n, total: 4n };
    const some = { ...none, tokenStandard: 'Fungible', collection, uses };
    expect(readings).toMatchObject([
      { metadata: none },
      { metadata: none },
      { metadata: some },
      { metadata: { ...some, collectionDetails: { size: 2n ** 60n } } },
    ]);
  });

  test('whose later fields lie in the rest of a longer list of creators has only the nonce', () => {
    // After `is_mutable` of the account of Pesky Penguins #8060 on mainnet.
    const tail = Uint8Array.of(1, 255, 149, 248, 123, 137, 230, 77, 203, 8, 124, 145, 63, 132, 220);
    expect(read(concat(metadataBytes(), tail, new Uint8Array(100)))).toMatchObject({
      metadata: { ...NO_LATER_FIELDS, editionNonce: 255 },
    });
  });

  test('of a newly created fungible token has neither collection nor uses', () => {
    const tail = concat(u8(1), u8(254), u8(1), u8(2), new Uint8Array(80));
    expect(read(concat(metadataBytes(), tail))).toMatchObject({
      metadata: { ...NO_LATER_FIELDS, editionNonce: 254, tokenStandard: 'Fungible' },
    });
  });

  test('has a null authority where the key is zeros, and null creators where none are given', () => {
    const reading = read(metadataBytes({ authority: SYSTEM_PROGRAM, creators: u8(0) }));
    expect(reading).toMatchObject({ metadata: { updateAuthority: null, creators: null } });
  });

  test.each([
    ['ends there', new Uint8Array(0)],
    ['is padded with zeros', new Uint8Array(64)],
    ['contains garbage', Uint8Array.of(1, 3, 1, 77, 9, 9)],
  ])('has no token standard where the rest %s', (_, tail) => {
    expect(read(concat(metadataBytes(), tail))).toMatchObject({
      status: 'ok',
      metadata: { tokenStandard: null, name: 'Moo Deng' },
    });
  });

  test.each([
    ['of another program', read(metadataBytes(), SYSTEM_PROGRAM)],
    ['of another mint', read(metadataBytes({ ofMint: bob }))],
    ['with another key byte', read(concat(u8(6), metadataBytes().subarray(1)))],
    ['cut short', read(metadataBytes().subarray(0, -1))],
    [
      'with more creators than allowed',
      read(metadataBytes({ creators: concat(u8(1), u32(2 ** 32 - 1)) })),
    ],
  ])('%s is refused', (_, reading) => {
    expect(reading.status).toBe('refused');
  });

  test('of any bytes is read or refused, and never read beyond its end', () => {
    const anyBytes = fc.tuple(fc.nat(320), fc.uint8Array({ maxLength: 300 }));
    fc.assert(
      fc.property(anyBytes, ([kept, tail]) => {
        const bytes = concat(metadataBytes().subarray(0, kept), tail);
        const reading = read(bytes);
        if (reading.status === 'refused') return;
        const { name, symbol, uri, creators } = reading.metadata;
        expect(`${name}${symbol}${uri}`.length).toBeLessThanOrEqual(bytes.length);
        expect(creators?.length ?? 0).toBeLessThanOrEqual(5);
      }),
      { numRuns: 2_000 },
    );
  });
});
