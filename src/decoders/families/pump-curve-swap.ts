import type { Instruction } from '../../model/instruction.ts';
import type { Reserves } from '../../model/reserves.ts';
import type { KeptFees, Swap } from '../../model/swap.ts';
import { asRawAmount } from '../../model/units.ts';
import { amountOrNull } from '../legs/amount-or-null.ts';
import { deltaOf, type SwapReading } from '../legs/swap-legs.ts';
import { mintDecimals } from '../transaction/mint-decimals.ts';
import { traderOf } from '../transaction/trader.ts';
import type { TransactionView } from '../transaction/transaction-view.ts';
import { isPartOf, poolPartOf, withPoolPart } from './pump-pool-part.ts';
import {
  type CurveAccounts,
  type CurveTrade,
  type QuoteLeg,
  quoteLegOf,
} from './pump-quote-leg.ts';
import { type PumpTradeEvent, tradeEventOf } from './pump-trade-event.ts';

/**
 * Reads a trade on a bonding curve: the amounts the curve's token account received or paid, and the
 * quote leg. `settleNativeCurves` checks the lamports of native curves against all their trades. A
 * buy past the curve's end is one trade, although the program reports it in two parts.
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
  const event = reportedTradeOf(view, instruction, at, poolBaseDelta);
  if (typeof event === 'string') return malformed(event);
  return toCurveSwap({ view, instruction, at, movements, poolBaseDelta, event });
}

/** The swap of one trade on a curve whose tokens moved. */
export function toCurveSwap(trade: CurveTrade): SwapReading {
  const { view, instruction, at, movements, poolBaseDelta, event } = trade;
  const baseMint = view.transaction.keys.at(at.mint);
  const baseDecimals = mintDecimals(view, baseMint);
  if (baseDecimals === null) return malformed('mint without known decimals');
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
    side: poolBaseDelta < 0n ? 'buy' : 'sell',
    poolBaseDelta: asRawAmount(poolBaseDelta),
    poolQuoteDelta: asRawAmount(quote.poolDelta),
    ...keptFeesOf(quote),
    traderBaseDelta: asRawAmount(deltaOf(movements, at.userBase)),
    traderQuoteDelta: amountOrNull(quote.traderDelta),
    reserves: reservesOf(event),
    feeQuoteRaw: amountOrNull(quote.fee),
    router: view.routerOf(instruction),
    isIntermediateHop: false,
    isAtomicRoundTrip: false,
    isPureArbitrage: false,
    quarantine: contradictionOf(trade, quote),
  };
  return { status: 'event', event: swap };
}

/**
 * A trade as reported by the program's events, both parts combined; null when none is reported, or
 * the reason why the events are invalid.
 */
function reportedTradeOf(
  view: TransactionView,
  instruction: Instruction,
  at: CurveAccounts,
  poolBaseDelta: bigint,
): PumpTradeEvent | null | string {
  const { keys } = view.transaction;
  const part = poolPartOf(view, instruction);
  if (part === 'short') return 'PostCompleteBuyEvent ends inside its fields';
  const isBuy = poolBaseDelta < 0n;
  const moved = isBuy ? -poolBaseDelta : poolBaseDelta;
  const tokenAmount = part === 'absent' ? moved : moved - part.baseOut;
  const event = tradeEventOf(view, instruction, { mint: keys.at(at.mint), isBuy, tokenAmount });
  if (event === 'short') return 'TradeEvent ends inside its fields';
  if (part === 'absent') return event === 'absent' ? null : event;
  if (event === 'absent') return 'PostCompleteBuyEvent without its TradeEvent';
  if (!isPartOf(part, event)) return 'PostCompleteBuyEvent of another trade';
  return withPoolPart(event, part);
}

function keptFeesOf({ kept }: QuoteLeg): { keptFees?: KeptFees } {
  return kept === 0n ? {} : { keptFees: { base: asRawAmount(0n), quote: asRawAmount(kept) } };
}

const NOTHING: SwapReading = { status: 'nothing' };

function malformed(reason: string): SwapReading {
  return { status: 'malformed', reason };
}

function reservesOf(event: PumpTradeEvent | null): Reserves | null {
  if (event === null || event.realReserves === null) return null;
  return {
    base: asRawAmount(event.realReserves.base),
    quote: asRawAmount(event.realReserves.quote),
    virtualBase: amountOrNull(event.virtualReserves?.base),
    virtualQuote: amountOrNull(event.virtualReserves?.quote),
  };
}

/** Why the trade is inconsistent, or null. */
function contradictionOf(trade: CurveTrade, quote: QuoteLeg): string | null {
  const { view, at, event, poolBaseDelta } = trade;
  const isBuy = poolBaseDelta < 0n;
  const tokenAmount = isBuy ? -poolBaseDelta : poolBaseDelta;
  if (view.isReconciled(at.baseVault) === false) {
    return 'base vault balance contradicts its transfers';
  }
  if (event !== null && event.mint !== view.transaction.keys.at(at.mint)) {
    return 'event tells of another mint';
  }
  if (event !== null && event.isBuy !== isBuy) {
    return 'event tells the other side';
  }
  if (event !== null && event.tokenAmount !== tokenAmount) {
    return `event says ${event.tokenAmount} tokens, ${tokenAmount} moved`;
  }
  return quote.contradiction;
}
