import { SYSTEM_PROGRAM } from '../../src/model/program.ts';
import type { Side } from '../../src/model/swap.ts';
import type { Address } from '../../src/model/units.ts';
import type { Execution } from '../chain/execution.ts';
import { InstructionBytes } from '../chain/instruction-bytes.ts';
import type { Ledger } from '../chain/ledger.ts';
import { ensureTokenAccount, type TokenAccounts } from '../programs/associated-token.ts';
import { transferTokensChecked } from '../programs/token.ts';
import type { Market } from './market.ts';
import { reportTrade } from './pool-parts.ts';
import { keptSwapUses, type PoolAddresses, swapUses } from './pump-amm-accounts.ts';
import { buyEvent, type PoolMoment, type SwapFields, sellEvent } from './pump-amm-events.ts';
import {
  keptOf,
  POOL_BUYBACK_BPS,
  type PoolFees,
  type PoolReserves,
  type PoolTrade,
  poolBuybackOf,
} from './pump-amm-math.ts';
import { openPoolState, type PumpAmmState, poolMoment, virtualQuoteOf } from './pump-amm-state.ts';
import {
  askForFees,
  emitPumpEvent,
  feeRecipientOf,
  PUMP,
  PUMP_AMM,
  type TradeCall,
  tradeCall,
} from './pump-program.ts';
import type { PumpForm } from './trade-style.ts';

type Call = 'buy' | 'budget' | 'sell';

/** The instructions that pay fees immediately, and those that keep them (IDL of October 2026). */
const CALLS: Readonly<
  Record<'paid' | 'kept', Readonly<Record<Call, TradeCall<SwapFields['instruction']>>>>
> = {
  paid: {
    buy: tradeCall('66063d1201daebea', 'Buy', 'buy'),
    budget: tradeCall('c62e1552b4d9e870', 'BuyExactQuoteIn', 'buy_exact_quote_in'),
    sell: tradeCall('33e685a4017f83ad', 'Sell', 'sell'),
  },
  kept: {
    buy: tradeCall('b817ee6167c5d33d', 'BuyV2', 'buy_v2'),
    budget: tradeCall('c2ab1c46684d5b2f', 'BuyExactQuoteInV2', 'buy_exact_quote_in_v2'),
    sell: tradeCall('5df6823ce7e940b2', 'SellV2', 'sell'),
  },
};

/** The parts of a pool that its trade instructions use. */
export interface TradedPool extends Pick<Market, 'venue' | 'pool' | 'baseMint' | 'quoteMint'> {
  readonly addresses: PoolAddresses;
  readonly tokenAccounts: TokenAccounts;
  fees(ledger: Ledger): PoolFees;
  effectiveReserves(ledger: Ledger): PoolReserves;
  marketCap(ledger: Ledger): bigint;
}

/** A swap as in its instruction: the exact amount, and the limit of the other one. */
export interface SwapOrder {
  readonly trader: Address;
  readonly form: PumpForm;
  readonly call: Call;
  readonly amount: bigint;
  readonly limit: bigint;
}

type Decided = Pick<SwapFields, 'trade' | 'quoteLimitRaw' | 'minBaseRaw'>;

/** A swap before its tokens have moved. */
interface Fill extends Decided {
  readonly order: SwapOrder;
  readonly side: Side;
  readonly fees: PoolFees;
  readonly state: PumpAmmState;
  readonly feeRecipient: Address;
}

/** A swap whose tokens have moved. */
export interface DoneSwap extends Decided {
  readonly trader: Address;
  readonly call: Call;
  readonly side: Side;
  readonly fees: PoolFees;
  /** Before the swap. */
  readonly state: PumpAmmState;
  readonly kept: boolean;
  readonly baseSupplyRaw: bigint;
  readonly feeRecipient: Address;
  readonly feeRecipientQuote: Address;
}

/** The trade instructions of one pool, in each of their forms. */
export class PoolSwaps {
  private readonly pool: TradedPool;

  constructor(pool: TradedPool) {
    this.pool = pool;
  }

  /** Runs a swap whose amounts `decide` computes from effective reserves and fees. */
  invoke(
    execution: Execution,
    order: SwapOrder,
    decide: (reserves: PoolReserves, fees: PoolFees) => Decided,
  ): void {
    const { ledger } = execution;
    const { trader, form, call, amount, limit } = order;
    const side: Side = call === 'sell' ? 'sell' : 'buy';
    const feeRecipient = feeRecipientOf(execution);
    const { pool } = this;
    const { addresses, tokenAccounts } = pool;
    this.openFeeAccount(execution, trader, PUMP.buybackRecipient);
    const { discriminator, logged } = CALLS[isKept(form) ? 'kept' : 'paid'][call];
    const data = new InstructionBytes().hex(discriminator).u64(amount).u64(limit);
    // track_volume.
    if (!isKept(form) && call !== 'sell') data.bool(false);
    const uses = isKept(form)
      ? keptSwapUses(addresses, ledger, tokenAccounts, trader)
      : swapUses(addresses, ledger, tokenAccounts, { side, trader, feeRecipient });
    execution.invoke(PUMP_AMM.program, uses, data.done(), () => {
      execution.log(`Instruction: ${logged}`);
      const state = openPoolState(ledger, addresses.pool);
      const fees = pool.fees(ledger);
      const decided = decide(pool.effectiveReserves(ledger), fees);
      this.carryOut(execution, { ...decided, order, side, fees, state, feeRecipient });
    });
  }

  private carryOut(execution: Execution, fill: Fill): void {
    const { order, feeRecipient } = fill;
    const { trader } = order;
    const { pool } = this;
    const { tokenAccounts } = pool;
    const moment = poolMoment(execution, pool.addresses, tokenAccounts, trader);
    const kept = isKept(order.form);
    const baseSupplyRaw = this.baseSupply(execution);
    const feeRecipientQuote = kept
      ? SYSTEM_PROGRAM
      : this.openFeeAccount(execution, trader, feeRecipient);
    if (kept) this.moveKept(execution, fill);
    else this.movePaid(execution, fill, feeRecipientQuote);
    this.settle(execution, moment, {
      ...fill,
      kept,
      baseSupplyRaw,
      feeRecipientQuote,
      trader,
      call: order.call,
    });
  }

  /** Writes the pool's account and emits the event; tokens have already moved. */
  settle(execution: Execution, moment: PoolMoment, done: DoneSwap): void {
    const { pool } = this;
    const { trade, side, kept, baseSupplyRaw, feeRecipient, feeRecipientQuote, trader } = done;
    const after = kept ? withKept(done.state, trade) : done.state;
    if (kept) execution.change(pool.pool, { state: after });
    const fields: SwapFields = {
      ...done,
      feeRecipient: kept ? SYSTEM_PROGRAM : feeRecipient,
      feeRecipientQuote,
      coinCreator: pool.addresses.coinCreator,
      instruction: CALLS[kept ? 'kept' : 'paid'][done.call].instruction,
      buybackBps: POOL_BUYBACK_BPS,
      buybackRaw: poolBuybackOf(trade),
      virtualQuoteRaw: virtualQuoteOf(done.state),
      isBoosted: done.state.boostRaw > 0n,
      baseSupplyRaw,
      isHolderReward: pool.addresses.isHolderReward,
      creatorUnclaimedRaw: after.creatorFeesRaw,
    };
    const event = side === 'buy' ? buyEvent(moment, fields) : sellEvent(moment, fields);
    emitPumpEvent(execution, PUMP_AMM, event);
    const { baseRaw, vaultQuoteRaw: quoteRaw } = trade;
    const keptQuoteRaw = kept ? keptOf(trade) : 0n;
    reportTrade(execution, pool, { trader, side, baseRaw, quoteRaw, keptQuoteRaw });
  }

  baseSupply({ ledger }: Execution): bigint {
    const { addresses, baseMint } = this.pool;
    return addresses.isCanonical ? ledger.mint(baseMint).supplyRaw : 0n;
  }

  /** Base, quote, and the buyback part: the rest of the fees stays in the vault. */
  private moveKept(execution: Execution, { side, order, trade }: Fill): void {
    const buybackRaw = poolBuybackOf(trade);
    const staysRaw = trade.vaultQuoteRaw + keptOf(trade);
    this.moveLegs(execution, side, order.trader, {
      ...trade,
      vaultQuoteRaw: staysRaw,
    });
    this.payFee(execution, side, order.trader, this.buybackAccount, buybackRaw);
  }

  private movePaid(execution: Execution, fill: Fill, feeRecipientQuote: Address): void {
    const { side, order, trade } = fill;
    const { trader } = order;
    const { addresses } = this.pool;
    const creatorQuote =
      trade.creatorFeeRaw === 0n
        ? null
        : this.openFeeAccount(execution, trader, addresses.coinCreatorVault);
    askForFees(execution, PUMP_AMM, {
      isPumpPool: addresses.isCanonical,
      marketCapLamports: this.pool.marketCap(execution.ledger),
      tradeLamports: trade.curveQuoteRaw,
    });
    this.moveLegs(execution, side, trader, trade);
    const buybackRaw = poolBuybackOf(trade);
    const pay = (to: Address, amountRaw: bigint) =>
      this.payFee(execution, side, trader, to, amountRaw);
    pay(feeRecipientQuote, trade.protocolFeeRaw - buybackRaw);
    pay(this.buybackAccount, buybackRaw);
    if (creatorQuote !== null) pay(creatorQuote, trade.creatorFeeRaw);
  }

  private moveLegs(execution: Execution, side: Side, trader: Address, trade: PoolTrade): void {
    const { addresses, pool, baseMint, quoteMint } = this.pool;
    const { baseVault, quoteVault } = addresses;
    const userBase = this.pool.tokenAccounts.of(trader, baseMint);
    const userQuote = this.pool.tokenAccounts.of(trader, quoteMint);
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

  /** Buyers pay fees themselves; those of a sale are deducted from the pool's payment. */
  private payFee(
    execution: Execution,
    side: Side,
    trader: Address,
    to: Address,
    amountRaw: bigint,
  ): void {
    if (amountRaw === 0n) return;
    const { addresses, pool, quoteMint } = this.pool;
    const isBuy = side === 'buy';
    const from = isBuy ? this.pool.tokenAccounts.of(trader, quoteMint) : addresses.quoteVault;
    const authority = isBuy ? trader : pool;
    transferTokensChecked(execution, { from, to, authority, amountRaw });
  }

  private get buybackAccount(): Address {
    return this.pool.tokenAccounts.of(PUMP.buybackRecipient, this.pool.quoteMint);
  }

  /** A token account that receives fees; the first trader pays for it. */
  private openFeeAccount(execution: Execution, payer: Address, owner: Address): Address {
    const { quoteMint } = this.pool;
    const account = this.pool.tokenAccounts.of(owner, quoteMint);
    if (execution.ledger.get(account).token !== null) return account;
    return ensureTokenAccount(execution, this.pool.tokenAccounts, payer, owner, quoteMint);
  }
}

function isKept(form: PumpForm): boolean {
  return form === 'kept';
}

function withKept(state: PumpAmmState, trade: PoolTrade): PumpAmmState {
  return {
    ...state,
    protocolFeesRaw: state.protocolFeesRaw + trade.protocolFeeRaw - poolBuybackOf(trade),
    creatorFeesRaw: state.creatorFeesRaw + trade.creatorFeeRaw,
  };
}
