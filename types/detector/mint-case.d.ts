import type { Address, Lamports, RawAmount, Signature, Slot, UsdNano } from './units.js';

export type Side = 'buy' | 'sell';
/** What an address is publicly known as. */
export type AddressClass =
  | 'burn'
  | 'pool'
  | 'locker'
  | 'launchpad'
  | 'router'
  | 'tip'
  | 'protocol_fee'
  | 'terminal_fee'
  | 'bridge'
  | 'cex'
  | 'sponsor'
  | 'market_maker'
  | 'mev_searcher';
/** How certain it is that transactions were placed together. */
export type BundleLevel = 'L1' | 'L2' | 'L2o' | 'L3' | 'exact';

/** Position of a transaction in the chain. */
export interface TransactionRef {
  readonly slot: Slot;
  /** Time of the slot. */
  readonly timeMs: number;
  readonly txIndex: number;
  readonly signature: Signature;
}

/**
 * One mint as detectors see it: what is known at the end of a slot, and nothing later. Lists are in
 * block order and bounded: for a very active mint the middle of its history is omitted, while its
 * launch and the last day are complete.
 */
export interface MintCase {
  readonly mint: Address;
  readonly decimals: number;
  readonly supplyRaw: RawAmount;
  readonly slot: Slot;
  readonly timeMs: number;
  /** Null for a mint older than the recorded history. */
  readonly launch: CaseLaunch | null;
  /** The pool that prices the mint; null until there is one. */
  readonly market: CaseMarket | null;
  readonly trades: readonly CaseTrade[];
  readonly transfers: readonly CaseTransfer[];
  /** Lamports sent by and to wallets that trade the mint, and sent on by the wallets they paid. */
  readonly payments: readonly CasePayment[];
  readonly liquidity: readonly CaseLiquidity[];
  readonly locks: readonly CaseLock[];
  /** All wallets in the lists above, and all their ancestors by funding. */
  readonly wallets: ReadonlyMap<Address, CaseWallet>;
  /**
   * Pairs of wallets that traded other mints in the same slot, excluding the first minutes after a
   * launch, with the number of mints.
   */
  readonly coTrades: readonly CoTrade[];
  /** False when no payments are recorded: funding is then unknown rather than absent. */
  readonly isFundingKnown: boolean;
}

export interface CaseLaunch extends TransactionRef {
  /** Null when the record does not show it. */
  readonly creator: Address | null;
  /** Sold to an allowlist before the public could buy: an alpha vault or a whitelist. */
  readonly isListedSale: boolean;
}

export interface CaseMarket {
  readonly pool: Address;
  /**
   * The reserves that a sale of `q` raw tokens trades against: constant product of these, in raw
   * units and lamports.
   */
  readonly baseRaw: RawAmount;
  readonly quoteLamports: Lamports;
  /**
   * Upper bound of what can be withdrawn: less than `quoteLamports` when that is partly virtual.
   */
  readonly withdrawableLamports: Lamports;
  readonly feeBps: number;
  /** SOL price in dollars; null when unknown. */
  readonly solUsd: number | null;
}

/** One wallet's swaps in one transaction, on one pool, in one direction. */
export interface CaseTrade extends TransactionRef {
  readonly wallet: Address;
  readonly feePayer: Address;
  /** The other signers of the transaction. */
  readonly cosigners: readonly Address[];
  readonly pool: Address;
  readonly side: Side;
  readonly baseRaw: RawAmount;
  /**
   * What the wallet paid or received, without tips and network fees; other quotes at their SOL
   * price.
   */
  readonly lamports: Lamports;
  readonly usd: UsdNano | null;
  /** Price after the trade, in SOL per whole token; null when the trade set none. */
  readonly priceSol: number | null;
  /**
   * Amount that could be withdrawn from the pool after the trade, in lamports; null when unknown.
   */
  readonly poolLamports: Lamports | null;
  /** Bundle it belongs to: id of the group within its slot, and the certainty level. */
  readonly group: { readonly id: string; readonly level: BundleLevel } | null;
  /** Bought and sold within one transaction. */
  readonly isRoundTrip: boolean;
  /** One leg of a trade over several pools that has no net outflow of any mint. */
  readonly isArbitrage: boolean;
  /** True when it paid a terminal's fee. */
  readonly isTerminal: boolean;
  /** The rarely used program that made the trade; null for a widely used one. */
  readonly privateProgram: Address | null;
}

/** Tokens transferred without a trade. */
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

/** Tokens of an owner that are held by a locker. */
export interface CaseLock extends TransactionRef {
  readonly owner: Address;
  readonly amountRaw: RawAmount;
  /** When the first part unlocks; null for never. */
  readonly firstUnlockMs: number | null;
}

/** Class of an address, from the registry or from its observed behaviour. */
export type CaseClass = AddressClass | 'hub';

export interface CaseWallet {
  readonly address: Address;
  readonly class: CaseClass | null;
  readonly balanceRaw: RawAmount;
  /**
   * Time of its first recorded transaction; null when it may be older, so that it never counts as
   * fresh.
   */
  readonly firstSeenMs: number | null;
  readonly firstSeenSlot: Slot | null;
  /** Slot of its first recorded payment, made or received; null for none. */
  readonly firstPaymentSlot: Slot | null;
  /** Null when no payment was recorded. */
  readonly firstFunding: CaseFunding | null;
  /** Its four largest funders and those of its first four payments, largest first. */
  readonly fundings: readonly CaseFunding[];
  /** Number of wallets it paid in the last 7 days. */
  readonly fanOut: number;
  /**
   * True when it passed on nearly all it received within a day and did nothing else; its funder
   * counts in its place.
   */
  readonly isShell: boolean;
  /**
   * Launches it bought within the first slots in the last 7 days, and the number of their creators.
   */
  readonly snipes: number;
  readonly snipedCreators: number;
  /** Number of its launches before this one that were bundled. */
  readonly priorBundles: number;
  /** Launches of the week before this one in whose bundles it bought. */
  readonly bundledMints: readonly Address[];
  readonly isOrganic: boolean;
}

export interface CaseFunding {
  readonly funder: Address;
  /** Total it paid. */
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
