import type { EventPosition } from './event-position.ts';
import type { Venue } from './program.ts';
import type { Reserves } from './reserves.ts';
import type { Address, RawAmount } from './units.ts';

/** Of a token, as its trader sees it. */
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
