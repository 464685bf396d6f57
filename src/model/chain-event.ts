import type { EventPosition } from './event-position.ts';
import type { MintExtension } from './mint-extension.ts';
import type { LockerName, Venue } from './program.ts';
import type { Reserves } from './reserves.ts';
import type { Swap } from './swap.ts';
import type { Address, Lamports, RawAmount } from './units.ts';

/** What moved them: the instruction of the token program. */
export type TokenTransferKind = 'transfer' | 'mintTo' | 'burn' | 'closeAccount';

/** Tokens of one mint moved, came to be or were burnt. */
export interface TokenTransfer extends EventPosition {
  readonly kind: 'tokenTransfer';
  readonly transferKind: TokenTransferKind;
  readonly mint: Address;
  /** Owner of the source account, null for mintTo or when the record does not tell. */
  readonly fromOwner: Address | null;
  readonly toOwner: Address | null;
  readonly amountGross: RawAmount;
  /** Token-2022 transfer fee kept on the recipient's account, not spendable by it. */
  readonly feeWithheld: RawAmount;
  /** Of a burn: the venue below whose instruction it happened, null below none. Else absent. */
  readonly burnVenue?: Venue | null;
}

/** What moved them: the instruction of the system or the token program. */
export type SolTransferKind = 'transfer' | 'createAccount' | 'unwrap' | 'closeRefund';

/** Lamports moved from one account to another. */
export interface SolTransfer extends EventPosition {
  readonly kind: 'solTransfer';
  readonly transferKind: SolTransferKind;
  readonly from: Address;
  readonly to: Address;
  readonly lamports: Lamports;
}

/** A mint account came to life. */
export interface MintCreated extends EventPosition {
  readonly kind: 'mintCreated';
  readonly mint: Address;
  readonly decimals: number;
  readonly tokenProgram: Address;
  readonly mintAuthority: Address | null;
  readonly freezeAuthority: Address | null;
}

/** One of those whom metadata names as makers of a token. */
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
  /** Null: this event leaves the field as it was. */
  readonly name: string | null;
  readonly symbol: string | null;
  readonly uri: string | null;
  /** Undefined: unchanged. Null: the zero key, nobody can update. */
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
  /** Who is paid creator fees, where that is not the creator: a reward account, another wallet. */
  readonly feeRecipient?: Address;
}

/** An AMM pool came to life with its first liquidity. */
export interface PoolCreated extends EventPosition {
  readonly kind: 'poolCreated';
  readonly venue: Venue;
  readonly pool: Address;
  readonly baseMint: Address;
  readonly quoteMint: Address;
  readonly baseDecimals: number;
  readonly quoteDecimals: number;
  readonly creator: Address;
  /** Accounts that hold the pool's tokens and who owns them, so that holders can name pools. */
  readonly vaultOwner: Address | null;
  readonly baseRaw: RawAmount;
  readonly quoteRaw: RawAmount;
  readonly lpMint: Address | null;
  readonly lpRaw: RawAmount | null;
}

/** A bonding curve came to its end: what it holds goes on to a pool. */
export interface CurveComplete extends EventPosition {
  readonly kind: 'curveComplete';
  readonly venue: Venue;
  readonly mint: Address;
  readonly pool: Address;
}

/** What a bonding curve held went on to a pool. */
export interface Migrate extends EventPosition {
  readonly kind: 'migrate';
  readonly venue: Venue;
  readonly mint: Address;
  readonly fromPool: Address;
  readonly toPool: Address;
  readonly baseRaw: RawAmount;
  readonly quoteRaw: RawAmount;
}

/** Somebody added to what a pool holds, or took out of it. */
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

/** Fees that had stayed in a pool's vault or a curve were paid out: no trade, no change of price. */
export interface FeeSweep extends EventPosition {
  readonly kind: 'feeSweep';
  readonly venue: Venue;
  readonly pool: Address;
  /** What the fees are in: a side of the pool. */
  readonly mint: Address;
  readonly bucket: 'protocol' | 'creator';
  readonly amountRaw: RawAmount;
  /** Signed change of what the pool holds of `mint`; 0 for fees that its reserves never counted. */
  readonly poolDelta: RawAmount;
}

/**
 * Part of a pool's quote was set aside to buy its token back later. The pool goes on pricing as if
 * it still held it.
 */
export interface PoolBoost extends EventPosition {
  readonly kind: 'poolBoost';
  readonly venue: Venue;
  readonly pool: Address;
  /** What was set aside: a side of the pool. */
  readonly mint: Address;
  /** Signed change of what the pool holds of `mint`. */
  readonly poolDelta: RawAmount;
}

/** Somebody else is paid a token's creator fees from here on. The creator itself never changes. */
export interface CreatorChange extends EventPosition {
  readonly kind: 'creatorChange';
  readonly venue: Venue;
  readonly mint: Address;
  /** The curve or the pool that it concerns. */
  readonly pool: Address | null;
  readonly feeRecipient: Address;
}

/** A share of a pool was put where its provider cannot take it out, for a while or for good. */
export interface LpLock extends EventPosition {
  readonly kind: 'lpLock';
  readonly pool: Address;
  readonly provider: Address;
  readonly amountRaw: RawAmount;
  readonly lockKind: 'burn' | 'locker' | 'permanent';
  readonly unlockTimeMs: number | null;
}

/**
 * A locker program took tokens in, or gave some back. The locker knows the mint of what it keeps and
 * no pool: whether it is LP tokens is for the fold to say.
 */
export interface TokenLock extends EventPosition {
  readonly kind: 'tokenLock';
  readonly locker: LockerName;
  /** Token account that keeps them; it names the lock. */
  readonly escrow: Address;
  readonly mint: Address;
  /** The wallet that locked them, null when the instruction does not name it. */
  readonly owner: Address | null;
  /** Signed change of the escrow. */
  readonly escrowDelta: RawAmount;
  /** Null: the lock goes on under the terms it has. */
  readonly terms: LockTerms | null;
}

/** Until when tokens are locked. Times are null when the record does not tell them. */
export interface LockTerms {
  /** For good: there is no way to take them out, and both times are null. */
  readonly isPermanent: boolean;
  /** When the first part comes free: until then all of it is locked. */
  readonly firstUnlockTimeMs: number | null;
  /** When the last part comes free. */
  readonly lastUnlockTimeMs: number | null;
  /** Somebody may end the lock before its time. */
  readonly isRevocable: boolean;
}

/** An authority over a mint went to somebody else; null: to nobody, for good. */
export interface AuthorityChange extends EventPosition {
  readonly kind: 'authority';
  readonly mint: Address;
  readonly authorityKind: 'mint' | 'freeze' | 'metadata';
  readonly newAuthority: Address | null;
}

/** The canonical events: everything that later stages know about the chain. */
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

/** Which event it is. */
export type ChainEventKind = ChainEvent['kind'];

/** Every kind there is. */
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
