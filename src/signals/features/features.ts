import { marketCapUsd } from '../../model/market-cap.ts';
import { USD_NANO_SCALE } from '../../model/units.ts';
import type { MinuteFacts, ModelReading } from './signal-model.ts';
import type { WindowReading } from './window-reading.ts';

/** Features that several models use, each null if one of its inputs is unknown. */

/** The value of a ratio with a divisor of zero or close to it. */
export const RATIO_MAX = 1_000;

/** Age since the slot of the mint's creation; null if unknown. */
export function ageMs({ token, indicators }: MinuteFacts): number | null {
  const { createdAtMs, creationSlot } = token;
  if (creationSlot === null || createdAtMs === null || indicators.createdAtMs === null) return null;
  return indicators.createdAtMs - createdAtMs;
}

export function ageMinutes({ facts }: ModelReading): number | null {
  return scaled(ageMs(facts), 1 / 60_000);
}

/** Robust price times supply net of burns; null if one of them is unknown. */
export function marketCapOf({ token, pool }: MinuteFacts): bigint | null {
  const { supplyRaw, burnedRaw, decimals } = token;
  if (pool.priceUsd === null || supplyRaw === null || decimals === null) return null;
  return marketCapUsd(pool.priceUsd, supplyRaw - burnedRaw, decimals);
}

export function marketCap({ facts }: ModelReading): number | null {
  return usd(marketCapOf(facts));
}

/** Quotient, at most `RATIO_MAX`, which is also the value of x/0; null if an operand is unknown. */
export function ratio(part: number | null, whole: number | null): number | null {
  if (part === null || whole === null) return null;
  if (whole === 0) return part === 0 ? 0 : RATIO_MAX;
  return Math.min(part / whole, RATIO_MAX);
}

/** Quotient of two prices; null if one is unknown or the divisor is zero. */
export function priceRatio(price: number | null, reference: number | null): number | null {
  return price === null || reference === null || reference === 0 ? null : price / reference;
}

/** Converts nano-dollars to dollars. */
export function usd(amount: bigint | null): number | null {
  return amount === null ? null : Number(amount) / 10 ** USD_NANO_SCALE;
}

/** Dollars traded by organic wallets in the last `minutes` minutes. */
export function organicVolumeUsd(window: WindowReading, minutes: number): number | null {
  const flow = window.organicFlow(minutes);
  return flow === null ? null : flow.buyUsd + flow.sellUsd;
}

/** Share of purchases in the volume of organic wallets; 0 without such volume. */
export function organicBuyShare(window: WindowReading, minutes: number): number | null {
  const flow = window.organicFlow(minutes);
  return flow === null ? null : ratio(flow.buyUsd, flow.buyUsd + flow.sellUsd);
}

/** Weighted inflow and outflow of smart money in the last ten minutes. */
export function smartFlow({ indicators }: MinuteFacts): {
  readonly influxUsd: number | null;
  readonly outfluxUsd: number | null;
} {
  return {
    influxUsd: usd(indicators.smartMoneyInflux10min),
    outfluxUsd: usd(indicators.smartMoneyOutflux10min),
  };
}

function scaled(value: number | null, factor: number): number | null {
  return value === null ? null : value * factor;
}
