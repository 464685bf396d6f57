import { formatFixed, formatRounded, formatTrimmed } from '../lib/decimal.ts';
import {
  LAMPORT_SCALE,
  type Lamports,
  PRICE_SCALE,
  type PriceE18,
  type RawAmount,
  USD_NANO_SCALE,
  type UsdNano,
} from '../model/units.ts';

const USD_DIGITS = 2;

/** `2025-01-15T14:32:08.000Z`. */
export function formatInstant(timeMs: number): string {
  return new Date(timeMs).toISOString();
}

/** SOL with nine fraction digits; null stays null. */
export function formatSol(lamports: Lamports | null): string | null {
  return lamports === null ? null : formatFixed(lamports, LAMPORT_SCALE);
}

/** Whole tokens with the mint's decimals as fraction digits; null when either is unknown. */
export function formatTokens(raw: RawAmount | null, decimals: number | null): string | null {
  return raw === null || decimals === null ? null : formatFixed(raw, decimals);
}

/** US dollars with two fraction digits; null stays null. */
export function formatUsd(nano: UsdNano | null): string | null {
  return nano === null ? null : formatRounded(nano, USD_NANO_SCALE, USD_DIGITS);
}

/** A price with up to eighteen fraction digits, trailing zeros trimmed; null stays null. */
export function formatPrice(price: PriceE18 | null): string | null {
  return price === null ? null : formatTrimmed(price, PRICE_SCALE);
}
