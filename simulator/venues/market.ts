import type { Venue } from '../../src/model/program.ts';
import type { Side } from '../../src/model/swap.ts';
import type { Address } from '../../src/model/units.ts';
import type { Execution } from '../chain/execution.ts';
import type { Ledger } from '../chain/ledger.ts';
import type { TradeStyle } from './trade-style.ts';

/** One swap instruction: exactly `amountInRaw` is paid, including fees. */
export interface SwapRequest {
  /** Owns the token accounts and signs. */
  readonly trader: Address;
  readonly side: Side;
  /** Quote for a buy, base for a sell. */
  readonly amountInRaw: bigint;
  /** A smaller output fails on chain with the venue's slippage error. */
  readonly minOutRaw: bigint;
  /** How pump's programs are called; default the trader's own style. */
  readonly style?: TradeStyle | undefined;
}

/** What a pool holds, or counts as its own, of both sides. */
export interface Reserves {
  readonly baseRaw: bigint;
  readonly quoteRaw: bigint;
}

/** An order for an exact output. */
export interface ExactOutRequest {
  readonly trader: Address;
  readonly side: Side;
  readonly amountOutRaw: bigint;
  readonly maxInRaw: bigint;
}

/**
 * A pool that accepts trades. Its address is fixed when it is planned; whether it exists, what it
 * holds and what it charges is stored in the ledger, which makes it part of branches that are
 * dropped.
 */
export interface Market {
  readonly venue: Venue;
  readonly pool: Address;
  readonly baseMint: Address;
  readonly quoteMint: Address;
  /**
   * True if the quote side is lamports of the trader's wallet; false if it is a token account,
   * including wrapped SOL.
   */
  readonly takesLamports: boolean;
  isOpen(ledger: Ledger): boolean;
  /** The output for `amountInRaw` before transfer fees; 0n if there is none. Never throws. */
  quote(ledger: Ledger, side: Side, amountInRaw: bigint): bigint;
  /** Raw quote units per raw base unit, for decisions; not for accounting. */
  spotPrice(ledger: Ledger): number;
  /** Tokens in the vaults, without virtual ones. */
  reserves(ledger: Ledger): Reserves;
  /**
   * The reserves that determine the price, if they differ from those in the vaults; otherwise
   * absent.
   */
  effectiveReserves?(ledger: Ledger): Reserves;
  /**
   * Invokes the venue's swap instruction, at the outer level or below a router, and reports the
   * trade. The trader's token accounts must exist.
   */
  swap(execution: Execution, request: SwapRequest): void;
}

/** The reserves that determine a pool's price and depth. */
export function pricingReserves(market: Market, ledger: Ledger): Reserves {
  return market.effectiveReserves?.(ledger) ?? market.reserves(ledger);
}
