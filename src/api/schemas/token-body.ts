import { Type } from 'typebox';
import { LINK_PLATFORMS } from '../../model/off-chain.ts';
import { EXAMPLE } from './examples.ts';
import {
  AddressText,
  AlwaysNull,
  DecimalText,
  FRESHNESS_HEADERS,
  MaybeInstant,
  Nullable,
  Word,
} from './wire.ts';

const Token = Type.Object({
  token_address: AddressText,
  creator_address: Nullable(AddressText),
  total_supply: Nullable(
    DecimalText("Supply in whole tokens with the mint's decimals; null before the mint was seen."),
  ),
  name: Nullable(Type.String()),
  symbol: Nullable(Type.String()),
  decimals: Nullable(Type.Integer()),
  mint_authority_address: Nullable(AddressText),
  freeze_authority_address: Nullable(AddressText),
  creation_slot: Nullable(Type.Integer()),
  created_at: MaybeInstant,
  updated_at: MaybeInstant,
});

const Creator = Type.Object({
  address: AddressText,
  verified: Type.Boolean(),
  share: Type.Integer({ description: 'Percent.' }),
});

const UriMetadata = Type.Object(
  {
    name: Nullable(Type.String()),
    symbol: Nullable(Type.String()),
    description: Nullable(Type.String()),
    image: Nullable(
      Type.String({
        description:
          'URL of the picture: https, http, ipfs, ar or data. Null also for a picture that is ' +
          'written out in the document at more than 2,048 characters.',
      }),
    ),
    seen_at: Type.String({
      format: 'date-time',
      description: 'When the document was first seen to say this; of no slot.',
    }),
  },
  {
    description:
      'What the document behind the URI says, as strangers wrote it, less control characters and ' +
      'marks that turn the direction of text. Null before it was read, and while it cannot be.',
  },
);

const Metadata = Type.Object(
  {
    update_authority_address: Nullable(AddressText),
    uri: Nullable(Type.String()),
    uri_metadata: Nullable(UriMetadata),
    creators: Nullable(Type.Array(Creator)),
    primary_sale_happened: Nullable(Type.Boolean()),
    is_mutable: Nullable(Type.Boolean()),
    edition_nonce: AlwaysNull('integer', 'Not read yet.'),
    token_standard: Nullable(Type.String()),
    collection: AlwaysNull('object', 'Not read yet.'),
    uses: AlwaysNull('object', 'Not read yet.'),
    collection_details: AlwaysNull('object', 'Not read yet.'),
    programmable_config: AlwaysNull('object', 'Not read yet.'),
    seller_fee_basis_points: Nullable(Type.Integer({ description: '100 is 1 %.' })),
  },
  { description: 'Always an object; every field is null while the metadata is unknown.' },
);

const Liquidity = Type.Object(
  {
    pair_address: AddressText,
    initial_liquidity_solana_amount: Nullable(DecimalText('SOL; null when it has no SOL value.')),
    initial_liquidity_token_amount: Nullable(
      DecimalText('Whole tokens; of a launch what was minted to its curve, null when unknown.'),
    ),
    initial_liquidity_value_usd: Nullable(DecimalText('US dollars; null when unknown.')),
    initial_liquidity_add_slot_number: Type.Integer(),
    initial_liquidity_add_slot_timestamp: MaybeInstant,
    block_time_at: MaybeInstant,
  },
  { description: 'First real liquidity; null while there is none.' },
);

const SocialLink = Type.Object({
  platform: Word(LINK_PLATFORMS, 'Whose page it is, by its host; website for any other host.'),
  url: Type.String(),
  status_code: Nullable(
    Type.Integer({
      description:
        'HTTP status behind all redirects; null before the first check, and when nobody answers.',
    }),
  ),
  checked_at: Nullable(
    Type.String({ format: 'date-time', description: 'Of the last check; of no slot.' }),
  ),
});

const ImageHash = Type.Object({
  phash_32: Nullable(Type.String({ pattern: '^[0-9a-f]{8}$' })),
  phash_64: Nullable(
    Type.String({
      pattern: '^[0-9a-f]{16}$',
      description: 'As of imagehash.phash; null for a picture that moves or cannot be read.',
    }),
  ),
  created_at: Nullable(
    Type.String({ format: 'date-time', description: 'When the picture was looked at.' }),
  ),
});

const Holder = Type.Object({
  holder_address: AddressText,
  balance: Nullable(DecimalText('Whole tokens.')),
  is_lp: Type.Boolean({ description: 'The holder is a pool, a curve or holds a pool’s vaults.' }),
  created_at: MaybeInstant,
});

const example = {
  token: {
    token_address: EXAMPLE.mint,
    creator_address: EXAMPLE.creator,
    total_supply: '1000000000.000000',
    name: 'Example',
    symbol: 'EXMP',
    decimals: 6,
    mint_authority_address: null,
    freeze_authority_address: null,
    creation_slot: EXAMPLE.slot,
    created_at: EXAMPLE.instant,
    updated_at: EXAMPLE.instant,
  },
  metadata: {
    update_authority_address: EXAMPLE.creator,
    uri: 'https://example.org/token.json',
    uri_metadata: {
      name: 'Example',
      symbol: 'EXMP',
      description: 'An example.',
      image: 'https://example.org/token.png',
      seen_at: EXAMPLE.instant,
    },
    creators: null,
    primary_sale_happened: false,
    is_mutable: false,
    edition_nonce: null,
    token_standard: 'Fungible',
    collection: null,
    uses: null,
    collection_details: null,
    programmable_config: null,
    seller_fee_basis_points: 0,
  },
  liquidity_event: {
    pair_address: EXAMPLE.pool,
    initial_liquidity_solana_amount: '85.000000000',
    initial_liquidity_token_amount: '206900000.000000',
    initial_liquidity_value_usd: '17000.00',
    initial_liquidity_add_slot_number: EXAMPLE.slot,
    initial_liquidity_add_slot_timestamp: EXAMPLE.instant,
    block_time_at: EXAMPLE.instant,
  },
  social_links: [
    {
      platform: 'twitter',
      url: 'https://x.com/example',
      status_code: 200,
      checked_at: EXAMPLE.instant,
    },
  ],
  image_hash: {
    phash_32: '9f2b6d48',
    phash_64: '9f2b6d48c1b3a55e',
    created_at: EXAMPLE.instant,
  },
  holders: [
    {
      holder_address: EXAMPLE.pool,
      balance: '206900000.000000',
      is_lp: true,
      created_at: EXAMPLE.instant,
    },
  ],
};

/** Body of the token endpoint, keys in the order of CONTRACT §2.1. */
export const TokenBody = Type.Object(
  {
    token: Token,
    metadata: Metadata,
    liquidity_event: Nullable(Liquidity),
    social_links: Type.Array(SocialLink, {
      description: 'Pages that the document behind the URI names; empty while none is known.',
    }),
    image_hash: ImageHash,
    holders: Type.Array(Holder, { description: 'The 100 largest owners, largest first.' }),
  },
  { description: 'The token.', headers: FRESHNESS_HEADERS, examples: [example] },
);
