import type { Static } from 'typebox';
import { formatFixed, formatRounded } from '../../lib/decimal.ts';
import { EXIT_RULES, PERCENT_SCALE, type TicketReturn } from '../../model/signal.ts';
import { type SignalDetail, type SignalListing, toListing } from '../../model/signal-listing.ts';
import type { SignalBody, SignalDetailBody } from '../schemas/signal-body.ts';
import { formatInstant, formatMaybeInstant, formatPrice, formatUsd } from './format-wire.ts';
import type { TokenImages } from './signal-image.ts';

const PERCENT_DIGITS = 4;
const FIGURE_DIGITS = 9;

/** The fifteen keys of specification 2.5. */
export function presentSignal(
  signal: SignalListing,
  images: TokenImages,
): Static<typeof SignalBody> {
  return {
    row_id: signal.rowId,
    token_address: signal.mint,
    pair_address: signal.pool,
    image: images.imageOf(signal.mint),
    name: signal.name,
    symbol: signal.symbol,
    signal_market_cap: formatUsd(signal.marketCapUsd),
    liquidity_usd: formatUsd(signal.liquidityUsd),
    ath_market_cap_usd: formatUsd(signal.athMarketCapUsd),
    roi_percentage: formatPercent(signal.roiE9),
    max_drawdown_percentage: formatPercent(signal.maxDrawdownE9),
    max_drawdown_market_cap: formatUsd(signal.maxDrawdownMarketCapUsd),
    version: signal.version,
    model_name: signal.model,
    created_at: formatInstant(signal.createdAtMs),
  };
}

export function presentSignalDetail(
  { signal, outcome }: SignalDetail,
  images: TokenImages,
): Static<typeof SignalDetailBody> {
  const { execution } = outcome;
  return {
    ...presentSignal(toListing(signal, outcome), images),
    slot: signal.slot,
    as_of_slot: signal.asOfSlot,
    price_usd: formatPrice(signal.priceUsd) ?? '0',
    total_supply: formatFixed(signal.supplyRaw, signal.decimals),
    age_seconds: signal.ageMs === null ? null : formatFigure(signal.ageMs / 1_000),
    parameters_hash: signal.parametersHash,
    features: Object.fromEntries(
      Object.entries(signal.features).map(([name, value]) => [name, formatMaybeFigure(value)]),
    ),
    passed_conditions: signal.passed.map(({ feature, value, least, most }) => ({
      feature,
      value: formatMaybeFigure(value),
      least: formatMaybeFigure(least),
      most: formatMaybeFigure(most),
    })),
    outcome: {
      slot: outcome.slot,
      is_final: outcome.isFinal,
      ath_price_usd: formatPrice(outcome.highPriceUsd) ?? '0',
      lowest_price_usd: formatPrice(outcome.lowPriceUsd) ?? '0',
      peak_drawdown_percentage: formatPercent(outcome.peakDrawdownE9),
    },
    execution: {
      entered_at: formatMaybeInstant(execution.enteredAtMs),
      rose_50_before_fell_30: execution.roseBeforeFell,
      returns: EXIT_RULES.map((rule) => ({
        exit_rule: rule,
        tickets: execution.returns[rule]?.map(presentReturn) ?? null,
      })),
    },
  };
}

function presentReturn({ ticketUsd, returnE9 }: TicketReturn) {
  return { ticket_usd: ticketUsd, return_percentage: formatPercent(returnE9) };
}

function formatPercent(percentE9: bigint): string {
  return formatRounded(percentE9, PERCENT_SCALE, PERCENT_DIGITS);
}

function formatMaybeFigure(value: number | null): string | null {
  return value === null ? null : formatFigure(value);
}

/** A statistic in plain notation, with at most nine fraction digits; null if it is not finite. */
function formatFigure(value: number): string | null {
  if (!Number.isFinite(value) || Math.abs(value) >= Number.MAX_SAFE_INTEGER) return null;
  const text = value.toFixed(FIGURE_DIGITS).replace(/[.]?0+$/, '');
  return text === '-0' || text === '' ? '0' : text;
}

/** A statistic with nine decimals. */
export function formatNine(value: bigint): string {
  return formatFixed(value, PERCENT_SCALE);
}
