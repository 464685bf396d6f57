import { WRAPPED_SOL } from '../../src/model/program.ts';
import type { Side } from '../../src/model/swap.ts';
import type { Address } from '../../src/model/units.ts';
import { type Execution, MISSING_ACCOUNT, ProgramFailure } from '../chain/execution.ts';
import type { Ledger } from '../chain/ledger.ts';
import type { TokenAccounts } from '../programs/associated-token.ts';
import type { VenueContext } from './launchpad.ts';
import type { Market, SwapRequest } from './market.ts';
import type { PumpCurveAccounts } from './pump-curve-accounts.ts';
import { type CurveFill, costOf, fillByBudget, fillByTokens, tokensOf } from './pump-curve-fill.ts';
import {
  buyWithBudget,
  CURVE_FEES,
  type CurveFees,
  type CurveReserves,
  MIGRATION_FEE_LAMPORTS,
  paidToSeller,
  sellTokens,
} from './pump-curve-math.ts';
import type { PumpCurveState, TradedCurve } from './pump-curve-state.ts';
import { CurveTrades } from './pump-curve-trade.ts';
import type { CurveMoment } from './pump-events.ts';
import { FIRST_STYLE, type PumpForm, type TradeStyles } from './trade-style.ts';

/** Error codes of the program's IDL. */
const FAILURE = {
  tooMuchSolRequired: 6_002,
  tooLittleSolReceived: 6_003,
  curveComplete: 6_005,
  buyZero: 6_020,
  notEnoughTokensToBuy: 6_021,
  sellZero: 6_022,
  notEnoughTokensToSell: 6_023,
  overflow: 6_024,
  tooFewTokens: 6_042,
} as const;

/** The properties of a single coin. */
export interface CoinTerms {
  /** The coin's own rate of creator fees; null if the program's rate applies. */
  readonly creatorBps: bigint | null;
  /** Creator fees go to holders: the creator is an address of the program. */
  readonly isHolderReward: boolean;
  /** 1 for a coin that is quoted in another coin of the launchpad, otherwise 0. */
  readonly depth: number;
}

export const PLAIN_TERMS: CoinTerms = { creatorBps: null, isHolderReward: false, depth: 0 };

/** A purchase of a number of tokens for a maximum of quote, including fees. */
export interface TokenPurchase {
  readonly trader: Address;
  readonly tokensRaw: bigint;
  readonly maxLamports: bigint;
  readonly form?: PumpForm;
}

/**
 * A pump.fun bonding curve, quoted in lamports or in a token: constant product of virtual reserves,
 * with fees added to buys and deducted from sales. Purchases by budget are `buy_exact_sol_in` or
 * `buy_exact_quote_in_*`, of which a unit or two may stay with the buyer; `buy*` takes a number of
 * tokens. Trades that keep their fees may continue past the curve's end, on the pool's first
 * reserves.
 */
export class PumpCurve implements Market, TradedCurve {
  readonly venue = 'pump';
  readonly quoteMint: Address;
  readonly takesLamports: boolean;
  readonly pool: Address;
  readonly baseMint: Address;
  readonly accounts: PumpCurveAccounts;
  readonly terms: CoinTerms;
  readonly fees: CurveFees;
  readonly vault: Address;
  readonly tokenAccounts: TokenAccounts;
  private readonly styleOf: TradeStyles;
  readonly trades: CurveTrades;

  constructor(accounts: PumpCurveAccounts, context: VenueContext, terms: CoinTerms = PLAIN_TERMS) {
    this.accounts = accounts;
    this.terms = terms;
    this.fees = { ...CURVE_FEES, creatorBps: terms.creatorBps ?? CURVE_FEES.creatorBps };
    this.pool = accounts.curve;
    this.baseMint = accounts.mint;
    this.quoteMint = accounts.quoteMint;
    this.takesLamports = accounts.quoteMint === WRAPPED_SOL;
    this.tokenAccounts = context.tokenAccounts;
    this.vault = context.tokenAccounts.of(accounts.curve, accounts.mint);
    this.styleOf = context.tradeStyleOf ?? (() => FIRST_STYLE);
    this.trades = new CurveTrades(this);
  }

  /** The contents of the curve's account; null before the launch. */
  state(ledger: Ledger): PumpCurveState | null {
    return ledger.get(this.pool).state as PumpCurveState | null;
  }

  isOpen(ledger: Ledger): boolean {
    return this.state(ledger)?.isComplete === false;
  }

  quote(ledger: Ledger, side: Side, amountInRaw: bigint): bigint {
    const state = this.state(ledger);
    if (state === null || state.isComplete || amountInRaw <= 0n) return 0n;
    if (side === 'buy') return buyWithBudget(state, amountInRaw, this.fees).baseRaw;
    const paid = paidToSeller(sellTokens(state, amountInRaw, this.fees));
    return paid < 0n ? 0n : paid;
  }

  /** Zero before the launch and after the migration. */
  spotPrice(ledger: Ledger): number {
    const state = this.state(ledger);
    if (state === null || state.virtualBaseRaw === 0n) return 0;
    return Number(state.virtualQuoteRaw) / Number(state.virtualBaseRaw);
  }

  /**
   * Tokens still for sale, without those reserved for the migration, and quote without kept fees.
   */
  reserves(ledger: Ledger): { readonly baseRaw: bigint; readonly quoteRaw: bigint } {
    const state = this.state(ledger);
    return { baseRaw: state?.realBaseRaw ?? 0n, quoteRaw: state?.realQuoteRaw ?? 0n };
  }

  /** The reserves that determine the price; zero before the launch and after the migration. */
  virtualReserves(ledger: Ledger): { readonly baseRaw: bigint; readonly quoteRaw: bigint } {
    const state = this.state(ledger);
    return { baseRaw: state?.virtualBaseRaw ?? 0n, quoteRaw: state?.virtualQuoteRaw ?? 0n };
  }

  swap(execution: Execution, request: SwapRequest): void {
    const { trader, side, amountInRaw, minOutRaw } = request;
    const { form, asksForTokens } = request.style ?? this.styleOf(trader);
    if (side === 'sell') {
      this.sell(execution, { trader, form, tokensRaw: amountInRaw, minRaw: minOutRaw });
      return;
    }
    const tokensRaw = asksForTokens ? this.tokensFor(execution.ledger, form, amountInRaw) : 0n;
    if (tokensRaw > 0n && tokensRaw >= minOutRaw) {
      this.buyTokens(execution, { trader, form, tokensRaw, maxLamports: amountInRaw });
    } else {
      this.buyWithBudget(execution, { trader, form, spendRaw: amountInRaw, minRaw: minOutRaw });
    }
  }

  /** Invokes `buy`, `buy_v2` or `buy_v3`: a number of tokens, or those left if fewer. */
  buyTokens(execution: Execution, purchase: TokenPurchase): void {
    const { trader, tokensRaw, maxLamports, form = 'v1' } = purchase;
    this.trades.buy(execution, { trader, form, amount: tokensRaw, limit: maxLamports }, 'buy', {
      decide: (state, isKept) => {
        const coming = this.coming(execution.ledger, state, isKept);
        const fill = fillByTokens(state, coming, tokensRaw, this.fees);
        if (fill === null) {
          throw new ProgramFailure(FAILURE.notEnoughTokensToBuy, 'Not enough tokens to buy');
        }
        refuseNothing(fill);
        if (costOf(fill) > maxLamports) {
          throw new ProgramFailure(FAILURE.tooMuchSolRequired, 'slippage: Too much SOL required');
        }
        return { fill, tradeRaw: costOf(fill) };
      },
    });
  }

  private buyWithBudget(
    execution: Execution,
    order: {
      readonly trader: Address;
      readonly form: PumpForm;
      readonly spendRaw: bigint;
      readonly minRaw: bigint;
    },
  ): void {
    const { trader, form, spendRaw, minRaw } = order;
    this.trades.buy(execution, { trader, form, amount: spendRaw, limit: minRaw }, 'budget', {
      decide: (state, isKept) => {
        const coming = this.coming(execution.ledger, state, isKept);
        const fill = fillByBudget(state, coming, spendRaw, this.fees);
        refuseNothing(fill);
        if (tokensOf(fill) < minRaw) {
          throw new ProgramFailure(FAILURE.tooFewTokens, 'Slippage: Would buy less tokens');
        }
        return { fill, tradeRaw: spendRaw };
      },
    });
  }

  private sell(
    execution: Execution,
    order: {
      readonly trader: Address;
      readonly form: PumpForm;
      readonly tokensRaw: bigint;
      readonly minRaw: bigint;
    },
  ): void {
    const { trader, form, tokensRaw, minRaw } = order;
    this.trades.sell(execution, { trader, form, amount: tokensRaw, limit: minRaw }, (state) => {
      if (tokensRaw === 0n) throw new ProgramFailure(FAILURE.sellZero, 'Sell zero amount');
      if (execution.ledger.token(this.trades.userBase(trader)).amountRaw < tokensRaw) {
        throw new ProgramFailure(FAILURE.notEnoughTokensToSell, 'Not enough tokens to sell');
      }
      const trade = sellTokens(state, tokensRaw, this.fees);
      const paid = paidToSeller(trade);
      if (paid < 0n) throw new ProgramFailure(FAILURE.overflow, 'Overflow');
      if (paid < minRaw) {
        throw new ProgramFailure(FAILURE.tooLittleSolReceived, 'slippage: Too little SOL received');
      }
      return trade;
    });
  }

  /** Tokens that an amount currently buys by a form; 0n if none. */
  private tokensFor(ledger: Ledger, form: PumpForm, spendRaw: bigint): bigint {
    const state = this.state(ledger);
    if (state === null || state.isComplete) return 0n;
    const coming = this.coming(ledger, state, form === 'kept');
    return tokensOf(fillByBudget(state, coming, spendRaw, this.fees));
  }

  /** The future pool, for purchases that may continue in it. */
  private coming(ledger: Ledger, state: CurveReserves, isKept: boolean) {
    if (!isKept) return null;
    const reservedRaw = ledger.heldRaw(this.vault) - state.realBaseRaw;
    return { reservedRaw, migrationFeeRaw: this.migrationFeeRaw };
  }

  /** The migration's fee; zero for quotes other than SOL. */
  get migrationFeeRaw(): bigint {
    return this.takesLamports ? MIGRATION_FEE_LAMPORTS : 0n;
  }

  /** The fields of events other than amounts. */
  momentOf({ clock }: Execution, user: Address): CurveMoment {
    const { mint, curve, creator, quoteMint } = this.accounts;
    const { isHolderReward } = this.terms;
    return { mint, curve, creator, user, quoteMint, isHolderReward, unixTime: clock.unixTime };
  }

  /** The state; fails like the program before the launch and after the end. */
  openState({ ledger }: Execution): PumpCurveState {
    const state = this.state(ledger);
    if (state === null) throw new ProgramFailure(MISSING_ACCOUNT, 'AccountNotInitialized');
    if (state.isComplete) {
      throw new ProgramFailure(FAILURE.curveComplete, 'The bonding curve has completed');
    }
    return state;
  }
}

function refuseNothing({ trade }: CurveFill): void {
  if (trade.baseRaw === 0n) throw new ProgramFailure(FAILURE.buyZero, 'Buy zero amount');
}
