import type { Venue } from '../../src/model/program.ts';
import type { Side } from '../../src/model/swap.ts';
import type { Address } from '../../src/model/units.ts';
import type { Execution } from '../chain/execution.ts';
import type { Ledger } from '../chain/ledger.ts';
import type { TradeStyle } from './trade-style.ts';

/** One swap instruction: exactly `amountInRaw` is paid, fees included. */
export interface SwapRequest {
  /** Owns the token accounts and signs. */
  readonly trader: Address;
  readonly side: Side;
  /** Quote for a buy, base for a sell. */
  readonly amountInRaw: bigint;
  /** Less than this fails on chain with the venue's slippage error. */
  readonly minOutRaw: bigint;
  /** How pump's programs are called; the trader's own way unless somebody builds it otherwise. */
  readonly style?: TradeStyle | undefined;
}

/**
 * A pool that takes trades. Its address is fixed when it is planned; whether it exists, what it holds
 * and what it charges stands in the ledger, so that a branch that is dropped takes it along.
 */
export interface Market {
  readonly venue: Venue;
  readonly pool: Address;
  readonly baseMint: Address;
  readonly quoteMint: Address;
  /**
   * True when the quote side is lamports of the trader's wallet; false when it is a token account,
   * wrapped SOL included.
   */
  readonly takesLamports: boolean;
  isOpen(ledger: Ledger): boolean;
  /** What a trader gets for `amountInRaw`, transfer fees off; 0n when nothing. Never throws. */
  quote(ledger: Ledger, side: Side, amountInRaw: bigint): bigint;
  /** Raw quote units per raw base unit, for deciding; not for booking. */
  spotPrice(ledger: Ledger): number;
  /** Tokens in the vaults, without virtual ones. */
  reserves(ledger: Ledger): { readonly baseRaw: bigint; readonly quoteRaw: bigint };
  /** What a pool prices with where its vaults hold something else; absent elsewhere. */
  effectiveReserves?(ledger: Ledger): { readonly baseRaw: bigint; readonly quoteRaw: bigint };
  /**
   * Invokes the venue's swap instruction, at the outer level or below a router, and reports the
   * trade. The trader's token accounts exist already.
   */
  swap(execution: Execution, request: SwapRequest): void;
}

/** Both sides of a pool as its price and depth see them. */
export function pricingReserves(
  market: Market,
  ledger: Ledger,
): { readonly baseRaw: bigint; readonly quoteRaw: bigint } {
  return market.effectiveReserves?.(ledger) ?? market.reserves(ledger);
}
