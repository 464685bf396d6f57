import type { EventPosition } from './event-position.ts';
import type { Venue } from './program.ts';
import type { Reserves } from './reserves.ts';
import type { Address, RawAmount } from './units.ts';

/** Direction of a trade in the base token, from the trader's view. */
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
   * The wallet that traded: its tokens or lamports changed, and it signed directly or through its
   * smart wallet. Never the fee payer merely because it paid. Null when the swap cannot be
   * attributed: a protocol's own purchase, or a record that does not show the trader.
   */
  readonly trader: Address | null;
  /** In the base token, from the trader's view. */
  readonly side: Side;
  /**
   * The traded amounts, signed from the pool's view: the change of its vaults after transfer fees
   * withheld on incoming transfers, less `keptFees`.
   */
  readonly poolBaseDelta: RawAmount;
  readonly poolQuoteDelta: RawAmount;
  /**
   * Fees of this trade that stay in the pool's vaults until they are swept, without being its
   * liquidity. Present when there are any: vault change = traded amount + kept fees, on each side.
   */
  readonly keptFees?: KeptFees;
  /** Signed change of the trader's holdings by this instruction, including pool and venue fees. */
  readonly traderBaseDelta: RawAmount;
  /** Null when the record does not show it. */
  readonly traderQuoteDelta: RawAmount | null;
  readonly reserves: Reserves | null;
  /**
   * Fees in quote units taken by pool, protocol and creator; null when the venue does not report
   * them.
   */
  readonly feeQuoteRaw: RawAmount | null;
  /**
   * Present when the venue publishes no interface: the legs are the transfers, and everything else
   * about the swap is unknown.
   */
  readonly legsOnly?: true;
  /** The program of an `inferred` swap, for which there is no decoder. Absent elsewhere. */
  readonly program?: Address;
  /**
   * The nearest known router above the pool's instruction, otherwise its caller; null for a direct
   * swap.
   */
  readonly router: Address | null;
  /** The base mint only passed through several pools: the trader's net change of it is zero. */
  readonly isIntermediateHop: boolean;
  /** Bought and sold back on one pool within the transaction, whether or not at a profit. */
  readonly isAtomicRoundTrip: boolean;
  /**
   * True for a trader whose swaps in the transaction, on several pools, have no net outflow of any
   * mint: none exceeds a thousandth of the amount moved in that mint. Never a round trip on one
   * pool.
   */
  readonly isPureArbitrage: boolean;
  /**
   * Reason when vault balances contradict the legs, otherwise null. A quarantined swap is never
   * priced.
   */
  readonly quarantine: string | null;
}

/** A swap with a known trader. */
export interface AttributedSwap extends Swap {
  readonly trader: Address;
}

/** Fees that stay in a pool's vaults, in raw units; never negative. */
export interface KeptFees {
  readonly base: RawAmount;
  readonly quote: RawAmount;
}
