import type { Side } from '../../src/model/chain-event.ts';
import { TOKEN_2022_PROGRAM, WRAPPED_SOL } from '../../src/model/program.ts';
import type { Address } from '../../src/model/units.ts';
import { type Execution, MISSING_ACCOUNT, ProgramFailure } from '../chain/execution.ts';
import { InstructionBytes } from '../chain/instruction-bytes.ts';
import type { Ledger } from '../chain/ledger.ts';
import type { TokenAccounts } from '../programs/associated-token.ts';
import { transferLamports } from '../programs/system.ts';
import { type TokenMove, transferTokens, transferTokensChecked } from '../programs/token.ts';
import type { Market, SwapRequest } from './market.ts';
import { reportTrade } from './pool-parts.ts';
import { buyUses, type PumpCurveAccounts, sellUses } from './pump-curve-accounts.ts';
import {
  buyTokens,
  buyWithBudget,
  CURVE_FEES,
  type CurveReserves,
  curveMarketCap,
  paidToSeller,
  reservesAfter,
  sellTokens,
} from './pump-curve-math.ts';
import {
  BUYBACK_BPS,
  type CurveMoment,
  completeEvent,
  type ToldTrade,
  tradeEvent,
} from './pump-events.ts';
import { askForFees, emitPumpEvent, feeRecipientOf, PUMP } from './pump-program.ts';

/** Codes of the program's IDL. */
const FAILURE = {
  tooMuchSolRequired: 6_002,
  tooLittleSolReceived: 6_003,
  curveComplete: 6_005,
  buyZero: 6_020,
  sellZero: 6_022,
  notEnoughTokensToSell: 6_023,
  overflow: 6_024,
  tooFewTokens: 6_042,
} as const;

/** What the program keeps in a curve's account. */
export interface PumpCurveState extends CurveReserves {
  readonly isComplete: boolean;
}

/** A purchase of a number of tokens for at most so many lamports, fees included. */
export interface TokenPurchase {
  readonly trader: Address;
  readonly tokensRaw: bigint;
  readonly maxLamports: bigint;
}

/** A trade while it is carried out. */
interface Fill extends Pick<ToldTrade, 'trade' | 'isBuy' | 'instruction' | 'feeRecipient'> {
  readonly trader: Address;
  readonly state: PumpCurveState;
  readonly buybackFeeRaw: bigint;
}

/**
 * A pump.fun bonding curve that is quoted in lamports: constant product of virtual reserves, fees on
 * top of buys and off sales. Purchases by budget are `buy_exact_sol_in`, of which a lamport or two
 * may stay with the buyer; `buy` takes a number of tokens.
 */
export class PumpCurve implements Market {
  readonly venue = 'pump';
  readonly quoteMint = WRAPPED_SOL;
  readonly takesLamports = true;
  readonly pool: Address;
  readonly baseMint: Address;
  readonly accounts: PumpCurveAccounts;
  readonly vault: Address;
  private readonly tokenAccounts: TokenAccounts;

  constructor(accounts: PumpCurveAccounts, tokenAccounts: TokenAccounts) {
    this.accounts = accounts;
    this.pool = accounts.curve;
    this.baseMint = accounts.mint;
    this.tokenAccounts = tokenAccounts;
    this.vault = tokenAccounts.of(accounts.curve, accounts.mint);
  }

  /** What stands in the curve's account; null before the launch. */
  state(ledger: Ledger): PumpCurveState | null {
    return ledger.get(this.pool).state as PumpCurveState | null;
  }

  isOpen(ledger: Ledger): boolean {
    return this.state(ledger)?.isComplete === false;
  }

  quote(ledger: Ledger, side: Side, amountInRaw: bigint): bigint {
    const state = this.state(ledger);
    if (state === null || state.isComplete || amountInRaw <= 0n) return 0n;
    if (side === 'buy') return buyWithBudget(state, amountInRaw, CURVE_FEES).baseRaw;
    const paid = paidToSeller(sellTokens(state, amountInRaw, CURVE_FEES));
    return paid < 0n ? 0n : paid;
  }

  /** Zero before the launch and once migrated. */
  spotPrice(ledger: Ledger): number {
    const state = this.state(ledger);
    if (state === null || state.virtualBaseRaw === 0n) return 0;
    return Number(state.virtualQuoteRaw) / Number(state.virtualBaseRaw);
  }

  /** Tokens still for sale, without those put by for the migration, and lamports above rent. */
  reserves(ledger: Ledger): { readonly baseRaw: bigint; readonly quoteRaw: bigint } {
    const state = this.state(ledger);
    return { baseRaw: state?.realBaseRaw ?? 0n, quoteRaw: state?.realQuoteRaw ?? 0n };
  }

  swap(execution: Execution, { trader, side, amountInRaw, minOutRaw }: SwapRequest): void {
    if (side === 'sell') this.sell(execution, trader, amountInRaw, minOutRaw);
    else this.buyWithBudget(execution, trader, amountInRaw, minOutRaw);
  }

  /** Invokes `buy`: a number of tokens, or those left when it is more. */
  buyTokens(execution: Execution, { trader, tokensRaw, maxLamports }: TokenPurchase): void {
    const data = tradeData('66063d1201daebea', tokensRaw, maxLamports).bool(false).done();
    this.invoke(execution, trader, 'buy', data, (feeRecipient) => {
      execution.log('Instruction: Buy');
      const state = this.openState(execution);
      const trade = buyTokens(state, tokensRaw, CURVE_FEES);
      if (trade.baseRaw === 0n) throw new ProgramFailure(FAILURE.buyZero, 'Buy zero amount');
      const cost = trade.quoteRaw + trade.protocolFeeRaw + trade.creatorFeeRaw;
      if (cost > maxLamports) {
        throw new ProgramFailure(FAILURE.tooMuchSolRequired, 'slippage: Too much SOL required');
      }
      const fill = fillOf({ trader, state, trade, isBuy: true, instruction: 'buy', feeRecipient });
      this.carryOutBuy(execution, fill, cost);
    });
  }

  private buyWithBudget(
    execution: Execution,
    trader: Address,
    lamports: bigint,
    minTokensRaw: bigint,
  ): void {
    const data = tradeData('38fc74089edfcd5f', lamports, minTokensRaw).bool(false).done();
    const instruction = 'buy_exact_sol_in';
    this.invoke(execution, trader, 'buy', data, (feeRecipient) => {
      execution.log('Instruction: BuyExactSolIn');
      const state = this.openState(execution);
      const trade = buyWithBudget(state, lamports, CURVE_FEES);
      if (trade.baseRaw === 0n) throw new ProgramFailure(FAILURE.buyZero, 'Buy zero amount');
      if (trade.baseRaw < minTokensRaw) {
        throw new ProgramFailure(FAILURE.tooFewTokens, 'Slippage: Would buy less tokens');
      }
      const fill = fillOf({ trader, state, trade, isBuy: true, instruction, feeRecipient });
      this.carryOutBuy(execution, fill, lamports);
    });
  }

  private sell(
    execution: Execution,
    trader: Address,
    tokensRaw: bigint,
    minLamports: bigint,
  ): void {
    const data = tradeData('33e685a4017f83ad', tokensRaw, minLamports).done();
    this.invoke(execution, trader, 'sell', data, (feeRecipient) => {
      execution.log('Instruction: Sell');
      const state = this.openState(execution);
      if (tokensRaw === 0n) throw new ProgramFailure(FAILURE.sellZero, 'Sell zero amount');
      if (execution.ledger.token(this.userBase(trader)).amountRaw < tokensRaw) {
        throw new ProgramFailure(FAILURE.notEnoughTokensToSell, 'Not enough tokens to sell');
      }
      const trade = sellTokens(state, tokensRaw, CURVE_FEES);
      const paid = paidToSeller(trade);
      if (paid < 0n) throw new ProgramFailure(FAILURE.overflow, 'Overflow');
      if (paid < minLamports) {
        throw new ProgramFailure(FAILURE.tooLittleSolReceived, 'slippage: Too little SOL received');
      }
      const fill = fillOf({
        trader,
        state,
        trade,
        isBuy: false,
        instruction: 'sell',
        feeRecipient,
      });
      this.carryOutSale(execution, fill, paid);
    });
  }

  private carryOutBuy(execution: Execution, fill: Fill, tradeLamports: bigint): void {
    const { trader, trade, buybackFeeRaw, feeRecipient } = fill;
    const { curve, creatorVault } = this.accounts;
    this.askForFees(execution, fill, tradeLamports);
    const to = this.userBase(trader);
    this.moveTokens(execution, {
      from: this.vault,
      to,
      authority: curve,
      amountRaw: trade.baseRaw,
    });
    transferLamports(execution, trader, creatorVault, trade.creatorFeeRaw);
    transferLamports(execution, trader, curve, trade.quoteRaw);
    transferLamports(execution, trader, PUMP.buybackRecipient, buybackFeeRaw);
    transferLamports(execution, trader, feeRecipient, trade.protocolFeeRaw - buybackFeeRaw);
    this.settle(execution, fill);
  }

  /** A sale pays out of the curve's account without instructions. */
  private carryOutSale(execution: Execution, fill: Fill, paid: bigint): void {
    const { trader, trade, buybackFeeRaw, feeRecipient } = fill;
    const { curve, creatorVault } = this.accounts;
    this.askForFees(execution, fill, trade.quoteRaw);
    const from = this.userBase(trader);
    this.moveTokens(execution, {
      from,
      to: this.vault,
      authority: trader,
      amountRaw: trade.baseRaw,
    });
    execution.moveLamports(curve, trader, paid);
    execution.moveLamports(curve, creatorVault, trade.creatorFeeRaw);
    execution.moveLamports(curve, PUMP.buybackRecipient, buybackFeeRaw);
    execution.moveLamports(curve, feeRecipient, trade.protocolFeeRaw - buybackFeeRaw);
    this.settle(execution, fill);
  }

  /** Writes the curve's account and tells of the trade, and of the end when it was the last. */
  private settle(execution: Execution, fill: Fill): void {
    const { trader, trade, isBuy, state } = fill;
    const reserves = reservesAfter(state, trade, isBuy);
    const isComplete = reserves.realBaseRaw === 0n;
    const after: PumpCurveState = { ...reserves, isComplete };
    execution.change(this.pool, { state: after });
    const moment = this.momentOf(execution, trader);
    emitPumpEvent(execution, PUMP, tradeEvent(moment, { ...fill, reserves }));
    if (isComplete) emitPumpEvent(execution, PUMP, completeEvent(moment));
    const { pool, baseMint } = this;
    const { baseRaw, quoteRaw } = trade;
    reportTrade(execution, this, { trader, side: isBuy ? 'buy' : 'sell', baseRaw, quoteRaw });
    if (isComplete) execution.report({ kind: 'curveComplete', mint: baseMint, pool });
  }

  /** What events say beside amounts. */
  momentOf({ clock }: Execution, user: Address): CurveMoment {
    const { mint, curve, creator } = this.accounts;
    return { mint, curve, creator, user, unixTime: clock.unixTime };
  }

  private openState({ ledger }: Execution): PumpCurveState {
    const state = this.state(ledger);
    if (state === null) throw new ProgramFailure(MISSING_ACCOUNT, 'AccountNotInitialized');
    if (state.isComplete) {
      throw new ProgramFailure(FAILURE.curveComplete, 'The bonding curve has completed');
    }
    return state;
  }

  private askForFees(execution: Execution, { state }: Fill, tradeLamports: bigint): void {
    const marketCapLamports = curveMarketCap(state);
    askForFees(execution, PUMP, { isPumpPool: true, marketCapLamports, tradeLamports });
  }

  /** Mints of Token-2022 move with their decimals checked, older ones as they always did. */
  private moveTokens(execution: Execution, move: TokenMove): void {
    if (this.accounts.tokenProgram === TOKEN_2022_PROGRAM) transferTokensChecked(execution, move);
    else transferTokens(execution, move);
  }

  private userBase(trader: Address): Address {
    return this.tokenAccounts.of(trader, this.baseMint);
  }

  private invoke(
    execution: Execution,
    trader: Address,
    side: Side,
    data: Uint8Array,
    body: (feeRecipient: Address) => void,
  ): void {
    const feeRecipient = feeRecipientOf(execution);
    const userBase = this.userBase(trader);
    const userVolume = this.tokenAccounts.of(trader, PUMP.globalVolume);
    const user = { trader, userBase, userVolume, feeRecipient };
    const { accounts, vault } = this;
    const uses = side === 'buy' ? buyUses(accounts, vault, user) : sellUses(accounts, vault, user);
    execution.invoke(PUMP.program, uses, data, () => {
      execution.ledger.token(userBase);
      body(feeRecipient);
    });
  }
}

function tradeData(discriminator: string, amount: bigint, limit: bigint): InstructionBytes {
  return new InstructionBytes().hex(discriminator).u64(amount).u64(limit);
}

function fillOf(fill: Omit<Fill, 'buybackFeeRaw'>): Fill {
  return { ...fill, buybackFeeRaw: (fill.trade.protocolFeeRaw * BUYBACK_BPS) / 10_000n };
}
