import type { AddressClass } from './address-registry.ts';
import type { BundleLevel } from './derived.ts';
import type { Side } from './swap.ts';
import type { Address, Lamports, RawAmount, Signature, Slot, UsdNano } from './units.ts';

/** Where something stands in the chain. */
export interface TransactionRef {
  readonly slot: Slot;
  /** Of its slot. */
  readonly timeMs: number;
  readonly txIndex: number;
  readonly signature: Signature;
}

/**
 * One mint as detectors read it: what is known at the end of a slot, and nothing later. Lists are in
 * block order and bounded: of a mint that trades very much the middle of its history is missing, its
 * launch and the last day are there.
 */
export interface MintCase {
  readonly mint: Address;
  readonly decimals: number;
  readonly supplyRaw: RawAmount;
  readonly slot: Slot;
  readonly timeMs: number;
  /** Null for a mint that is older than the held history. */
  readonly launch: CaseLaunch | null;
  /** The pool that prices the mint; null before there is one. */
  readonly market: CaseMarket | null;
  readonly trades: readonly CaseTrade[];
  readonly transfers: readonly CaseTransfer[];
  /** Lamports sent by and to those who trade the mint, and on from whom they sent them to. */
  readonly payments: readonly CasePayment[];
  readonly liquidity: readonly CaseLiquidity[];
  readonly locks: readonly CaseLock[];
  /** Everybody who stands in a list above, and all their ancestors. */
  readonly wallets: ReadonlyMap<Address, CaseWallet>;
  /** Pairs that bought or sold other mints in one slot, the first minutes after a launch left out, with how many mints. */
  readonly coTrades: readonly CoTrade[];
  /** False where nobody's payments are held: funding is then unknown, not absent. */
  readonly isFundingKnown: boolean;
}

export interface CaseLaunch extends TransactionRef {
  /** Null where the record does not tell. */
  readonly creator: Address | null;
  /** Sold to a list before the public could buy: an alpha vault, a whitelist. */
  readonly isListedSale: boolean;
}

export interface CaseMarket {
  readonly pool: Address;
  /** What a sale of `q` raw tokens moves against: constant product of these, in raw units and lamports. */
  readonly baseRaw: RawAmount;
  readonly quoteLamports: Lamports;
  /** What can be taken out at most: less than `quoteLamports` where that is partly virtual. */
  readonly takeableLamports: Lamports;
  readonly feeBps: number;
  /** Dollars of a SOL; null when unknown. */
  readonly solUsd: number | null;
}

/** One wallet's swaps of one transaction, on one pool, in one direction. */
export interface CaseTrade extends TransactionRef {
  readonly wallet: Address;
  readonly feePayer: Address;
  /** Others who signed the transaction. */
  readonly cosigners: readonly Address[];
  readonly pool: Address;
  readonly side: Side;
  readonly baseRaw: RawAmount;
  /** What the wallet paid or got, without tips and network fees; other quotes at their SOL price. */
  readonly lamports: Lamports;
  readonly usd: UsdNano | null;
  /** Price after it, SOL for a whole token; null where it set none. */
  readonly priceSol: number | null;
  /** What could be taken out of the pool after it, in lamports; null when unknown. */
  readonly poolLamports: Lamports | null;
  /** Placed together with others: name of the group within its slot, and how certain that is. */
  readonly group: { readonly id: string; readonly level: BundleLevel } | null;
  /** Bought and sold within one transaction. */
  readonly isRoundTrip: boolean;
  /** A leg of a trade over several pools that costs no mint. */
  readonly isArbitrage: boolean;
  /** It paid a terminal's fee. */
  readonly isTerminal: boolean;
  /** Program that few use and that made the trade; null for what everybody uses. */
  readonly privateProgram: Address | null;
}

/** Tokens that changed hands without a trade. */
export interface CaseTransfer extends TransactionRef {
  readonly from: Address;
  readonly to: Address;
  readonly amountRaw: RawAmount;
}

export interface CasePayment extends TransactionRef {
  readonly from: Address;
  readonly to: Address;
  readonly lamports: Lamports;
}

export interface CaseLiquidity extends TransactionRef {
  readonly pool: Address;
  readonly provider: Address;
  /** Signed change of the pool: below zero is taken out. */
  readonly baseRaw: RawAmount;
  readonly lamports: Lamports;
}

/** Tokens of an owner that a locker keeps. */
export interface CaseLock extends TransactionRef {
  readonly owner: Address;
  readonly amountRaw: RawAmount;
  /** When the first part comes free; null for never. */
  readonly firstUnlockMs: number | null;
}

/** What an address is known to be, by the registry or by what it was seen doing. */
export type CaseClass = AddressClass | 'hub';

export interface CaseWallet {
  readonly address: Address;
  readonly class: CaseClass | null;
  readonly balanceRaw: RawAmount;
  /** Its first transaction that is held; null where it may be older: never taken for fresh then. */
  readonly firstSeenMs: number | null;
  readonly firstSeenSlot: Slot | null;
  /** Null where no payment was seen. */
  readonly firstFunding: CaseFunding | null;
  /** Its strongest funders, strongest first, at most four. */
  readonly fundings: readonly CaseFunding[];
  /** Wallets it paid in the last 7 days. */
  readonly fanOut: number;
  /** Passed on nearly everything at once and did nothing else: whoever paid it is meant. */
  readonly isShell: boolean;
  /** Launches it bought within the first slots in the last 7 days, and of how many creators. */
  readonly snipes: number;
  readonly snipedCreators: number;
  /** Launches of it that were bundled before this one. */
  readonly priorBundles: number;
  readonly isOrganic: boolean;
}

export interface CaseFunding {
  readonly funder: Address;
  /** All it paid. */
  readonly lamports: Lamports;
  readonly sinceMs: number;
  readonly lastMs: number;
  readonly slot: Slot;
}

export interface CoTrade {
  readonly one: Address;
  readonly other: Address;
  readonly mints: number;
}
