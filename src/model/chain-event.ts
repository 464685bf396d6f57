import type { LockerName, Venue } from './program.ts';
import type { Address, Lamports, RawAmount } from './units.ts';

/**
 * The canonical events: everything that later stages know about the chain.
 *
 * Events of one transaction are ordered by (outerIx, innerIx); with the transaction's (slot,
 * txIndex) that orders all events totally.
 */
export interface EventPosition {
  readonly outerIx: number;
  /** -1 for the outer instruction itself. */
  readonly innerIx: number;
}

export type Side = 'buy' | 'sell';

/** One executed swap of one pool. */
export interface Swap extends EventPosition {
  readonly kind: 'swap';
  readonly venue: Venue;
  readonly pool: Address;
  readonly baseMint: Address;
  readonly quoteMint: Address;
  readonly baseDecimals: number;
  readonly quoteDecimals: number;
  /**
   * The wallet that traded: its tokens or lamports changed and it signed, itself or through its
   * smart wallet. Never the fee payer as such. Null when nobody can be said to have traded: a
   * protocol's own purchase, or a record that does not show it.
   */
  readonly trader: Address | null;
  /** Of the base token, as the trader sees it. */
  readonly side: Side;
  /**
   * The traded amounts, signed as the pool sees them: what its vaults changed by, after transfer
   * fees withheld on the way in, less `keptFees`.
   */
  readonly poolBaseDelta: RawAmount;
  readonly poolQuoteDelta: RawAmount;
  /**
   * Fees of this trade that lie in the pool's vaults without being its liquidity, until they are
   * swept. Present where there are any: vault change = traded amount + kept fees, on each side.
   */
  readonly keptFees?: KeptFees;
  /** Signed change of the trader's holdings by this instruction, pool and venue fees included. */
  readonly traderBaseDelta: RawAmount;
  /** Null when the record does not show it. */
  readonly traderQuoteDelta: RawAmount | null;
  readonly reserves: Reserves | null;
  /** Fees taken in quote units by pool, protocol and creator; null when the venue does not tell. */
  readonly feeQuoteRaw: RawAmount | null;
  /**
   * Present when the venue publishes no interface: the legs are the transfers, and whatever else
   * the program knows of the swap stays unknown.
   */
  readonly legsOnly?: true;
  /** The program of an `inferred` swap, for which there is no decoder. Absent elsewhere. */
  readonly program?: Address;
  /** The nearest known router above the pool's instruction, else its caller; null for a direct swap. */
  readonly router: Address | null;
  /** The base mint only passed through several pools: the trader's net change of it is nil. */
  readonly isIntermediateHop: boolean;
  /** Bought and sold back within the transaction on one pool, whether or not it paid. */
  readonly isAtomicRoundTrip: boolean;
  /**
   * Of a trader whose swaps in the transaction, on several pools, together cost it no mint: none has
   * a net outflow of more than a thousandth of what moved of it. Never a round trip on one pool.
   */
  readonly isPureArbitrage: boolean;
  /** False when vault balances contradict the legs; the reason says how. Never priced. */
  readonly quarantine: string | null;
}

/** A swap of which the trader is known. */
export interface AttributedSwap extends Swap {
  readonly trader: Address;
}

/** Fees that stay in a pool's vaults, in raw units; never negative. */
export interface KeptFees {
  readonly base: RawAmount;
  readonly quote: RawAmount;
}

/** Pool holdings after the event, in raw units. */
export interface Reserves {
  readonly base: RawAmount;
  readonly quote: RawAmount;
  /**
   * What the pool prices with where that is not what it holds: a curve's virtual reserves, a PumpSwap
   * pool's vaults with its signed virtual reserves added. Null where the holdings price.
   */
  readonly virtualBase: RawAmount | null;
  readonly virtualQuote: RawAmount | null;
}

export type TokenTransferKind = 'transfer' | 'mintTo' | 'burn' | 'closeAccount';

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

export type SolTransferKind = 'transfer' | 'createAccount' | 'unwrap' | 'closeRefund';

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

export interface CurveComplete extends EventPosition {
  readonly kind: 'curveComplete';
  readonly venue: Venue;
  readonly mint: Address;
  readonly pool: Address;
}

export interface Migrate extends EventPosition {
  readonly kind: 'migrate';
  readonly venue: Venue;
  readonly mint: Address;
  readonly fromPool: Address;
  readonly toPool: Address;
  readonly baseRaw: RawAmount;
  readonly quoteRaw: RawAmount;
}

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

/** A Token-2022 extension of a mint was set up or changed. Amounts elsewhere are raw all the same. */
export interface MintExtension extends EventPosition {
  readonly kind: 'mintExtension';
  readonly mint: Address;
  readonly extension: MintExtensionFact;
}

export type MintExtensionFact =
  | { readonly kind: 'transferFee'; readonly feeBps: number; readonly maxFeeRaw: RawAmount }
  /** Replaces the transfer fee two epochs after it was set. */
  | { readonly kind: 'nextTransferFee'; readonly feeBps: number; readonly maxFeeRaw: RawAmount }
  /** Yearly, continuously compounded; wallets show amounts with it, balances do not change. */
  | { readonly kind: 'interestBearing'; readonly rateBps: number }
  /** What wallets multiply amounts by; from the time on when there is one. */
  | {
      readonly kind: 'scaledUiAmount';
      readonly multiplier: number;
      readonly effectiveTimeMs: number | null;
    }
  /** Account that holds the mint's metadata. */
  | { readonly kind: 'metadataPointer'; readonly metadataAddress: Address | null }
  /** May move and burn anybody's tokens; null once given up. */
  | { readonly kind: 'permanentDelegate'; readonly delegate: Address | null }
  /** Program called at each transfer, which may refuse it. */
  | { readonly kind: 'transferHook'; readonly hookProgram: Address | null }
  /** New accounts are frozen until the freeze authority thaws them. */
  | { readonly kind: 'defaultAccountState'; readonly isFrozen: boolean }
  | { readonly kind: 'nonTransferable' }
  | { readonly kind: 'pausable'; readonly isPaused: boolean }
  | { readonly kind: 'mintCloseAuthority'; readonly closeAuthority: Address | null }
  /** Accounts may hide amounts from the record. */
  | { readonly kind: 'confidentialTransfer' };

export type MintExtensionKind = MintExtensionFact['kind'];

export interface AuthorityChange extends EventPosition {
  readonly kind: 'authority';
  readonly mint: Address;
  readonly authorityKind: 'mint' | 'freeze' | 'metadata';
  readonly newAuthority: Address | null;
}

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

export type ChainEventKind = ChainEvent['kind'];

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
