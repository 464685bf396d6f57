import { Type } from 'typebox';
import type { HolderBalance } from '../../model/derived.ts';
import {
  LINK_PLATFORMS,
  type OffchainFacts,
  type TokenDocument,
  type TokenLink,
} from '../../model/off-chain.ts';
import type { LiquidityEvent, TokenMetadata, TokenRecord } from '../../model/token-record.ts';
import { EXAMPLE } from '../schemas/examples.ts';
import { FRESHNESS_HEADERS } from '../schemas/wire.ts';
import { CollectionSize, TokenCollection, TokenUses, TransferRules } from './metaplex-fields.ts';
import { pictureUrl, pictureUrlKind } from './picture-url.ts';
import {
  address,
  flag,
  instant,
  integer,
  list,
  maybeInstant,
  nullable,
  plain,
  sol,
  text,
  tokens,
  usd,
  word,
} from './wire-kinds.ts';
import { wireRecord } from './wire-record.ts';

/** Decimals of the token. */
type Decimals = number | null;

const Token = wireRecord<TokenRecord, Decimals>()({
  token_address: [address, 'mint'],
  creator_address: [nullable(address), 'creator'],
  total_supply: [
    tokens,
    'supplyRaw',
    'Supply in whole tokens, using the decimals of the mint; null before the mint account was ' +
      'seen.',
  ],
  name: [nullable(text), 'name'],
  symbol: [nullable(text), 'symbol'],
  decimals: [nullable(integer), 'decimals'],
  mint_authority_address: [nullable(address), 'mintAuthority'],
  freeze_authority_address: [nullable(address), 'freezeAuthority'],
  creation_slot: [nullable(integer), 'creationSlot'],
  created_at: [maybeInstant, 'createdAtMs'],
  updated_at: [maybeInstant, 'updatedAtMs'],
});

const CreatorShare = wireRecord<NonNullable<TokenMetadata['creators']>[number]>()({
  address: [address, 'address'],
  verified: [flag, 'verified'],
  share: [integer, 'sharePercent', 'Share in percent.'],
});

const UriMetadata = wireRecord<TokenDocument>()(
  {
    name: [nullable(text), 'name'],
    symbol: [nullable(text), 'symbol'],
    description: [nullable(text), 'description'],
    image: [
      nullable(text),
      'image',
      'URL of the image: https, http, ipfs, ar or data. Also null for an image embedded in ' +
        'the document with more than 2,048 characters.',
    ],
    seen_at: [
      instant,
      'seenAtMs',
      'Time when this content was first observed. Off-chain: independent of slots.',
    ],
  },
  {
    description:
      'Content of the document at the URI. Third-party text; control characters and ' +
      'bidirectional formatting marks are removed. Null until the document was read and while it ' +
      'cannot be read.',
  },
);

type Described = Pick<OffchainFacts, 'document'> & Pick<TokenRecord, 'metadata'>;

/** A field of the metadata; null while they are unknown. */
const known =
  <Name extends keyof TokenMetadata>(name: Name) =>
  ({ metadata }: Described): TokenMetadata[Name] | null =>
    metadata?.[name] ?? null;

const Metadata = wireRecord<Described>()(
  {
    update_authority_address: [nullable(address), known('updateAuthority')],
    uri: [nullable(text), known('uri')],
    uri_metadata: [nullable(UriMetadata), 'document'],
    creators: [nullable(list(CreatorShare)), known('creators')],
    primary_sale_happened: [nullable(flag), known('primarySaleHappened')],
    is_mutable: [nullable(flag), known('isMutable')],
    edition_nonce: [
      nullable(integer),
      known('editionNonce'),
      'Known where the metadata account was read from a node.',
    ],
    token_standard: [nullable(text), known('tokenStandard')],
    collection: [nullable(TokenCollection), known('collection')],
    uses: [nullable(TokenUses), known('uses')],
    collection_details: [nullable(CollectionSize), known('collectionDetails')],
    programmable_config: [nullable(TransferRules), known('programmableConfig')],
    seller_fee_basis_points: [
      nullable(integer),
      known('sellerFeeBps'),
      'Basis points: 100 is 1 %.',
    ],
  },
  { description: 'Always an object. All fields are null while the metadata is unknown.' },
);

const Liquidity = wireRecord<LiquidityEvent, Decimals>()(
  {
    pair_address: [address, 'pool'],
    initial_liquidity_solana_amount: [
      nullable(sol),
      'lamports',
      'SOL amount; null if the liquidity cannot be valued in SOL.',
    ],
    initial_liquidity_token_amount: [
      tokens,
      'baseRaw',
      'Whole tokens. For a launch, the amount minted to the bonding curve; null if unknown.',
    ],
    initial_liquidity_value_usd: [
      nullable(usd),
      'valueUsd',
      'Value in US dollars; null if unknown.',
    ],
    initial_liquidity_add_slot_number: [integer, 'slot'],
    initial_liquidity_add_slot_timestamp: [maybeInstant, 'timeMs'],
    block_time_at: [maybeInstant, 'timeMs'],
  },
  { description: 'First real liquidity; null if there is none yet.' },
);

const SocialLink = wireRecord<TokenLink>()({
  platform: [
    word(LINK_PLATFORMS),
    'platform',
    'Platform of the page, derived from its host; website for any other host.',
  ],
  url: [text, 'url'],
  status_code: [
    nullable(integer),
    'statusCode',
    'HTTP status after redirects; null before the first check and when the server does not ' +
      'respond.',
  ],
  checked_at: [
    nullable(instant),
    'checkedAtMs',
    'Time of the last check. Off-chain: independent of slots.',
  ],
});

const HashText = (pattern: string) => nullable(plain(Type.String({ pattern })));

const ImageHash = wireRecord<Pick<OffchainFacts, 'picture'>>()({
  phash_32: [HashText('^[0-9a-f]{8}$'), ({ picture }) => picture?.hash32 ?? null],
  phash_64: [
    HashText('^[0-9a-f]{16}$'),
    ({ picture }) => picture?.hash64 ?? null,
    '64-bit hash as computed by imagehash.phash; null for an animated or unreadable image.',
  ],
  created_at: [
    nullable(instant),
    ({ picture }) => picture?.hashedAtMs ?? null,
    'Time when the image was hashed.',
  ],
});

const Holder = wireRecord<HolderBalance, Decimals>()({
  holder_address: [address, 'owner'],
  balance: [tokens, 'balanceRaw', 'Balance in whole tokens.'],
  is_lp: [
    flag,
    'isPool',
    'Whether the holder is a pool, a bonding curve, or the owner of pool vaults.',
  ],
  created_at: [maybeInstant, 'firstSeenMs'],
});

const BODY_EXAMPLE = {
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
  picture_url: pictureUrl(EXAMPLE.mint, EXAMPLE.thumbnailHash),
} as const;

/** All data of a token. */
interface TokenAnswer {
  readonly token: TokenRecord;
  readonly holders: readonly HolderBalance[];
  readonly facts: OffchainFacts;
}

/** The token without its holders, as the stream sends it. */
export const StreamedToken = wireRecord<Omit<TokenAnswer, 'holders'>, Decimals>()({
  token: [Token, 'token'],
  metadata: [Metadata, ({ token: { metadata }, facts: { document } }) => ({ metadata, document })],
  liquidity_event: [nullable(Liquidity), ({ token }) => token.liquidityEvent],
  social_links: [
    list(SocialLink),
    ({ facts }) => facts.links,
    'Pages named by the document at the metadata URI; empty if none are known.',
  ],
  image_hash: [ImageHash, 'facts'],
});

/** Body of the token endpoint, keys in the order of CONTRACT §2.1. */
export const TokenBody = wireRecord<TokenAnswer, Decimals>()(
  {
    ...StreamedToken.fields,
    holders: [list(Holder), 'holders', 'The 100 largest owners, largest first.'],
    picture_url: [
      pictureUrlKind,
      ({ token: { mint }, facts }) => pictureUrl(mint, facts.thumbnailHash),
    ],
  },
  { description: 'Token data.', headers: FRESHNESS_HEADERS, examples: [BODY_EXAMPLE] },
);
