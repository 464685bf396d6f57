import {
  type Codec,
  type Described,
  interned,
  nullable,
  optional,
  plain,
  record,
  unionByKind,
  type WithKind,
} from './codec.ts';
import { EVENT_POSITION } from './event-position.ts';
import { METADATA_CONTENT } from './metadata-content.ts';
import { MINT_EXTENSION, type MintExtension } from './mint-extension.ts';
import type { LockerName, Venue } from './program.ts';
import { RESERVES } from './reserves.ts';
import { STORED_SWAP, type Swap } from './swap.ts';
import { address, amount, lamports, maybeAddress, maybeAmount } from './value-codecs.ts';

/** The token program instruction that caused the movement. */
export type TokenTransferKind = 'transfer' | 'mintTo' | 'burn' | 'closeAccount';

export const TOKEN_TRANSFER = record({
  ...EVENT_POSITION,
  transferKind: plain<TokenTransferKind>(),
  mint: address,
  /** Owner of the source account; null for mintTo and when the record does not show it. */
  fromOwner: maybeAddress,
  toOwner: maybeAddress,
  amountGross: amount,
  /** Token-2022 transfer fee kept on the recipient's account, not spendable by it. */
  feeWithheld: amount,
  /** Of a burn: the venue whose instruction called it, null when no venue did. Absent otherwise. */
  burnVenue: optional(plain<Venue | null>()),
});

/** Tokens of one mint were moved, minted or burnt. */
export interface TokenTransfer extends WithKind<'tokenTransfer', typeof TOKEN_TRANSFER> {}

/** The system or token program instruction that caused the movement. */
export type SolTransferKind = 'transfer' | 'createAccount' | 'wrap' | 'unwrap' | 'closeRefund';

export const SOL_TRANSFER = record({
  ...EVENT_POSITION,
  transferKind: plain<SolTransferKind>(),
  from: address,
  to: address,
  lamports,
});

/** Lamports moved from one account to another. */
export interface SolTransfer extends WithKind<'solTransfer', typeof SOL_TRANSFER> {}

export const MINT_CREATED = record({
  ...EVENT_POSITION,
  mint: address,
  decimals: plain<number>(),
  tokenProgram: address,
  mintAuthority: maybeAddress,
  freezeAuthority: maybeAddress,
});

/** A mint account was created. */
export interface MintCreated extends WithKind<'mintCreated', typeof MINT_CREATED> {}

export const METADATA_SET = record({ ...EVENT_POSITION, ...METADATA_CONTENT });

/** Name and picture link of a mint, from Metaplex or from the Token-2022 metadata extension. */
export interface MetadataSet extends WithKind<'metadataSet', typeof METADATA_SET> {}

export const LAUNCH = record({
  ...EVENT_POSITION,
  venue: interned<Venue>(),
  mint: address,
  quoteMint: address,
  pool: address,
  /** The wallet that launched it. */
  creator: address,
  tokenProgram: address,
  supply: maybeAmount,
  reserves: nullable(RESERVES),
  /** Receiver of creator fees when it is not the creator: a reward account or another wallet. */
  feeRecipient: optional(address),
});

/** A launchpad opened a bonding curve for a new mint. */
export interface Launch extends WithKind<'launch', typeof LAUNCH> {}

export const POOL_CREATED = record({
  ...EVENT_POSITION,
  venue: interned<Venue>(),
  pool: address,
  baseMint: address,
  quoteMint: address,
  baseDecimals: plain<number>(),
  quoteDecimals: plain<number>(),
  creator: address,
  /**
   * Owner of the accounts that hold the pool's tokens. Identifies pools among the holders of a
   * mint.
   */
  vaultOwner: maybeAddress,
  baseRaw: amount,
  quoteRaw: amount,
  lpMint: maybeAddress,
  lpRaw: maybeAmount,
});

/** An AMM pool was created with its first liquidity. */
export interface PoolCreated extends WithKind<'poolCreated', typeof POOL_CREATED> {}

export const CURVE_COMPLETE = record({
  ...EVENT_POSITION,
  venue: interned<Venue>(),
  mint: address,
  pool: address,
});

/** A bonding curve is complete; its holdings will be migrated to a pool. */
export interface CurveComplete extends WithKind<'curveComplete', typeof CURVE_COMPLETE> {}

export const MIGRATE = record({
  ...EVENT_POSITION,
  venue: interned<Venue>(),
  mint: address,
  fromPool: address,
  toPool: address,
  baseRaw: amount,
  quoteRaw: amount,
});

/** The holdings of a bonding curve were moved to a pool. */
export interface Migrate extends WithKind<'migrate', typeof MIGRATE> {}

export const LIQUIDITY = record({
  ...EVENT_POSITION,
  venue: interned<Venue>(),
  pool: address,
  baseMint: address,
  quoteMint: address,
  provider: address,
  /** Signed change of the pool's vaults. */
  poolBaseDelta: amount,
  poolQuoteDelta: amount,
  /** Signed change of the LP supply, null for positions without LP tokens. */
  lpDelta: maybeAmount,
  reserves: nullable(RESERVES),
});

/** Liquidity was added to a pool or removed from it. */
export interface Liquidity extends WithKind<'liquidity', typeof LIQUIDITY> {}

export const FEE_SWEEP = record({
  ...EVENT_POSITION,
  venue: interned<Venue>(),
  pool: address,
  /** Currency of the fees: one of the pool's mints. */
  mint: address,
  bucket: plain<'protocol' | 'creator'>(),
  amountRaw: amount,
  /**
   * Signed change of the pool's holdings of `mint`; 0 for fees that its reserves never included.
   */
  poolDelta: amount,
});

/** Fees kept in a pool's vault or a curve were paid out. Not a trade, and no change of price. */
export interface FeeSweep extends WithKind<'feeSweep', typeof FEE_SWEEP> {}

export const POOL_BOOST = record({
  ...EVENT_POSITION,
  venue: interned<Venue>(),
  pool: address,
  /** Currency of the part set aside: one of the pool's mints. */
  mint: address,
  /** Signed change of the pool's holdings of `mint`. */
  poolDelta: amount,
});

/**
 * Part of a pool's quote was set aside for later buy-backs of its token. The pool keeps pricing as
 * if it still held that part.
 */
export interface PoolBoost extends WithKind<'poolBoost', typeof POOL_BOOST> {}

export const CREATOR_CHANGE = record({
  ...EVENT_POSITION,
  venue: interned<Venue>(),
  mint: address,
  /** The curve or pool concerned. */
  pool: maybeAddress,
  feeRecipient: address,
});

/** The receiver of a token's creator fees changed. The creator itself never changes. */
export interface CreatorChange extends WithKind<'creatorChange', typeof CREATOR_CHANGE> {}

export const LP_LOCK = record({
  ...EVENT_POSITION,
  pool: address,
  provider: address,
  amountRaw: amount,
  lockKind: plain<'burn' | 'locker' | 'permanent'>(),
  unlockTimeMs: plain<number | null>(),
});

/**
 * A share of a pool was locked so that its provider cannot withdraw it, temporarily or permanently.
 */
export interface LpLock extends WithKind<'lpLock', typeof LP_LOCK> {}

export const LOCK_TERMS = record({
  /** True when the tokens can never be withdrawn; both times are then null. */
  isPermanent: plain<boolean>(),
  /** When the first part unlocks; until then all of it is locked. */
  firstUnlockTimeMs: plain<number | null>(),
  /** When the last part unlocks. */
  lastUnlockTimeMs: plain<number | null>(),
  /** True when the lock can be ended early. */
  isRevocable: plain<boolean>(),
});

/** Until when tokens are locked. Times are null when the record does not show them. */
export interface LockTerms extends Described<typeof LOCK_TERMS> {}

export const TOKEN_LOCK = record({
  ...EVENT_POSITION,
  locker: plain<LockerName>(),
  /** Token account that holds the locked tokens; it identifies the lock. */
  escrow: address,
  mint: address,
  /** The wallet that locked them, null when the instruction does not name it. */
  owner: maybeAddress,
  /** Signed change of the escrow. */
  escrowDelta: amount,
  /** Null: the terms of the lock are unchanged. */
  terms: nullable(LOCK_TERMS),
});

/**
 * A locker program took tokens in or returned some. The locker knows the mint but no pool; the fold
 * decides whether the tokens are LP tokens.
 */
export interface TokenLock extends WithKind<'tokenLock', typeof TOKEN_LOCK> {}

export const AUTHORITY_CHANGE = record({
  ...EVENT_POSITION,
  mint: address,
  authorityKind: plain<'mint' | 'freeze' | 'metadata'>(),
  newAuthority: maybeAddress,
});

/** The authority over a mint changed; null: it was removed permanently. */
export interface AuthorityChange extends WithKind<'authority', typeof AUTHORITY_CHANGE> {}

/** The canonical events: all that later stages learn about the chain. */
export type ChainEvent =
  | Swap
  | TokenTransfer
  | SolTransfer
  | MintCreated
  | MetadataSet
  | Launch
  | PoolCreated
  | CurveComplete
  | Migrate
  | Liquidity
  | LpLock
  | TokenLock
  | MintExtension
  | AuthorityChange
  | FeeSweep
  | PoolBoost
  | CreatorChange;

/** The kind of an event. */
export type ChainEventKind = ChainEvent['kind'];

const EVENTS = {
  swap: STORED_SWAP,
  tokenTransfer: TOKEN_TRANSFER,
  solTransfer: SOL_TRANSFER,
  mintCreated: MINT_CREATED,
  metadataSet: METADATA_SET,
  launch: LAUNCH,
  poolCreated: POOL_CREATED,
  curveComplete: CURVE_COMPLETE,
  migrate: MIGRATE,
  liquidity: LIQUIDITY,
  lpLock: LP_LOCK,
  tokenLock: TOKEN_LOCK,
  mintExtension: MINT_EXTENSION,
  authority: AUTHORITY_CHANGE,
  feeSweep: FEE_SWEEP,
  poolBoost: POOL_BOOST,
  creatorChange: CREATOR_CHANGE,
} satisfies Record<ChainEventKind, unknown>;

/** Events as stored in the log. Throws StoreError for an unknown kind. */
export const CHAIN_EVENT: Codec<ChainEvent> = unionByKind(EVENTS);

/** All event kinds. */
export const EVENT_KINDS = Object.keys(EVENTS) as readonly ChainEventKind[];
