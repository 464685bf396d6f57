import type { Side } from '../../src/model/chain-event.ts';
import type { Address } from '../../src/model/units.ts';
import { type Execution, ProgramFailure } from '../chain/execution.ts';
import { InstructionBytes } from '../chain/instruction-bytes.ts';
import type { Ledger } from '../chain/ledger.ts';
import { ensureTokenAccount, type TokenAccounts } from '../programs/associated-token.ts';
import { transferTokensChecked } from '../programs/token.ts';
import type { LiquidityPool } from './launchpad.ts';
import type { SwapRequest } from './market.ts';
import { reportTrade } from './pool-parts.ts';
import { type PoolAddresses, swapUses } from './pump-amm-accounts.ts';
import { buyEvent, sellEvent, type ToldSwap } from './pump-amm-events.ts';
import { canonicalFees, FLAT_FEES } from './pump-amm-fees.ts';
import { deposit, type Provision, withdraw } from './pump-amm-liquidity.ts';
import {
  buyTokens,
  buyWithBudget,
  type PoolFees,
  type PoolReserves,
  sellTokens,
} from './pump-amm-math.ts';
import { openPoolState, poolMoment, poolReserves, poolState } from './pump-amm-state.ts';
import { askForFees, emitPumpEvent, feeRecipientOf, PUMP_AMM } from './pump-program.ts';

/** Codes of the program's IDL. */
const FAILURE = {
  zeroBase: 6_001,
  zeroQuote: 6_002,
  slippage: 6_004,
  moreThanReserves: 6_016,
  tooFewTokens: 6_040,
} as const;

/** A purchase of a number of tokens for at most so much quote, fees included. */
export interface PoolPurchase {
  readonly trader: Address;
  readonly tokensRaw: bigint;
  readonly maxQuoteRaw: bigint;
}

/** A swap that is about to move tokens. */
type Fill = Omit<ToldSwap, 'feeRecipientQuote' | 'coinCreator'> & { readonly trader: Address };

/**
 * A PumpSwap pool: constant product of what its two token accounts hold. Fees are always in quote;
 * the part for liquidity stays in the pool. Purchases by budget are `buy_exact_quote_in`, of which a
 * unit or two may stay with the buyer; `buy` takes a number of tokens.
 */
export class PumpAmmPool implements LiquidityPool {
  readonly venue = 'pump_amm';
  readonly takesLamports = false;
  readonly pool: Address;
  readonly baseMint: Address;
  readonly quoteMint: Address;
  readonly lpMint: Address;
  readonly addresses: PoolAddresses;
  private readonly tokenAccounts: TokenAccounts;

  constructor(addresses: PoolAddresses, tokenAccounts: TokenAccounts) {
    this.addresses = addresses;
    this.pool = addresses.pool;
    this.baseMint = addresses.baseMint;
    this.quoteMint = addresses.quoteMint;
    this.lpMint = addresses.lpMint;
    this.tokenAccounts = tokenAccounts;
  }

  isOpen(ledger: Ledger): boolean {
    return poolState(ledger, this.pool) !== null;
  }

  quote(ledger: Ledger, side: Side, amountInRaw: bigint): bigint {
    if (!this.isOpen(ledger) || amountInRaw <= 0n) return 0n;
    const reserves = this.reserves(ledger);
    const fees = this.fees(ledger);
    if (side === 'buy') return buyWithBudget(reserves, amountInRaw, fees).baseRaw;
    const { traderQuoteRaw } = sellTokens(reserves, amountInRaw, fees);
    return traderQuoteRaw < 0n ? 0n : traderQuoteRaw;
  }

  spotPrice(ledger: Ledger): number {
    const { baseRaw, quoteRaw } = this.reserves(ledger);
    return baseRaw === 0n ? 0 : Number(quoteRaw) / Number(baseRaw);
  }

  reserves(ledger: Ledger): PoolReserves {
    return poolReserves(ledger, this.addresses);
  }

  /** What a trade is charged now. Pools of curves charge by market capitalisation. */
  fees(ledger: Ledger): PoolFees {
    return this.addresses.isCanonical ? canonicalFees(this.marketCap(ledger)) : FLAT_FEES;
  }

  private marketCap(ledger: Ledger): bigint {
    const { baseRaw, quoteRaw } = this.reserves(ledger);
    return baseRaw === 0n ? 0n : (quoteRaw * ledger.mint(this.baseMint).supplyRaw) / baseRaw;
  }

  swap(execution: Execution, { trader, side, amountInRaw, minOutRaw }: SwapRequest): void {
    if (side === 'sell') this.sell(execution, trader, amountInRaw, minOutRaw);
    else this.buyWithBudget(execution, trader, amountInRaw, minOutRaw);
  }

  /** Invokes `buy`: a number of tokens for whatever they cost. */
  buyTokens(execution: Execution, { trader, tokensRaw, maxQuoteRaw }: PoolPurchase): void {
    const data = swapData('66063d1201daebea', tokensRaw, maxQuoteRaw).bool(false).done();
    this.invokeSwap(execution, trader, 'buy', data, (reserves, fees) => {
      execution.log('Instruction: Buy');
      const trade = buyTokens(reserves, tokensRaw, fees);
      if (trade === null) {
        throw new ProgramFailure(FAILURE.moreThanReserves, 'BuyMoreBaseAmountThanPoolReserves');
      }
      if (tokensRaw === 0n) throw new ProgramFailure(FAILURE.zeroBase, 'ZeroBaseAmount');
      if (trade.traderQuoteRaw > maxQuoteRaw) {
        throw new ProgramFailure(FAILURE.slippage, 'ExceededSlippage');
      }
      return { trade, quoteLimitRaw: maxQuoteRaw, minBaseRaw: tokensRaw, instruction: 'buy' };
    });
  }

  private buyWithBudget(
    execution: Execution,
    trader: Address,
    quoteRaw: bigint,
    minBaseRaw: bigint,
  ): void {
    const data = swapData('c62e1552b4d9e870', quoteRaw, minBaseRaw).bool(false).done();
    this.invokeSwap(execution, trader, 'buy', data, (reserves, fees) => {
      execution.log('Instruction: BuyExactQuoteIn');
      const trade = buyWithBudget(reserves, quoteRaw, fees);
      if (trade.baseRaw === 0n) throw new ProgramFailure(FAILURE.zeroBase, 'ZeroBaseAmount');
      if (trade.baseRaw < minBaseRaw) {
        throw new ProgramFailure(FAILURE.tooFewTokens, 'buy: slippage');
      }
      return { trade, quoteLimitRaw: quoteRaw, minBaseRaw, instruction: 'buy_exact_quote_in' };
    });
  }

  private sell(execution: Execution, trader: Address, baseRaw: bigint, minQuoteRaw: bigint): void {
    const data = swapData('33e685a4017f83ad', baseRaw, minQuoteRaw).done();
    this.invokeSwap(execution, trader, 'sell', data, (reserves, fees) => {
      execution.log('Instruction: Sell');
      if (baseRaw === 0n) throw new ProgramFailure(FAILURE.zeroBase, 'ZeroBaseAmount');
      const trade = sellTokens(reserves, baseRaw, fees);
      if (trade.traderQuoteRaw <= 0n) {
        throw new ProgramFailure(FAILURE.zeroQuote, 'ZeroQuoteAmount');
      }
      if (trade.traderQuoteRaw < minQuoteRaw) {
        throw new ProgramFailure(FAILURE.slippage, 'ExceededSlippage');
      }
      return { trade, quoteLimitRaw: minQuoteRaw, minBaseRaw: 0n, instruction: 'sell' };
    });
  }

  /** Runs a swap whose amounts `decide` works out from reserves and fees. */
  private invokeSwap(
    execution: Execution,
    trader: Address,
    side: Side,
    data: Uint8Array,
    decide: (
      reserves: PoolReserves,
      fees: PoolFees,
    ) => Omit<Fill, 'trader' | 'fees' | 'feeRecipient'>,
  ): void {
    const { ledger } = execution;
    const feeRecipient = feeRecipientOf(execution);
    const uses = swapUses(this.addresses, ledger, this.tokenAccounts, {
      side,
      trader,
      feeRecipient,
    });
    execution.invoke(PUMP_AMM.program, uses, data, () => {
      openPoolState(ledger, this.pool);
      const fees = this.fees(ledger);
      const decided = decide(this.reserves(ledger), fees);
      this.carryOutSwap(execution, side, { ...decided, trader, fees, feeRecipient });
    });
  }

  private carryOutSwap(execution: Execution, side: Side, fill: Fill): void {
    const { trader, trade, feeRecipient } = fill;
    const { coinCreator, coinCreatorVault } = this.addresses;
    const moment = poolMoment(execution, this.addresses, this.tokenAccounts, trader);
    const feeRecipientQuote = this.openFeeAccount(execution, trader, feeRecipient);
    const creatorQuote =
      trade.creatorFeeRaw === 0n ? null : this.openFeeAccount(execution, trader, coinCreatorVault);
    askForFees(execution, PUMP_AMM, {
      isPumpPool: this.addresses.isCanonical,
      marketCapLamports: this.marketCap(execution.ledger),
      tradeLamports: trade.curveQuoteRaw,
    });
    this.moveLegs(execution, side, fill);
    this.payFee(execution, side, trader, feeRecipientQuote, trade.protocolFeeRaw);
    if (creatorQuote !== null) {
      this.payFee(execution, side, trader, creatorQuote, trade.creatorFeeRaw);
    }
    const told: ToldSwap = { ...fill, feeRecipientQuote, coinCreator };
    const event = side === 'buy' ? buyEvent(moment, told) : sellEvent(moment, told);
    emitPumpEvent(execution, PUMP_AMM, event);
    const { baseRaw, vaultQuoteRaw: quoteRaw } = trade;
    reportTrade(execution, this, { trader, side, baseRaw, quoteRaw });
  }

  private moveLegs(execution: Execution, side: Side, { trader, trade }: Fill): void {
    const { pool, addresses } = this;
    const { baseVault, quoteVault } = addresses;
    const userBase = this.tokenAccounts.of(trader, this.baseMint);
    const userQuote = this.tokenAccounts.of(trader, this.quoteMint);
    const move = (from: Address, to: Address, authority: Address, amountRaw: bigint) =>
      transferTokensChecked(execution, { from, to, authority, amountRaw });
    if (side === 'buy') {
      move(baseVault, userBase, pool, trade.baseRaw);
      move(userQuote, quoteVault, trader, trade.vaultQuoteRaw);
    } else {
      move(userBase, baseVault, trader, trade.baseRaw);
      move(quoteVault, userQuote, pool, trade.traderQuoteRaw);
    }
  }

  /** Buyers pay fees themselves, those of a sale are taken off what the pool gives. */
  private payFee(
    execution: Execution,
    side: Side,
    trader: Address,
    to: Address,
    amountRaw: bigint,
  ): void {
    if (amountRaw === 0n) return;
    const isBuy = side === 'buy';
    const from = isBuy ? this.tokenAccounts.of(trader, this.quoteMint) : this.addresses.quoteVault;
    const authority = isBuy ? trader : this.pool;
    transferTokensChecked(execution, { from, to, authority, amountRaw });
  }

  /** A token account that takes fees; who trades first pays for it. */
  private openFeeAccount(execution: Execution, payer: Address, owner: Address): Address {
    const account = this.tokenAccounts.of(owner, this.quoteMint);
    if (execution.ledger.get(account).token !== null) return account;
    return ensureTokenAccount(execution, this.tokenAccounts, payer, owner, this.quoteMint);
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

function swapData(discriminator: string, amount: bigint, limit: bigint): InstructionBytes {
  return new InstructionBytes().hex(discriminator).u64(amount).u64(limit);
}
