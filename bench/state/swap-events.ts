import type { Swap } from '../../src/model/swap.ts';
import type { Address } from '../../src/model/units.ts';
import type { MarketContext } from './market-context.ts';
import { isCold } from './market-state.ts';
import { PHASE } from './mint-columns.ts';
import { CURVE_RESERVED_RAW } from './mint-markets.ts';
import { feeOf, inputOf, outputOf } from './pool-arithmetic.ts';
import { type TransactionDraft, toRaw } from './transaction-draft.ts';

const SOL_DECIMALS = 9;
/** Decimals of the dollar and of every mint but SOL. */
const TOKEN_DECIMALS = 6;

/** What a trader gives and gets, all positive. */
export interface SwapAmounts {
  readonly isBuy: boolean;
  readonly baseRaw: number;
  /** What the pool receives or pays. */
  readonly poolQuoteRaw: number;
  /** What the trader pays or receives. */
  readonly traderQuoteRaw: number;
  readonly feeRaw: number;
}

/** A purchase for an amount of the quote without a curve's fees. */
export function quoteBuy({ markets, state }: MarketContext, row: number, quoteRaw: number) {
  const { feeBps } = markets.venueOf(row);
  const { base, quote } = markets.tradingReserves(row);
  const feeRaw = feeOf(quoteRaw, feeBps);
  if (!markets.isCurve(row)) {
    const baseRaw = outputOf(quoteRaw - feeRaw, quote, base);
    return bought({ baseRaw, poolQuoteRaw: quoteRaw, traderQuoteRaw: quoteRaw, feeRaw });
  }
  const left = state.mints.base[row] as number;
  const baseRaw = outputOf(quoteRaw, quote, base);
  if (baseRaw < left) {
    return bought({ baseRaw, poolQuoteRaw: quoteRaw, traderQuoteRaw: quoteRaw + feeRaw, feeRaw });
  }
  const lastRaw = inputOf(left, quote, base);
  const lastFeeRaw = feeOf(lastRaw, feeBps);
  return bought({
    baseRaw: left,
    poolQuoteRaw: lastRaw,
    traderQuoteRaw: lastRaw + lastFeeRaw,
    feeRaw: lastFeeRaw,
  });
}

function bought(amounts: Omit<SwapAmounts, 'isBuy'>): SwapAmounts {
  return { isBuy: true, ...amounts };
}

/** A sale of tokens; null if the pool would pay nothing for them. */
export function quoteSale(
  { markets, state }: MarketContext,
  row: number,
  baseRaw: number,
): SwapAmounts | null {
  const { feeBps } = markets.venueOf(row);
  const { base, quote } = markets.tradingReserves(row);
  const isCurve = markets.isCurve(row);
  const paidFor = isCurve ? baseRaw : baseRaw - feeOf(baseRaw, feeBps);
  const poolQuoteRaw = Math.min(
    outputOf(paidFor, base, quote),
    (state.mints.quote[row] as number) - 1,
  );
  const feeRaw = isCurve ? feeOf(poolQuoteRaw, feeBps) : 0;
  if (poolQuoteRaw <= feeRaw) return null;
  return {
    isBuy: false,
    baseRaw,
    poolQuoteRaw,
    traderQuoteRaw: poolQuoteRaw - feeRaw,
    feeRaw,
  };
}

/** Marks of a swap that is part of something larger. */
export interface SwapMarks {
  readonly router: Address | null;
  readonly isIntermediateHop: boolean;
  readonly isAtomicRoundTrip: boolean;
}

export const PLAIN: SwapMarks = {
  router: null,
  isIntermediateHop: false,
  isAtomicRoundTrip: false,
};

/** Changes the reserves of a market by a swap and adds its event. */
export function addSwap(
  { state, markets }: MarketContext,
  draft: TransactionDraft,
  row: number,
  amounts: SwapAmounts,
  marks: SwapMarks = PLAIN,
): void {
  const { mints, counters } = state;
  const { isBuy, baseRaw, poolQuoteRaw, traderQuoteRaw } = amounts;
  const sign = isBuy ? 1 : -1;
  const base = (mints.base[row] as number) - sign * baseRaw;
  const quote = (mints.quote[row] as number) + sign * poolQuoteRaw;
  mints.base[row] = base;
  mints.quote[row] = quote;
  if (isCold(state, row)) counters.coldSwaps++;
  mints.tradedSlot[row] = counters.slots;
  counters.swaps++;
  const { mint, quoteMint, pool } = markets.addressesOf(row);
  const isCurve = markets.isCurve(row);
  const priced = isCurve ? markets.tradingReserves(row) : null;
  const swap: Swap = {
    kind: 'swap',
    outerIx: draft.outerIx++,
    innerIx: -1,
    venue: markets.venueOf(row).venue,
    pool,
    baseMint: mint,
    quoteMint,
    baseDecimals: markets.isSol(row) ? SOL_DECIMALS : TOKEN_DECIMALS,
    quoteDecimals: quoteDecimalsOf(state.mints.isStableQuoted[row] === 1),
    trader: draft.payer,
    side: isBuy ? 'buy' : 'sell',
    poolBaseDelta: toRaw(-sign * baseRaw),
    poolQuoteDelta: toRaw(sign * poolQuoteRaw),
    traderBaseDelta: toRaw(sign * baseRaw),
    traderQuoteDelta: toRaw(-sign * traderQuoteRaw),
    reserves: {
      base: toRaw(base),
      quote: toRaw(quote),
      virtualBase: priced && toRaw(priced.base),
      virtualQuote: priced && toRaw(priced.quote),
    },
    feeQuoteRaw: isCurve ? toRaw(amounts.feeRaw) : null,
    router: marks.router,
    isIntermediateHop: marks.isIntermediateHop,
    isAtomicRoundTrip: marks.isAtomicRoundTrip,
    quarantine: null,
    isPureArbitrage: false,
  };
  draft.events.push(swap);
  if (isCurve && base === 0) completeCurve({ state, markets }, draft, row);
}

/** Balances of a market's vaults, from its reserves before the transaction to those now. */
export function addVaultBalances(
  { state, markets }: Pick<MarketContext, 'state' | 'markets'>,
  draft: TransactionDraft,
  row: number,
  before: { readonly base: number; readonly quote: number },
): void {
  const { mints } = state;
  const { mint, quoteMint, baseVault, quoteVault, vaultOwner: owner } = markets.addressesOf(row);
  const isCurve = markets.isCurve(row);
  const kept = isCurve ? CURVE_RESERVED_RAW : 0;
  draft.balance({
    account: baseVault,
    owner,
    mint,
    decimals: markets.isSol(row) ? SOL_DECIMALS : TOKEN_DECIMALS,
    before: before.base + kept,
    after: (mints.base[row] as number) + kept,
  });
  const isStable = mints.isStableQuoted[row] === 1;
  // A curve's SOL is its lamports, in no token account.
  if (isCurve && !isStable) return;
  draft.balance({
    account: quoteVault,
    owner,
    mint: quoteMint,
    decimals: quoteDecimalsOf(isStable),
    before: before.quote,
    after: mints.quote[row] as number,
  });
}

/** Holdings of a market, to be passed to `addVaultBalances` after they changed. */
export function holdingsOf({ state: { mints } }: Pick<MarketContext, 'state'>, row: number) {
  return { base: mints.base[row] as number, quote: mints.quote[row] as number };
}

export function quoteDecimalsOf(isStableQuoted: boolean): number {
  return isStableQuoted ? TOKEN_DECIMALS : SOL_DECIMALS;
}

function completeCurve(
  { state, markets }: Pick<MarketContext, 'state' | 'markets'>,
  draft: TransactionDraft,
  row: number,
): void {
  const { mint, pool } = markets.addressesOf(row);
  draft.events.push({
    kind: 'curveComplete',
    outerIx: draft.outerIx - 1,
    innerIx: 0,
    venue: markets.venueOf(row).venue,
    mint,
    pool,
  });
  state.mints.phase[row] = PHASE.complete;
  state.counters.migrating = row + 1;
}
