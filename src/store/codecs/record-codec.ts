import type {
  LiquidityEvent,
  LockedLiquidity,
  PoolRecord,
  TokenMetadata,
  TokenRecord,
} from '../../model/derived.ts';
import type { QuoteChain, QuoteLink } from '../../model/quote-chain.ts';
import type { Address, PriceE18, RawAmount, UsdNano } from '../../model/units.ts';
import { creators, reserves } from './chain-value-codec.ts';
import {
  added,
  decodeText,
  encodeText,
  integer,
  interned,
  list,
  nullable,
  plain,
  record,
} from './codec.ts';

/** Positional layouts, with the naming and change rules of facts-codec.ts. */
const TOKEN_FORMAT = 'token/1';
const POOL_FORMAT = 'pool/1';

const address = interned<Address>();
const maybeAddress = nullable(address);
const amount = integer<RawAmount>();
const usd = integer<UsdNano>();
const maybePrice = nullable(integer<PriceE18>());

const metadata = record<TokenMetadata>({
  updateAuthority: maybeAddress,
  uri: plain(),
  creators: nullable(creators),
  primarySaleHappened: plain(),
  isMutable: plain(),
  tokenStandard: plain(),
  sellerFeeBps: plain(),
});

const liquidityEvent = record<LiquidityEvent>({
  pool: address,
  quoteMint: address,
  lamports: nullable(integer()),
  baseRaw: nullable(amount),
  valueUsd: nullable(usd),
  slot: plain(),
  timeMs: plain(),
});

const priceChain = record<QuoteChain>({
  usd: integer<PriceE18>(),
  links: list(record<QuoteLink>({ mint: address, pool: address })),
  reference: address,
  setSlot: plain(),
  ageMs: plain(),
  thinnestUsd: usd,
  hasLaunchpadCoin: plain(),
});

const token = record<TokenRecord>({
  mint: address,
  tokenProgram: maybeAddress,
  creator: maybeAddress,
  supplyRaw: nullable(amount),
  burnedRaw: amount,
  decimals: plain(),
  name: plain(),
  symbol: plain(),
  mintAuthority: maybeAddress,
  freezeAuthority: maybeAddress,
  creationSlot: plain(),
  metadata: nullable(metadata),
  liquidityEvent: nullable(liquidityEvent),
  primaryPool: maybeAddress,
  priceUsd: maybePrice,
  createdAtMs: plain(),
  updatedAtMs: plain(),
  slot: plain(),
  feeRecipient: added(maybeAddress, null),
  priceChain: added(nullable(priceChain), null),
});

const pool = record<PoolRecord>({
  pool: address,
  venue: plain(),
  baseMint: address,
  quoteMint: address,
  baseDecimals: plain(),
  quoteDecimals: plain(),
  creator: maybeAddress,
  createdSlot: plain(),
  reserves: nullable(reserves),
  buyCount: plain(),
  sellCount: plain(),
  swapCount: plain(),
  walletCount: plain(),
  buyVolumeUsd: usd,
  sellVolumeUsd: usd,
  quoteVolumeRaw: amount,
  pricedQuoteVolumeRaw: amount,
  price: maybePrice,
  priceUsd: maybePrice,
  athPriceUsd: maybePrice,
  liquidityUsd: nullable(usd),
  isCurveComplete: plain(),
  migratedTo: maybeAddress,
  firstSeenMs: plain(),
  lastSwapMs: plain(),
  updatedAtMs: plain(),
  slot: plain(),
  lockedLiquidity: added(
    nullable(record<LockedLiquidity>({ issuedRaw: amount, lockedRaw: amount })),
    null,
  ),
  priceChain: added(nullable(priceChain), null),
});

export function encodeTokenRecord(value: TokenRecord): string {
  return encodeText(TOKEN_FORMAT, token, value);
}

/** Reads what encodeTokenRecord wrote. Throws StoreError for any other text. */
export function decodeTokenRecord(stored: string): TokenRecord {
  return decodeText(TOKEN_FORMAT, token, stored);
}

export function encodePoolRecord(value: PoolRecord): string {
  return encodeText(POOL_FORMAT, pool, value);
}

/** Reads what encodePoolRecord wrote. Throws StoreError for any other text. */
export function decodePoolRecord(stored: string): PoolRecord {
  return decodeText(POOL_FORMAT, pool, stored);
}
