import { type Venue, WRAPPED_SOL } from '../../src/model/program.ts';
import type { Side } from '../../src/model/swap.ts';
import type { Address } from '../../src/model/units.ts';
import type { Execution } from '../chain/execution.ts';
import type { Ledger } from '../chain/ledger.ts';
import {
  ensureTokenAccount,
  type TokenAccounts,
  unwrapLamports,
  wrapLamports,
} from '../programs/associated-token.ts';
import type { VenueContext } from './launchpad.ts';
import { type Market, pricingReserves, type SwapRequest } from './market.ts';
import { canHop, multiHopSwap } from './pump-multi-hop.ts';
import { FIRST_STYLE, SHARING_STYLE, type TradeStyles } from './trade-style.ts';

/**
 * A pool quoted in another token, as seen by traders with lamports: prices and amounts are in
 * lamports, and a trade passes through the other token's own pool, in one `multi_hop_swap` or in
 * two consecutive swaps. Each pool reports its own trade.
 */
export class PathMarket implements Market {
  readonly venue: Venue;
  readonly pool: Address;
  readonly baseMint: Address;
  readonly quoteMint = WRAPPED_SOL;
  readonly takesLamports = true;
  /** The last pool of the path. */
  readonly last: Market;
  private readonly firsts: readonly Market[];
  private readonly tokenAccounts: TokenAccounts;
  private readonly styleOf: TradeStyles;

  /** `firsts` are pools of the other token and SOL, in either order; the first open one is used. */
  constructor(last: Market, firsts: readonly Market[], context: VenueContext) {
    this.last = last;
    this.firsts = firsts;
    this.venue = last.venue;
    this.pool = last.pool;
    this.baseMint = last.baseMint;
    this.tokenAccounts = context.tokenAccounts;
    this.styleOf = context.tradeStyleOf ?? (() => FIRST_STYLE);
  }

  isOpen(ledger: Ledger): boolean {
    return this.last.isOpen(ledger) && this.first(ledger) !== null;
  }

  quote(ledger: Ledger, side: Side, amountInRaw: bigint): bigint {
    const first = this.first(ledger);
    if (first === null || amountInRaw <= 0n) return 0n;
    if (side === 'sell') {
      const gotRaw = this.last.quote(ledger, 'sell', amountInRaw);
      return first.quote(ledger, outwards(first), gotRaw);
    }
    return this.last.quote(ledger, 'buy', first.quote(ledger, inwards(first), amountInRaw));
  }

  spotPrice(ledger: Ledger): number {
    return this.last.spotPrice(ledger) * this.lamportsPerUnit(ledger);
  }

  reserves(ledger: Ledger): { readonly baseRaw: bigint; readonly quoteRaw: bigint } {
    return this.inLamports(ledger, this.last.reserves(ledger));
  }

  effectiveReserves(ledger: Ledger): { readonly baseRaw: bigint; readonly quoteRaw: bigint } {
    return this.inLamports(ledger, pricingReserves(this.last, ledger));
  }

  swap(execution: Execution, request: SwapRequest): void {
    const { trader } = request;
    const style = request.style ?? this.styleOf(trader);
    const first = this.first(execution.ledger) ?? this.firsts[0];
    if (first === undefined) throw new RangeError('a path leads through two pools');
    const wraps = !first.takesLamports;
    if (wraps) {
      const lamports = request.side === 'buy' ? request.amountInRaw : 0n;
      wrapLamports(execution, this.tokenAccounts, trader, lamports);
    }
    const { last } = this;
    if (style.form === 'kept' && !style.asksForTokens && canHop(first, last)) {
      multiHopSwap(execution, this.tokenAccounts, { first, last, ...request });
    } else this.oneByOne(execution, first, { ...request, style });
    if (wraps) unwrapLamports(execution, this.tokenAccounts, trader);
  }

  /**
   * Two consecutive swaps: the middle token passes through the trader's account. To fit both into
   * one transaction, only the last pool may be called in the trader's own form, and only if no SOL
   * is wrapped.
   */
  private oneByOne(execution: Execution, first: Market, request: SwapRequest): void {
    const { trader, side, amountInRaw, minOutRaw, style = FIRST_STYLE } = request;
    const { last } = this;
    const middle = ensureTokenAccount(
      execution,
      this.tokenAccounts,
      trader,
      trader,
      last.quoteMint,
    );
    const heldRaw = execution.ledger.heldRaw(middle);
    const near = { trader, style: SHARING_STYLE };
    const { form } = first.takesLamports ? style : SHARING_STYLE;
    const far = { trader, style: { form, asksForTokens: false } };
    const got = () => execution.ledger.heldRaw(middle) - heldRaw;
    if (side === 'buy') {
      first.swap(execution, { ...near, side: inwards(first), amountInRaw, minOutRaw: 1n });
      last.swap(execution, { ...far, side, amountInRaw: got(), minOutRaw });
    } else {
      last.swap(execution, { ...far, side, amountInRaw, minOutRaw: 1n });
      first.swap(execution, { ...near, side: outwards(first), amountInRaw: got(), minOutRaw });
    }
  }

  private first(ledger: Ledger): Market | null {
    return this.firsts.find((market) => market.isOpen(ledger)) ?? null;
  }

  private lamportsPerUnit(ledger: Ledger): number {
    const first = this.first(ledger);
    if (first === null) return 0;
    const price = first.spotPrice(ledger);
    if (inwards(first) === 'buy') return price;
    return price === 0 ? 0 : 1 / price;
  }

  private inLamports(
    ledger: Ledger,
    { baseRaw, quoteRaw }: { readonly baseRaw: bigint; readonly quoteRaw: bigint },
  ): { readonly baseRaw: bigint; readonly quoteRaw: bigint } {
    const lamports = Math.floor(Number(quoteRaw) * this.lamportsPerUnit(ledger));
    return { baseRaw, quoteRaw: BigInt(lamports) };
  }
}

/** The pool behind a path or a routed market. */
export function underlying(market: Market): Market {
  return market instanceof PathMarket ? market.last : market;
}

/**
 * The message version for one trade on a market, if the sender would use `version`. Two swaps fit
 * into a packet only with keys from a lookup table.
 */
export function versionFor<Version>(market: Market, version: Version): Version | 0 {
  return market instanceof PathMarket ? 0 : version;
}

/** The side of the first pool on the way in: a buy if SOL is its quote, otherwise a sale. */
function inwards({ quoteMint }: Market): Side {
  return quoteMint === WRAPPED_SOL ? 'buy' : 'sell';
}

function outwards(market: Market): Side {
  return inwards(market) === 'buy' ? 'sell' : 'buy';
}
