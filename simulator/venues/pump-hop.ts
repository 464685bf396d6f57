import { SYSTEM_PROGRAM } from '../../src/model/program.ts';
import type { Address } from '../../src/model/units.ts';
import { type Execution, ProgramFailure } from '../chain/execution.ts';
import type { TokenAccounts } from '../programs/associated-token.ts';
import { transferLamports } from '../programs/system.ts';
import { transferTokensChecked } from '../programs/token.ts';
import { payQuote } from './pool-parts.ts';
import type { PoolMoment } from './pump-amm-events.ts';
import {
  type PoolFees,
  type PoolReserves,
  type PoolTrade,
  poolBuybackOf,
  sellTokens as sellToPool,
} from './pump-amm-math.ts';
import type { PumpAmmPool } from './pump-amm-pool.ts';
import { openPoolState } from './pump-amm-state.ts';
import { PumpCurve } from './pump-curve.ts';
import {
  buybackOf,
  type CurveFees,
  type CurveTrade,
  paidToSeller,
  sellTokens,
} from './pump-curve-math.ts';
import { splitBudget } from './pump-fee.ts';
import { PUMP } from './pump-program.ts';

/** The markets that a path of this program can include. */
export type HopMarket = PumpCurve | PumpAmmPool;

/** One hop of the path. */
export interface Hop<Kind extends HopMarket> {
  readonly market: Kind;
  readonly trader: Address;
  readonly tokenAccounts: TokenAccounts;
  /**
   * The hop of the far coin: it charges the creator's fee and that for liquidity, the other one the
   * rest.
   */
  readonly isFar: boolean;
  /** The recipient of the output; null for the trader. */
  readonly toNext: HopMarket | null;
}

/** NotEnoughTokensToBuy and Overflow of the curves' program, ZeroBaseAmount of the pools'. */
const FAILURE = { tooManyTokens: 6_021, overflow: 6_024, zeroBase: 6_001 } as const;

/** Quote in, base out to the next hop or the trader. Returns the base. */
export function buyHop(execution: Execution, hop: Hop<HopMarket>, amountRaw: bigint): bigint {
  const { market, trader, tokenAccounts, isFar, toNext } = hop;
  const { trade, settle } =
    market instanceof PumpCurve
      ? curveBuy(execution, { ...hop, market }, amountRaw)
      : poolBuy(execution, { ...hop, market }, amountRaw);
  if (trade.baseRaw <= 0n) throw new ProgramFailure(FAILURE.zeroBase, 'ZeroBaseAmount');
  // The output of a previous hop is already in the quote account.
  if (!isFar) payIn(execution, hop, amountRaw, trade.buybackRaw);
  const to = tokenAccounts.of(toNext?.pool ?? trader, market.baseMint);
  const from = tokenAccounts.of(market.pool, market.baseMint);
  transferTokensChecked(execution, {
    from,
    to,
    authority: market.pool,
    amountRaw: trade.baseRaw,
  });
  settle();
  return trade.baseRaw;
}

/** Base in, quote without fees out to the next hop or the trader. Returns the quote. */
export function sellHop(execution: Execution, hop: Hop<HopMarket>, baseRaw: bigint): bigint {
  const { market, trader, tokenAccounts, isFar, toNext } = hop;
  const { trade, settle } =
    market instanceof PumpCurve
      ? curveSale(execution, { ...hop, market }, baseRaw)
      : poolSale(execution, { ...hop, market }, baseRaw);
  if (trade.paidRaw <= 0n) throw new ProgramFailure(FAILURE.overflow, 'Overflow');
  if (isFar) {
    transferTokensChecked(execution, {
      from: tokenAccounts.of(trader, market.baseMint),
      to: tokenAccounts.of(market.pool, market.baseMint),
      authority: trader,
      amountRaw: baseRaw,
    });
  }
  payOut(execution, hop, toNext?.pool ?? trader, trade.paidRaw);
  if (!isFar) payOut(execution, hop, PUMP.buybackRecipient, trade.buybackRaw);
  settle();
  return trade.paidRaw;
}

interface Dealt {
  readonly trade: {
    readonly baseRaw: bigint;
    /** For a sale: the amount paid out, without fees. */
    readonly paidRaw: bigint;
    readonly buybackRaw: bigint;
  };
  /** Writes the account and emits the event, after tokens have moved. */
  settle(): void;
}

/** Splits an amount that is spent as a whole into the traded part and the fees by rate. */
function divide(amountRaw: bigint, rates: readonly bigint[]) {
  const { feesRaw } = splitBudget(amountRaw, rates);
  const quoteRaw = feesRaw.reduce((left, fee) => left - fee, amountRaw);
  return { quoteRaw, feesRaw };
}

function outOf(quoteRaw: bigint, base: bigint, quote: bigint): bigint {
  return quoteRaw <= 1n ? 0n : (base * (quoteRaw - 1n)) / (quote + quoteRaw - 1n);
}

function curveRates({ market, isFar }: Hop<PumpCurve>): CurveFees {
  const { protocolBps, creatorBps } = market.fees;
  return isFar ? { protocolBps: 0n, creatorBps } : { protocolBps, creatorBps: 0n };
}

function curveBuy(execution: Execution, hop: Hop<PumpCurve>, amountRaw: bigint): Dealt {
  const { market } = hop;
  const state = market.openState(execution);
  const fees = curveRates(hop);
  const { quoteRaw, feesRaw } = divide(amountRaw, [fees.protocolBps, fees.creatorBps]);
  const [protocolFeeRaw = 0n, creatorFeeRaw = 0n] = feesRaw;
  const baseRaw = outOf(quoteRaw, state.virtualBaseRaw, state.virtualQuoteRaw);
  if (baseRaw > state.realBaseRaw) {
    throw new ProgramFailure(FAILURE.tooManyTokens, 'Not enough tokens to buy');
  }
  const trade: CurveTrade = { baseRaw, quoteRaw, protocolFeeRaw, creatorFeeRaw };
  return curveDealt(execution, hop, { trade, fees, isBuy: true });
}

function curveSale(execution: Execution, hop: Hop<PumpCurve>, baseRaw: bigint): Dealt {
  const state = hop.market.openState(execution);
  const fees = curveRates(hop);
  return curveDealt(execution, hop, {
    trade: sellTokens(state, baseRaw, fees),
    fees,
    isBuy: false,
  });
}

function curveDealt(
  execution: Execution,
  { market, trader }: Hop<PumpCurve>,
  dealt: { readonly trade: CurveTrade; readonly fees: CurveFees; readonly isBuy: boolean },
): Dealt {
  const { trade, fees, isBuy } = dealt;
  const state = market.openState(execution);
  const instruction = isBuy ? 'buy_exact_quote_in' : 'sell';
  const fill = { trade, beyond: null };
  return {
    trade: {
      baseRaw: trade.baseRaw,
      paidRaw: paidToSeller(trade),
      buybackRaw: buybackOf(trade),
    },
    settle: () =>
      market.trades.settle(execution, {
        trader,
        state,
        fill,
        fees,
        isBuy,
        instruction,
        feeRecipient: null,
      }),
  };
}

function poolRates({ market, isFar }: Hop<PumpAmmPool>, { ledger }: Execution): PoolFees {
  const fees = market.fees(ledger);
  return isFar ? { ...fees, protocolBps: 0n } : { ...fees, lpBps: 0n, creatorBps: 0n };
}

function poolBuy(execution: Execution, hop: Hop<PumpAmmPool>, amountRaw: bigint): Dealt {
  const fees = poolRates(hop, execution);
  const { lpBps, protocolBps, creatorBps } = fees;
  const { quoteRaw, feesRaw } = divide(amountRaw, [lpBps, protocolBps, creatorBps]);
  const [lpFeeRaw = 0n, protocolFeeRaw = 0n, creatorFeeRaw = 0n] = feesRaw;
  const arrived = { baseRaw: 0n, quoteRaw: hop.isFar ? amountRaw : 0n };
  const reserves = without(hop.market.effectiveReserves(execution.ledger), arrived);
  const trade: PoolTrade = {
    baseRaw: outOf(quoteRaw, reserves.baseRaw, reserves.quoteRaw),
    curveQuoteRaw: quoteRaw,
    lpFeeRaw,
    protocolFeeRaw,
    creatorFeeRaw,
    traderQuoteRaw: amountRaw,
    vaultQuoteRaw: quoteRaw + lpFeeRaw,
  };
  return poolDealt(execution, hop, {
    trade,
    fees,
    isBuy: true,
    limitRaw: amountRaw,
    arrived,
  });
}

function poolSale(execution: Execution, hop: Hop<PumpAmmPool>, baseRaw: bigint): Dealt {
  const fees = poolRates(hop, execution);
  const arrived = { baseRaw: hop.isFar ? 0n : baseRaw, quoteRaw: 0n };
  const reserves = without(hop.market.effectiveReserves(execution.ledger), arrived);
  const trade = sellToPool(reserves, baseRaw, fees);
  return poolDealt(execution, hop, { trade, fees, isBuy: false, limitRaw: 0n, arrived });
}

/** Reserves before the previous hop paid into the vaults. */
function without(reserves: PoolReserves, arrived: PoolReserves): PoolReserves {
  return {
    baseRaw: reserves.baseRaw - arrived.baseRaw,
    quoteRaw: reserves.quoteRaw - arrived.quoteRaw,
  };
}

function poolDealt(
  execution: Execution,
  { market, trader, tokenAccounts }: Hop<PumpAmmPool>,
  dealt: {
    readonly trade: PoolTrade;
    readonly fees: PoolFees;
    readonly isBuy: boolean;
    readonly limitRaw: bigint;
    /** Amounts that are already in the vaults. */
    readonly arrived: PoolReserves;
  },
): Dealt {
  const { trade, fees, isBuy, limitRaw, arrived } = dealt;
  const { ledger, clock } = execution;
  const state = openPoolState(ledger, market.pool);
  const userBase = tokenAccounts.of(trader, market.baseMint);
  const userQuote = tokenAccounts.of(trader, market.quoteMint);
  const held = { baseRaw: ledger.heldRaw(userBase), quoteRaw: ledger.heldRaw(userQuote) };
  const moment: PoolMoment = {
    unixTime: clock.unixTime,
    pool: market.pool,
    user: trader,
    userBase,
    userQuote,
    held,
    reserves: without(market.reserves(ledger), arrived),
  };
  const done = {
    trade,
    fees,
    state,
    trader,
    kept: true,
    minBaseRaw: 0n,
    quoteLimitRaw: limitRaw,
    feeRecipient: SYSTEM_PROGRAM,
    feeRecipientQuote: SYSTEM_PROGRAM,
    baseSupplyRaw: market.swaps.baseSupply(execution),
    call: isBuy ? ('budget' as const) : ('sell' as const),
    side: isBuy ? ('buy' as const) : ('sell' as const),
  };
  return {
    trade: {
      baseRaw: trade.baseRaw,
      paidRaw: trade.traderQuoteRaw,
      buybackRaw: poolBuybackOf(trade),
    },
    settle: () => market.swaps.settle(execution, moment, done),
  };
}

/** The trader's payment: lamports to a curve, wrapped ones to a pool, and the buyback part. */
function payIn(
  execution: Execution,
  { market, trader, tokenAccounts }: Hop<HopMarket>,
  amountRaw: bigint,
  buybackRaw: bigint,
): void {
  const staysRaw = amountRaw - buybackRaw;
  if (market.takesLamports) {
    transferLamports(execution, trader, market.pool, staysRaw);
    transferLamports(execution, trader, PUMP.buybackRecipient, buybackRaw);
    return;
  }
  const from = tokenAccounts.of(trader, market.quoteMint);
  for (const [owner, raw] of [
    [market.pool, staysRaw],
    [PUMP.buybackRecipient, buybackRaw],
  ] as const) {
    const to = tokenAccounts.of(owner, market.quoteMint);
    transferTokensChecked(execution, { from, to, authority: trader, amountRaw: raw });
  }
}

/** Moves quote from a pool or curve to an owner. */
function payOut(
  execution: Execution,
  { market, tokenAccounts }: Hop<HopMarket>,
  owner: Address,
  amountRaw: bigint,
): void {
  payQuote(execution, tokenAccounts, market, { owner, amountRaw });
}
