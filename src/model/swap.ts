import {
  type Codec,
  type Described,
  interned,
  nullable,
  optional,
  plain,
  record,
  type WithKind,
} from './codec.ts';
import { EVENT_POSITION } from './event-position.ts';
import type { Venue } from './program.ts';
import { RESERVES } from './reserves.ts';
import type { Address } from './units.ts';
import { address, amount, maybeAddress, maybeAmount } from './value-codecs.ts';

/** Direction of a trade in the base token, from the trader's view. */
export type Side = 'buy' | 'sell';

export const KEPT_FEES = record({
  base: amount,
  quote: amount,
});

/** Fees that stay in a pool's vaults, in raw units; never negative. */
export interface KeptFees extends Described<typeof KEPT_FEES> {}

export const SWAP = record({
  ...EVENT_POSITION,
  venue: interned<Venue>(),
  pool: address,
  baseMint: address,
  quoteMint: address,
  baseDecimals: plain<number>(),
  quoteDecimals: plain<number>(),
  /**
   * The wallet that traded: its tokens or lamports changed, and it signed directly or through its
   * smart wallet. Never the fee payer merely because it paid. Null when the swap cannot be
   * attributed: a protocol's own purchase, or a record that does not show the trader.
   */
  trader: maybeAddress,
  /** In the base token, from the trader's view. */
  side: plain<Side>(),
  /**
   * The traded amounts, signed from the pool's view: the change of its vaults after transfer fees
   * withheld on incoming transfers, less `keptFees`.
   */
  poolBaseDelta: amount,
  poolQuoteDelta: amount,
  /** Signed change of the trader's holdings by this instruction, including pool and venue fees. */
  traderBaseDelta: amount,
  /** Null when the record does not show it. */
  traderQuoteDelta: maybeAmount,
  reserves: nullable(RESERVES),
  /**
   * Fees in quote units taken by pool, protocol and creator; null when the venue does not report
   * them.
   */
  feeQuoteRaw: maybeAmount,
  /**
   * Present when the venue publishes no interface: the legs are the transfers, and everything else
   * about the swap is unknown.
   */
  legsOnly: optional(plain<true>()),
  /**
   * The nearest known router above the pool's instruction, otherwise its caller; null for a direct
   * swap.
   */
  router: maybeAddress,
  /** The base mint only passed through several pools: the trader's net change of it is zero. */
  isIntermediateHop: plain<boolean>(),
  /** Bought and sold back on one pool within the transaction, whether or not at a profit. */
  isAtomicRoundTrip: plain<boolean>(),
  /**
   * Reason when vault balances contradict the legs, otherwise null. A quarantined swap is never
   * priced.
   */
  quarantine: plain<string | null>(),
  /**
   * True for a trader whose swaps in the transaction, on several pools, have no net outflow of any
   * mint: none exceeds a thousandth of the amount moved in that mint. Never a round trip on one
   * pool.
   */
  isPureArbitrage: plain<boolean>(),
  /**
   * Fees of this trade that stay in the pool's vaults until they are swept, without being its
   * liquidity. Present when there are any: vault change = traded amount + kept fees, on each side.
   */
  keptFees: optional(KEPT_FEES),
  /** The program of an `inferred` swap, for which there is no decoder. Absent elsewhere. */
  program: optional(address),
});

/** One executed swap of one pool. */
export interface Swap extends WithKind<'swap', typeof SWAP> {}

/** A swap that is not one of a union of events. */
export const LONE_SWAP: Codec<Swap> = {
  encode: SWAP.encode,
  decode: (json, strings) => ({ kind: 'swap', ...SWAP.decode(json, strings) }),
};

/** A stored hop without the flag of arbitrage counts as arbitrage, so that it sets no price. */
export const STORED_SWAP: Codec<Described<typeof SWAP>> = {
  encode: SWAP.encode,
  decode(json, strings) {
    const stored: Partial<Described<typeof SWAP>> = SWAP.decode(json, strings);
    const { isIntermediateHop = false, isPureArbitrage = isIntermediateHop } = stored;
    return { ...(stored as Described<typeof SWAP>), isPureArbitrage };
  },
};

/** A swap with a known trader. */
export interface AttributedSwap extends Swap {
  readonly trader: Address;
}
