import type { EventPosition } from './event-position.ts';
import type { MintExtension } from './mint-extension.ts';
import type { LockerName, Venue } from './program.ts';
import type { Reserves } from './reserves.ts';
import type { Swap } from './swap.ts';
import type { Address, Lamports, RawAmount } from './units.ts';

/** The token program instruction that caused the movement. */
export type TokenTransferKind = 'transfer' | 'mintTo' | 'burn' | 'closeAccount';

/** Tokens of one mint were moved, minted or burnt. */
export interface TokenTransfer extends EventPosition {
  readonly kind: 'tokenTransfer';
  readonly transferKind: TokenTransferKind;
  readonly mint: Address;
  /** Owner of the source account; null for mintTo and when the record does not show it. */
  readonly fromOwner: Address | null;
  readonly toOwner: Address | null;
  readonly amountGross: RawAmount;
  /** Token-2022 transfer fee kept on the recipient's account, not spendable by it. */
  readonly feeWithheld: RawAmount;
  /** Of a burn: the venue whose instruction called it, null when no venue did. Absent otherwise. */
  readonly burnVenue?: Venue | null;
}

/** The system or token program instruction that caused the movement. */
export type SolTransferKind = 'transfer' | 'createAccount' | 'unwrap' | 'closeRefund';

/** Lamports moved from one account to another. */
export interface SolTransfer extends EventPosition {
  readonly kind: 'solTransfer';
  readonly transferKind: SolTransferKind;
  readonly from: Address;
  readonly to: Address;
  readonly lamports: Lamports;
}

/** A mint account was created. */
export interface MintCreated extends EventPosition {
  readonly kind: 'mintCreated';
  readonly mint: Address;
  readonly decimals: number;
  readonly tokenProgram: Address;
  readonly mintAuthority: Address | null;
  readonly freezeAuthority: Address | null;
}

/** A creator listed in a token's metadata. */
export interface Creator {
  readonly address: Address;
  readonly verified: boolean;
  readonly sharePercent: number;
}

/** Name and picture link of a mint, from Metaplex or from the Token-2022 metadata extension. */
export interface MetadataSet extends EventPosition {
  readonly kind: 'metadataSet';
  readonly standard: 'metaplex' | 'token2022';
  readonly mint: Address;
  /** Null: this event leaves the field unchanged. */
  readonly name: string | null;
  readonly symbol: string | null;
  readonly uri: string | null;
  /** Undefined: unchanged. Null: the zero key, so the metadata can no longer be updated. */
  readonly updateAuthority?: Address | null;
  readonly sellerFeeBps: number | null;
  readonly creators: readonly Creator[] | null;
  readonly isMutable: boolean | null;
  readonly primarySaleHappened: boolean | null;
  readonly tokenStandard: string | null;
}

/** A launchpad opened a bonding curve for a new mint. */
export interface Launch extends EventPosition {
  readonly kind: 'launch';
  readonly venue: Venue;
  readonly mint: Address;
  readonly quoteMint: Address;
  readonly pool: Address;
  /** The wallet that launched it. */
  readonly creator: Address;
  readonly tokenProgram: Address;
  readonly supply: RawAmount | null;
  readonly reserves: Reserves | null;
  /** Receiver of creator fees when it is not the creator: a reward account or another wallet. */
  readonly feeRecipient?: Address;
}

/** An AMM pool was created with its first liquidity. */
export interface PoolCreated extends EventPosition {
  readonly kind: 'poolCreated';
  readonly venue: Venue;
  readonly pool: Address;
  readonly baseMint: Address;
  readonly quoteMint: Address;
  readonly baseDecimals: number;
  readonly quoteDecimals: number;
  readonly creator: Address;
  /**
   * Owner of the accounts that hold the pool's tokens. Identifies pools among the holders of a
   * mint.
   */
  readonly vaultOwner: Address | null;
  readonly baseRaw: RawAmount;
  readonly quoteRaw: RawAmount;
  readonly lpMint: Address | null;
  readonly lpRaw: RawAmount | null;
}

/** A bonding curve is complete; its holdings will be migrated to a pool. */
export interface CurveComplete extends EventPosition {
  readonly kind: 'curveComplete';
  readonly venue: Venue;
  readonly mint: Address;
  readonly pool: Address;
}

/** The holdings of a bonding curve were moved to a pool. */
export interface Migrate extends EventPosition {
  readonly kind: 'migrate';
  readonly venue: Venue;
  readonly mint: Address;
  readonly fromPool: Address;
  readonly toPool: Address;
  readonly baseRaw: RawAmount;
  readonly quoteRaw: RawAmount;
}

/** Liquidity was added to a pool or removed from it. */
export interface Liquidity extends EventPosition {
  readonly kind: 'liquidity';
  readonly venue: Venue;
  readonly pool: Address;
  readonly baseMint: Address;
  readonly quoteMint: Address;
  readonly provider: Address;
  /** Signed change of the pool's vaults. */
  readonly poolBaseDelta: RawAmount;
  readonly poolQuoteDelta: RawAmount;
  /** Signed change of the LP supply, null for positions without LP tokens. */
  readonly lpDelta: RawAmount | null;
  readonly reserves: Reserves | null;
}

/** Fees kept in a pool's vault or a curve were paid out. Not a trade, and no change of price. */
export interface FeeSweep extends EventPosition {
  readonly kind: 'feeSweep';
  readonly venue: Venue;
  readonly pool: Address;
  /** Currency of the fees: one of the pool's mints. */
  readonly mint: Address;
  readonly bucket: 'protocol' | 'creator';
  readonly amountRaw: RawAmount;
  /**
   * Signed change of the pool's holdings of `mint`; 0 for fees that its reserves never included.
   */
  readonly poolDelta: RawAmount;
}

/**
 * Part of a pool's quote was set aside for later buy-backs of its token. The pool keeps pricing as
 * if it still held that part.
 */
export interface PoolBoost extends EventPosition {
  readonly kind: 'poolBoost';
  readonly venue: Venue;
  readonly pool: Address;
  /** Currency of the part set aside: one of the pool's mints. */
  readonly mint: Address;
  /** Signed change of the pool's holdings of `mint`. */
  readonly poolDelta: RawAmount;
}

/** The receiver of a token's creator fees changed. The creator itself never changes. */
export interface CreatorChange extends EventPosition {
  readonly kind: 'creatorChange';
  readonly venue: Venue;
  readonly mint: Address;
  /** The curve or pool concerned. */
  readonly pool: Address | null;
  readonly feeRecipient: Address;
}

/**
 * A share of a pool was locked so that its provider cannot withdraw it, temporarily or permanently.
 */
export interface LpLock extends EventPosition {
  readonly kind: 'lpLock';
  readonly pool: Address;
  readonly provider: Address;
  readonly amountRaw: RawAmount;
  readonly lockKind: 'burn' | 'locker' | 'permanent';
  readonly unlockTimeMs: number | null;
}

/**
 * A locker program took tokens in or returned some. The locker knows the mint but no pool; the fold
 * decides whether the tokens are LP tokens.
 */
export interface TokenLock extends EventPosition {
  readonly kind: 'tokenLock';
  readonly locker: LockerName;
  /** Token account that holds the locked tokens; it identifies the lock. */
  readonly escrow: Address;
  readonly mint: Address;
  /** The wallet that locked them, null when the instruction does not name it. */
  readonly owner: Address | null;
  /** Signed change of the escrow. */
  readonly escrowDelta: RawAmount;
  /** Null: the terms of the lock are unchanged. */
  readonly terms: LockTerms | null;
}

/** Until when tokens are locked. Times are null when the record does not show them. */
export interface LockTerms {
  /** True when the tokens can never be withdrawn; both times are then null. */
  readonly isPermanent: boolean;
  /** When the first part unlocks; until then all of it is locked. */
  readonly firstUnlockTimeMs: number | null;
  /** When the last part unlocks. */
  readonly lastUnlockTimeMs: number | null;
  /** True when the lock can be ended early. */
  readonly isRevocable: boolean;
}

/** The authority over a mint changed; null: it was removed permanently. */
export interface AuthorityChange extends EventPosition {
  readonly kind: 'authority';
  readonly mint: Address;
  readonly authorityKind: 'mint' | 'freeze' | 'metadata';
  readonly newAuthority: Address | null;
}

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

/** All event kinds. */
export const EVENT_KINDS = [
  'swap',
  'tokenTransfer',
  'solTransfer',
  'mintCreated',
  'metadataSet',
  'launch',
  'poolCreated',
  'curveComplete',
  'migrate',
  'liquidity',
  'lpLock',
  'tokenLock',
  'mintExtension',
  'authority',
  'feeSweep',
  'poolBoost',
  'creatorChange',
] as const satisfies readonly ChainEventKind[];
