import type { Reserves, Swap } from '../model/chain-event.ts';
import type { Instruction } from '../model/instruction.ts';
import type { RawAmount } from '../model/units.ts';
import { mintDecimals } from './mint-decimals.ts';
import {
  type CurveAccounts,
  type CurveTrade,
  type QuoteLeg,
  quoteLegOf,
} from './pump-quote-leg.ts';
import { type PumpTradeEvent, tradeEventOf } from './pump-trade-event.ts';
import { deltaOf, type SwapReading } from './swap-legs.ts';
import { traderOf } from './trader.ts';
import type { TransactionView } from './transaction-view.ts';

/**
 * Reads a trade on a bonding curve: what the curve's token account received or paid, and its quote
 * leg. The lamports of native curves are held against all their trades by `settleNativeCurves`.
 */
export function readCurveSwap(
  view: TransactionView,
  instruction: Instruction,
  at: CurveAccounts,
): SwapReading {
  if (Math.min(at.curve, at.mint, at.baseVault, at.user) < 0) return malformed('too few accounts');
  const movements = view.tokenMovementsUnder(instruction);
  const poolBaseDelta = deltaOf(movements, at.baseVault);
  if (poolBaseDelta === 0n) return NOTHING;
  const baseMint = view.transaction.keys.at(at.mint);
  const baseDecimals = mintDecimals(view, baseMint);
  if (baseDecimals === null) return malformed('mint without known decimals');
  const isBuy = poolBaseDelta < 0n;
  const tokenAmount = isBuy ? -poolBaseDelta : poolBaseDelta;
  const found = tradeEventOf(view, instruction, { mint: baseMint, isBuy, tokenAmount });
  if (found === 'short') return malformed('TradeEvent ends inside its fields');
  const event = found === 'absent' ? null : found;
  const trade: CurveTrade = { view, instruction, at, movements, poolBaseDelta, event };
  const quote = quoteLegOf(trade);
  if (typeof quote === 'string') return malformed(quote);
  const swap: Swap = {
    kind: 'swap',
    outerIx: instruction.outerIx,
    innerIx: instruction.innerIx,
    venue: 'pump',
    pool: view.transaction.keys.at(at.curve),
    baseMint,
    quoteMint: quote.mint,
    baseDecimals,
    quoteDecimals: quote.decimals,
    trader: traderOf(view, { user: at.user, vaults: [at.baseVault, at.quoteVault] }, movements),
    side: isBuy ? 'buy' : 'sell',
    poolBaseDelta: poolBaseDelta as RawAmount,
    poolQuoteDelta: quote.poolDelta as RawAmount,
    traderBaseDelta: deltaOf(movements, at.userBase) as RawAmount,
    traderQuoteDelta: quote.traderDelta as RawAmount | null,
    reserves: reservesOf(event),
    feeQuoteRaw: quote.fee as RawAmount | null,
    router: view.routerOf(instruction),
    isIntermediateHop: false,
    isAtomicRoundTrip: false,
    isPureArbitrage: false,
    quarantine: contradictionOf(trade, tokenAmount, quote),
  };
  return { status: 'event', event: swap };
}

const NOTHING: SwapReading = { status: 'nothing' };

function malformed(reason: string): SwapReading {
  return { status: 'malformed', reason };
}

function reservesOf(event: PumpTradeEvent | null): Reserves | null {
  if (event === null || event.realReserves === null) return null;
  return {
    base: event.realReserves.base as RawAmount,
    quote: event.realReserves.quote as RawAmount,
    virtualBase: event.virtualReserves.base as RawAmount,
    virtualQuote: event.virtualReserves.quote as RawAmount,
  };
}

/** Why the trade cannot be believed, or null. */
function contradictionOf(trade: CurveTrade, tokenAmount: bigint, quote: QuoteLeg): string | null {
  const { view, at, event } = trade;
  if (view.isReconciled(at.baseVault) === false) {
    return 'base vault balance contradicts its transfers';
  }
  if (event !== null && event.mint !== view.transaction.keys.at(at.mint)) {
    return 'event tells of another mint';
  }
  if (event !== null && event.isBuy !== trade.poolBaseDelta < 0n) {
    return 'event tells the other side';
  }
  if (event !== null && event.tokenAmount !== tokenAmount) {
    return `event says ${event.tokenAmount} tokens, ${tokenAmount} moved`;
  }
  return quote.contradiction;
}
