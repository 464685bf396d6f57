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
    DecimalText(
      'Supply in whole tokens, using the decimals of the mint; null before the mint account was ' +
        'seen.',
    ),
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
  share: Type.Integer({ description: 'Share in percent.' }),
});

const UriMetadata = Type.Object(
  {
    name: Nullable(Type.String()),
    symbol: Nullable(Type.String()),
    description: Nullable(Type.String()),
    image: Nullable(
      Type.String({
        description:
          'URL of the image: https, http, ipfs, ar or data. Also null for an image embedded in ' +
          'the document with more than 2,048 characters.',
      }),
    ),
    seen_at: Type.String({
      format: 'date-time',
      description: 'Time when this content was first observed. Off-chain: independent of slots.',
    }),
  },
  {
    description:
      'Content of the document at the URI. Third-party text; control characters and ' +
      'bidirectional formatting marks are removed. Null until the document was read and while it ' +
      'cannot be read.',
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
    edition_nonce: AlwaysNull('integer', 'Not available in this version.'),
    token_standard: Nullable(Type.String()),
    collection: AlwaysNull('object', 'Not available in this version.'),
    uses: AlwaysNull('object', 'Not available in this version.'),
    collection_details: AlwaysNull('object', 'Not available in this version.'),
    programmable_config: AlwaysNull('object', 'Not available in this version.'),
    seller_fee_basis_points: Nullable(Type.Integer({ description: 'Basis points: 100 is 1 %.' })),
  },
  { description: 'Always an object. All fields are null while the metadata is unknown.' },
);

const Liquidity = Type.Object(
  {
    pair_address: AddressText,
    initial_liquidity_solana_amount: Nullable(
      DecimalText('SOL amount; null if the liquidity cannot be valued in SOL.'),
    ),
    initial_liquidity_token_amount: Nullable(
      DecimalText(
        'Whole tokens. For a launch, the amount minted to the bonding curve; null if unknown.',
      ),
    ),
    initial_liquidity_value_usd: Nullable(DecimalText('Value in US dollars; null if unknown.')),
    initial_liquidity_add_slot_number: Type.Integer(),
    initial_liquidity_add_slot_timestamp: MaybeInstant,
    block_time_at: MaybeInstant,
  },
  { description: 'First real liquidity; null if there is none yet.' },
);

const SocialLink = Type.Object({
  platform: Word(
    LINK_PLATFORMS,
    'Platform of the page, derived from its host; website for any other host.',
  ),
  url: Type.String(),
  status_code: Nullable(
    Type.Integer({
      description:
        'HTTP status after redirects; null before the first check and when the server does not ' +
        'respond.',
    }),
  ),
  checked_at: Nullable(
    Type.String({
      format: 'date-time',
      description: 'Time of the last check. Off-chain: independent of slots.',
    }),
  ),
});

const ImageHash = Type.Object({
  phash_32: Nullable(Type.String({ pattern: '^[0-9a-f]{8}$' })),
  phash_64: Nullable(
    Type.String({
      pattern: '^[0-9a-f]{16}$',
      description:
        '64-bit hash as computed by imagehash.phash; null for an animated or unreadable image.',
    }),
  ),
  created_at: Nullable(
    Type.String({ format: 'date-time', description: 'Time when the image was hashed.' }),
  ),
});

const Holder = Type.Object({
  holder_address: AddressText,
  balance: Nullable(DecimalText('Balance in whole tokens.')),
  is_lp: Type.Boolean({
    description: 'Whether the holder is a pool, a bonding curve, or the owner of pool vaults.',
  }),
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
      description: 'Pages named by the document at the metadata URI; empty if none are known.',
    }),
    image_hash: ImageHash,
    holders: Type.Array(Holder, { description: 'The 100 largest owners, largest first.' }),
  },
  { description: 'Token data.', headers: FRESHNESS_HEADERS, examples: [example] },
);
