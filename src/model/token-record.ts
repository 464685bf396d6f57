import { added, type Described, list, nullable, plain, record } from './codec.ts';
import {
  COLLECTION,
  COLLECTION_DETAILS,
  CREATOR,
  PROGRAMMABLE_CONFIG,
  USES,
} from './metadata-content.ts';
import { QUOTE_CHAIN } from './quote-chain.ts';
import type { Slot } from './units.ts';
import {
  address,
  amount,
  lamports,
  maybeAddress,
  maybeAmount,
  maybePrice,
  maybeUsd,
} from './value-codecs.ts';

export const TOKEN_METADATA = record({
  updateAuthority: maybeAddress,
  uri: plain<string | null>(),
  creators: nullable(list(CREATOR)),
  primarySaleHappened: plain<boolean>(),
  isMutable: plain<boolean>(),
  tokenStandard: plain<string | null>(),
  sellerFeeBps: plain<number | null>(),
  editionNonce: added(plain<number | null>(), null),
  collection: added(nullable(COLLECTION), null),
  uses: added(nullable(USES), null),
  collectionDetails: added(nullable(COLLECTION_DETAILS), null),
  programmableConfig: added(nullable(PROGRAMMABLE_CONFIG), null),
});

/** The metadata that applies to a mint (fold/market/token-metadata.ts decides which). */
export interface TokenMetadata extends Described<typeof TOKEN_METADATA> {}

export const LIQUIDITY_EVENT = record({
  pool: address,
  quoteMint: address,
  /** SOL for SOL pools, else converted at the slot's SOL/USD; null when that is unknown. */
  lamports: nullable(lamports),
  /**
   * Base tokens deposited into the pool's vault; for a launch, those minted to its curve; null when
   * unknown.
   */
  baseRaw: maybeAmount,
  valueUsd: maybeUsd,
  slot: plain<Slot>(),
  timeMs: plain<number | null>(),
});

/** The first real liquidity of a token (METHODS §1). */
export interface LiquidityEvent extends Described<typeof LIQUIDITY_EVENT> {}

export const TOKEN_RECORD = record({
  mint: address,
  tokenProgram: maybeAddress,
  /** Wallet that launched the token, else the signer that created the mint. */
  creator: maybeAddress,
  /** Null for a mint older than the recorded history. */
  supplyRaw: maybeAmount,
  /** Part of the supply held by burn addresses, out of circulation. */
  burnedRaw: amount,
  decimals: plain<number | null>(),
  name: plain<string | null>(),
  symbol: plain<string | null>(),
  mintAuthority: maybeAddress,
  freezeAuthority: maybeAddress,
  creationSlot: plain<Slot | null>(),
  metadata: nullable(TOKEN_METADATA),
  liquidityEvent: nullable(LIQUIDITY_EVENT),
  /** The pool that gives the token its price: largest real quote liquidity in USD. */
  primaryPool: maybeAddress,
  /** Robust price of the primary pool. */
  priceUsd: maybePrice,
  createdAtMs: plain<number | null>(),
  updatedAtMs: plain<number | null>(),
  slot: plain<Slot>(),
  /**
   * Receiver of the token's creator fees when the chain named one: at launch, if it is not the
   * creator, or in a later change. Null otherwise.
   */
  feeRecipient: added(maybeAddress, null),
  /**
   * The chain of quotes that priceUsd depends on when the primary pool is quoted in neither SOL nor
   * a stablecoin.
   */
  priceChain: added(nullable(QUOTE_CHAIN), null),
});

/**
 * Everything known about a mint. Times are milliseconds of logical chain time; null where the slot's
 * time is unknown.
 */
export interface TokenRecord extends Described<typeof TOKEN_RECORD> {}
