import { TOKEN_2022_PROGRAM } from '../../src/model/program.ts';
import type { Address } from '../../src/model/units.ts';
import type { AccountUse } from '../chain/account-use.ts';
import type { Execution } from '../chain/execution.ts';
import { ensureTokenAccount } from '../programs/associated-token.ts';
import { transferLamports } from '../programs/system.ts';
import { type TokenMove, transferTokens, transferTokensChecked } from '../programs/token.ts';
import { payQuote, reportTrade } from './pool-parts.ts';
import { firstUses, keptUses, secondUses } from './pump-curve-accounts.ts';
import { CURVE_CALLS, type CurveCall, curveCallData } from './pump-curve-calls.ts';
import { type CurveFill, tokensOf } from './pump-curve-fill.ts';
import {
  buybackOf,
  type CurveFees,
  type CurveTrade,
  curveMarketCap,
  keptOf,
  paidToSeller,
  reservesAfter,
} from './pump-curve-math.ts';
import type { PumpCurveState, TradedCurve } from './pump-curve-state.ts';
import { completeEvent, postCompleteEvent, type TradeFields, tradeEvent } from './pump-events.ts';
import { askForFees, emitPumpEvent, feeRecipientOf, PUMP } from './pump-program.ts';
import type { PumpForm } from './trade-style.ts';

/** A trade as in its instruction: the exact amount, and the limit of the other one. */
export interface CurveOrder {
  readonly trader: Address;
  readonly form: PumpForm;
  readonly amount: bigint;
  readonly limit: bigint;
}

interface Decision {
  readonly fill: CurveFill;
  /** The amount for which the program requests its fees. */
  readonly tradeRaw: bigint;
}

/** A trade during its execution. */
export interface FilledTrade {
  readonly trader: Address;
  readonly state: PumpCurveState;
  readonly fill: CurveFill;
  readonly fees: CurveFees;
  readonly isBuy: boolean;
  readonly instruction: TradeFields['instruction'];
  /** Null if fees stay on the curve. */
  readonly feeRecipient: Address | null;
}

/** The trade instructions of one curve, in each of their forms. */
export class CurveTrades {
  private readonly curve: TradedCurve;

  constructor(curve: TradedCurve) {
    this.curve = curve;
  }

  /** Invokes a purchase whose amounts `decide` computes from the state. */
  buy(
    execution: Execution,
    order: CurveOrder,
    call: 'buy' | 'budget',
    { decide }: { decide: (state: PumpCurveState, isKept: boolean) => Decision },
  ): void {
    const form = this.formFor(order.form);
    this.invoke(execution, { ...order, form }, call, (feeRecipient) => {
      const state = this.curve.openState(execution);
      const { fill, tradeRaw } = decide(state, form === 'kept');
      const instruction = CURVE_CALLS[form][call].instruction;
      const { trader } = order;
      const { fees } = this.curve;
      const filled = { trader, state, fill, fees, isBuy: true, instruction, feeRecipient };
      this.carryOutBuy(execution, filled, tradeRaw);
    });
  }

  sell(
    execution: Execution,
    order: CurveOrder,
    decide: (state: PumpCurveState) => CurveTrade,
  ): void {
    const form = this.formFor(order.form);
    this.invoke(execution, { ...order, form }, 'sell', (feeRecipient) => {
      const state = this.curve.openState(execution);
      const fill = { trade: decide(state), beyond: null };
      const { trader } = order;
      const { fees } = this.curve;
      const filled = { trader, state, fill, fees, isBuy: false, instruction: 'sell', feeRecipient };
      this.carryOutSale(execution, filled as FilledTrade);
    });
  }

  /** The oldest instructions only support lamports. */
  private formFor(form: PumpForm): PumpForm {
    return form === 'v1' && !this.curve.takesLamports ? 'v2' : form;
  }

  private carryOutBuy(execution: Execution, filled: FilledTrade, tradeRaw: bigint): void {
    const { curve } = this;
    const { trader, fill, feeRecipient } = filled;
    const { trade, beyond } = fill;
    const { curve: owner, creatorVault } = curve.accounts;
    if (feeRecipient !== null) this.askForFees(execution, filled, tradeRaw);
    const to = this.userBase(trader);
    const amountRaw = tokensOf(fill);
    this.moveTokens(execution, { from: curve.vault, to, authority: owner, amountRaw });
    if (feeRecipient === null) {
      const parts = beyond === null ? [trade] : [trade, beyond];
      const staysRaw = parts.reduce((sum, part) => sum + part.quoteRaw + keptOf(part), 0n);
      const buybackRaw = parts.reduce((sum, part) => sum + buybackOf(part), 0n);
      this.take(execution, trader, owner, staysRaw);
      this.take(execution, trader, PUMP.buybackRecipient, buybackRaw);
    } else {
      this.take(execution, trader, creatorVault, trade.creatorFeeRaw);
      this.take(execution, trader, owner, trade.quoteRaw);
      this.take(execution, trader, PUMP.buybackRecipient, buybackOf(trade));
      this.take(execution, trader, feeRecipient, trade.protocolFeeRaw - buybackOf(trade));
    }
    this.settle(execution, filled);
  }

  /** A sale pays lamports out of the curve's account without instructions. */
  private carryOutSale(execution: Execution, filled: FilledTrade): void {
    const { curve } = this;
    const { trader, fill, feeRecipient } = filled;
    const { trade } = fill;
    const { creatorVault } = curve.accounts;
    if (feeRecipient !== null) this.askForFees(execution, filled, trade.quoteRaw);
    const from = this.userBase(trader);
    this.moveTokens(execution, {
      from,
      to: curve.vault,
      authority: trader,
      amountRaw: trade.baseRaw,
    });
    this.pay(execution, trader, paidToSeller(trade));
    if (feeRecipient !== null) this.pay(execution, creatorVault, trade.creatorFeeRaw);
    this.pay(execution, PUMP.buybackRecipient, buybackOf(trade));
    if (feeRecipient !== null) {
      this.pay(execution, feeRecipient, trade.protocolFeeRaw - buybackOf(trade));
    }
    this.settle(execution, filled);
  }

  /**
   * Writes the curve's account and emits the trade event, and the completion event after the last
   * one.
   */
  settle(execution: Execution, filled: FilledTrade): void {
    const { curve } = this;
    const { trader, fill, fees, isBuy, state, feeRecipient } = filled;
    const { trade, beyond } = fill;
    const reserves = reservesAfter(state, trade, isBuy);
    const isComplete = reserves.realBaseRaw === 0n;
    const parts = beyond === null ? [trade] : [trade, beyond];
    const first = withKept(state, feeRecipient === null ? [trade] : []);
    const after: PumpCurveState = {
      ...withKept(state, feeRecipient === null ? parts : []),
      ...reserves,
      isComplete,
      beyondBaseRaw: beyond?.baseRaw ?? 0n,
      beyondQuoteRaw: beyond?.quoteRaw ?? 0n,
    };
    execution.change(curve.pool, { state: after });
    const moment = curve.momentOf(execution, trader);
    const { pool, baseMint } = curve;
    const creatorUnclaimedRaw = first.creatorFeesRaw;
    const fields: TradeFields = { ...filled, trade, reserves, creatorUnclaimedRaw };
    emitPumpEvent(execution, PUMP, tradeEvent(moment, fields));
    if (isComplete) emitPumpEvent(execution, PUMP, completeEvent(moment));
    if (beyond !== null) {
      emitPumpEvent(execution, PUMP, postCompleteEvent(moment, beyond, fees));
    }
    const sum = (field: (part: CurveTrade) => bigint) =>
      parts.reduce((total, part) => total + field(part), 0n);
    reportTrade(execution, curve, {
      trader,
      side: isBuy ? 'buy' : 'sell',
      baseRaw: sum(({ baseRaw }) => baseRaw),
      quoteRaw: sum(({ quoteRaw }) => quoteRaw),
      keptQuoteRaw: feeRecipient === null ? sum(keptOf) : 0n,
    });
    if (isComplete) execution.report({ kind: 'curveComplete', mint: baseMint, pool });
  }

  private askForFees(execution: Execution, { state }: FilledTrade, tradeLamports: bigint): void {
    const marketCapLamports = curveMarketCap(state);
    askForFees(execution, PUMP, { isPumpPool: true, marketCapLamports, tradeLamports });
  }

  /** Moves quote from the trader to an owner. */
  private take(execution: Execution, trader: Address, owner: Address, amountRaw: bigint): void {
    const { curve } = this;
    const { tokenAccounts } = curve;
    if (curve.takesLamports) {
      transferLamports(execution, trader, owner, amountRaw);
      return;
    }
    const from = tokenAccounts.of(trader, curve.quoteMint);
    const to = this.quoteAccount(execution, trader, owner);
    transferTokensChecked(execution, { from, to, authority: trader, amountRaw });
  }

  /** Moves quote from the curve to an owner. */
  private pay(execution: Execution, owner: Address, amountRaw: bigint): void {
    payQuote(execution, this.curve.tokenAccounts, this.curve, { owner, amountRaw });
  }

  private quoteAccount(execution: Execution, payer: Address, owner: Address): Address {
    const { quoteMint } = this.curve;
    const account = this.curve.tokenAccounts.of(owner, quoteMint);
    if (execution.ledger.get(account).token !== null) return account;
    return ensureTokenAccount(execution, this.curve.tokenAccounts, payer, owner, quoteMint);
  }

  /** Mints of Token-2022 are transferred with a check of their decimals, older ones without. */
  private moveTokens(execution: Execution, move: TokenMove): void {
    const { tokenProgram } = this.curve.accounts;
    if (tokenProgram === TOKEN_2022_PROGRAM) transferTokensChecked(execution, move);
    else transferTokens(execution, move);
  }

  userBase(trader: Address): Address {
    return this.curve.tokenAccounts.of(trader, this.curve.baseMint);
  }

  private invoke(
    execution: Execution,
    order: CurveOrder,
    call: CurveCall,
    body: (feeRecipient: Address | null) => void,
  ): void {
    const { trader, form, amount, limit } = order;
    const { curve } = this;
    const recipient = feeRecipientOf(execution);
    if (!curve.takesLamports) this.openFeeAccounts(execution, trader, form, recipient);
    const data = curveCallData(form, call, amount, limit);
    const uses = this.usesOf(execution, { trader, form, recipient, isBuy: call !== 'sell' });
    execution.invoke(PUMP.program, uses, data, () => {
      execution.ledger.token(this.userBase(trader));
      execution.log(`Instruction: ${CURVE_CALLS[form][call].logged}`);
      body(form === 'kept' ? null : recipient);
    });
  }

  private usesOf(
    { ledger }: Execution,
    order: {
      readonly trader: Address;
      readonly form: PumpForm;
      readonly recipient: Address;
      readonly isBuy: boolean;
    },
  ): readonly AccountUse[] {
    const { trader, form, recipient: feeRecipient, isBuy } = order;
    const { curve } = this;
    const { tokenAccounts } = curve;
    const userBase = this.userBase(trader);
    const userVolume = tokenAccounts.of(trader, PUMP.globalVolume);
    const user = { trader, userBase, userVolume, feeRecipient };
    const around = { tokenAccounts, quoteProgram: ledger.get(curve.quoteMint).program };
    if (form === 'kept') return keptUses(curve.accounts, around, user);
    if (form === 'v2') return secondUses(curve.accounts, around, user, isBuy);
    return firstUses(curve.accounts, curve.vault, user, isBuy);
  }

  /** Token accounts that receive fees; the first trader pays for them. */
  private openFeeAccounts(
    execution: Execution,
    trader: Address,
    form: PumpForm,
    recipient: Address,
  ): void {
    const { creatorVault } = this.curve.accounts;
    const owners =
      form === 'kept' ? [PUMP.buybackRecipient] : [PUMP.buybackRecipient, recipient, creatorVault];
    for (const owner of owners) this.quoteAccount(execution, trader, owner);
  }
}

function withKept(state: PumpCurveState, parts: readonly CurveTrade[]): PumpCurveState {
  let { protocolFeesRaw, creatorFeesRaw } = state;
  for (const part of parts) {
    protocolFeesRaw += part.protocolFeeRaw - buybackOf(part);
    creatorFeesRaw += part.creatorFeeRaw;
  }
  return { ...state, protocolFeesRaw, creatorFeesRaw };
}
