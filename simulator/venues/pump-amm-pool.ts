import type { Side } from '../../src/model/swap.ts';
import type { Address } from '../../src/model/units.ts';
import { type Execution, ProgramFailure } from '../chain/execution.ts';
import type { Ledger } from '../chain/ledger.ts';
import type { TokenAccounts } from '../programs/associated-token.ts';
import type { LiquidityPool, VenueContext } from './launchpad.ts';
import type { SwapRequest } from './market.ts';
import type { PoolAddresses } from './pump-amm-accounts.ts';
import { canonicalFees, FLAT_FEES, ownFees } from './pump-amm-fees.ts';
import { deposit, type Provision, withdraw } from './pump-amm-liquidity.ts';
import {
  buyTokens,
  buyWithBudget,
  buyWithBudgetKept,
  keptOf,
  type PoolFees,
  type PoolReserves,
  type PoolTrade,
  sellTokens,
} from './pump-amm-math.ts';
import { effectivePoolReserves, poolReserves, poolState } from './pump-amm-state.ts';
import { PoolSwaps } from './pump-amm-swap.ts';
import { FIRST_STYLE, type PumpForm, type TradeStyles } from './trade-style.ts';

/** Error codes of the program's IDL. */
const FAILURE = {
  zeroBase: 6_001,
  zeroQuote: 6_002,
  slippage: 6_004,
  moreThanReserves: 6_016,
  tooFewTokens: 6_040,
  tooLittleInVault: 6_063,
} as const;

/** A purchase of a number of tokens for a maximum of quote, including fees. */
export interface PoolPurchase {
  readonly trader: Address;
  readonly tokensRaw: bigint;
  readonly maxQuoteRaw: bigint;
  readonly form?: PumpForm;
}

/** A swap by amount: the exact amount, and the minimum output. */
interface PoolOrder {
  readonly trader: Address;
  readonly form: PumpForm;
  readonly amountRaw: bigint;
  readonly minRaw: bigint;
}

/**
 * A PumpSwap pool: constant product of its two token accounts and a signed virtual quote. Fees are
 * always in quote; the part for liquidity stays in the pool, and trades that keep their fees leave
 * the rest there too, until it is swept. Purchases by budget are `buy_exact_quote_in*`, of which a
 * unit or two may stay with the buyer; `buy*` takes a number of tokens.
 */
export class PumpAmmPool implements LiquidityPool {
  readonly venue = 'pump_amm';
  readonly takesLamports = false;
  readonly pool: Address;
  readonly baseMint: Address;
  readonly quoteMint: Address;
  readonly lpMint: Address;
  readonly addresses: PoolAddresses;
  readonly tokenAccounts: TokenAccounts;
  private readonly styleOf: TradeStyles;
  readonly swaps: PoolSwaps;

  constructor(addresses: PoolAddresses, context: VenueContext) {
    this.addresses = addresses;
    this.pool = addresses.pool;
    this.baseMint = addresses.baseMint;
    this.quoteMint = addresses.quoteMint;
    this.lpMint = addresses.lpMint;
    this.tokenAccounts = context.tokenAccounts;
    this.styleOf = context.tradeStyleOf ?? (() => FIRST_STYLE);
    this.swaps = new PoolSwaps(this);
  }

  isOpen(ledger: Ledger): boolean {
    return poolState(ledger, this.pool) !== null;
  }

  quote(ledger: Ledger, side: Side, amountInRaw: bigint): bigint {
    if (!this.isOpen(ledger) || amountInRaw <= 0n) return 0n;
    const reserves = this.effectiveReserves(ledger);
    const fees = this.fees(ledger);
    if (side === 'buy') return buyWithBudget(reserves, amountInRaw, fees).baseRaw;
    const trade = sellTokens(reserves, amountInRaw, fees);
    return trade.traderQuoteRaw < 0n || !this.canPay(ledger, trade) ? 0n : trade.traderQuoteRaw;
  }

  spotPrice(ledger: Ledger): number {
    const { baseRaw, quoteRaw } = this.effectiveReserves(ledger);
    return baseRaw === 0n ? 0 : Number(quoteRaw) / Number(baseRaw);
  }

  reserves(ledger: Ledger): PoolReserves {
    return poolReserves(ledger, this.addresses);
  }

  effectiveReserves(ledger: Ledger): PoolReserves {
    return effectivePoolReserves(ledger, this.addresses);
  }

  /** The current fees. Pools of curves charge by market capitalisation in SOL. */
  fees(ledger: Ledger): PoolFees {
    const { isCanonical, ownCreatorBps } = this.addresses;
    if (!isCanonical) return FLAT_FEES;
    return ownCreatorBps === null ? canonicalFees(this.marketCap(ledger)) : ownFees(ownCreatorBps);
  }

  marketCap(ledger: Ledger): bigint {
    const { baseRaw, quoteRaw } = this.effectiveReserves(ledger);
    return baseRaw === 0n ? 0n : (quoteRaw * ledger.mint(this.baseMint).supplyRaw) / baseRaw;
  }

  /** The vault may hold less than the reserves that determine the price. */
  private canPay(ledger: Ledger, trade: PoolTrade): boolean {
    return trade.vaultQuoteRaw - keptOf(trade) <= this.reserves(ledger).quoteRaw;
  }

  swap(execution: Execution, request: SwapRequest): void {
    const { trader, side, amountInRaw: amountRaw, minOutRaw: minRaw } = request;
    const { form, asksForTokens } = request.style ?? this.styleOf(trader);
    if (side === 'sell') {
      this.sell(execution, { trader, form, amountRaw, minRaw });
      return;
    }
    const tokensRaw = asksForTokens ? this.quote(execution.ledger, 'buy', amountRaw) : 0n;
    if (tokensRaw > 0n && tokensRaw >= minRaw) {
      this.buyTokens(execution, { trader, form, tokensRaw, maxQuoteRaw: amountRaw });
    } else {
      this.buyWithBudget(execution, { trader, form, amountRaw, minRaw });
    }
  }

  /** Invokes `buy` or `buy_v2`: a number of tokens for whatever they cost. */
  buyTokens(execution: Execution, purchase: PoolPurchase): void {
    const { trader, tokensRaw, maxQuoteRaw, form = 'v1' } = purchase;
    const order = { trader, form, call: 'buy', amount: tokensRaw, limit: maxQuoteRaw } as const;
    this.swaps.invoke(execution, order, (reserves, fees) => {
      const trade = buyTokens(reserves, tokensRaw, fees);
      if (trade === null) {
        throw new ProgramFailure(FAILURE.moreThanReserves, 'BuyMoreBaseAmountThanPoolReserves');
      }
      if (tokensRaw === 0n) throw new ProgramFailure(FAILURE.zeroBase, 'ZeroBaseAmount');
      if (trade.traderQuoteRaw > maxQuoteRaw) {
        throw new ProgramFailure(FAILURE.slippage, 'ExceededSlippage');
      }
      return { trade, quoteLimitRaw: maxQuoteRaw, minBaseRaw: tokensRaw };
    });
  }

  private buyWithBudget(execution: Execution, order: PoolOrder): void {
    const { trader, form, amountRaw, minRaw } = order;
    const request = { trader, form, call: 'budget', amount: amountRaw, limit: minRaw } as const;
    this.swaps.invoke(execution, request, (reserves, fees) => {
      const decide = form === 'kept' ? buyWithBudgetKept : buyWithBudget;
      const trade = decide(reserves, amountRaw, fees);
      if (trade.baseRaw === 0n) throw new ProgramFailure(FAILURE.zeroBase, 'ZeroBaseAmount');
      if (trade.baseRaw < minRaw) throw new ProgramFailure(FAILURE.tooFewTokens, 'buy: slippage');
      return { trade, quoteLimitRaw: amountRaw, minBaseRaw: minRaw };
    });
  }

  private sell(execution: Execution, order: PoolOrder): void {
    const { trader, form, amountRaw, minRaw } = order;
    const request = { trader, form, call: 'sell', amount: amountRaw, limit: minRaw } as const;
    this.swaps.invoke(execution, request, (reserves, fees) => {
      if (amountRaw === 0n) throw new ProgramFailure(FAILURE.zeroBase, 'ZeroBaseAmount');
      const trade = sellTokens(reserves, amountRaw, fees);
      if (trade.traderQuoteRaw <= 0n) {
        throw new ProgramFailure(FAILURE.zeroQuote, 'ZeroQuoteAmount');
      }
      if (trade.traderQuoteRaw < minRaw) {
        throw new ProgramFailure(FAILURE.slippage, 'ExceededSlippage');
      }
      if (!this.canPay(execution.ledger, trade)) {
        throw new ProgramFailure(FAILURE.tooLittleInVault, 'InsufficientRealQuoteReserves');
      }
      return { trade, quoteLimitRaw: minRaw, minBaseRaw: 0n };
    });
  }

  addLiquidity(execution: Execution, provider: Address, baseRaw: bigint, quoteRaw: bigint): void {
    deposit(execution, this.provisionOf(provider), { baseRaw, quoteRaw });
  }

  removeLiquidity(execution: Execution, provider: Address, lpRaw: bigint): void {
    withdraw(execution, this.provisionOf(provider), lpRaw);
  }

  private provisionOf(provider: Address): Provision {
    return { addresses: this.addresses, tokenAccounts: this.tokenAccounts, provider };
  }
}
