import { USD_NANO_SCALE } from '../../model/units.ts';
import { marketCapUsd } from './market-cap.ts';
import type { MinuteFacts, ModelReading } from './signal-model.ts';
import type { WindowReading } from './window-reading.ts';

/** Figures of which several models ask, each null where something it needs is unknown. */

/** What a ratio over nothing, or next to it, counts as. */
export const RATIO_MAX = 1_000;

/** From the first slot of the mint, else null. */
export function ageMs({ token, indicators }: MinuteFacts): number | null {
  const { createdAtMs, creationSlot } = token;
  if (creationSlot === null || createdAtMs === null || indicators.createdAtMs === null) return null;
  return indicators.createdAtMs - createdAtMs;
}

export function ageMinutes({ facts }: ModelReading): number | null {
  return scaled(ageMs(facts), 1 / 60_000);
}

/** Robust price times supply net of burns; null where one of them is unknown. */
export function marketCapOf({ token, pool }: MinuteFacts): bigint | null {
  const { supplyRaw, burnedRaw, decimals } = token;
  if (pool.priceUsd === null || supplyRaw === null || decimals === null) return null;
  return marketCapUsd(pool.priceUsd, supplyRaw - burnedRaw, decimals);
}

export function marketCap({ facts }: ModelReading): number | null {
  return usd(marketCapOf(facts));
}

/** Quotient; null where a side is unknown, `RATIO_MAX` at most, which is also what x/0 is. */
export function ratio(part: number | null, whole: number | null): number | null {
  if (part === null || whole === null) return null;
  if (whole === 0) return part === 0 ? 0 : RATIO_MAX;
  return Math.min(part / whole, RATIO_MAX);
}

/** Quotient of two prices; null where one is unknown or there is none to divide by. */
export function priceRatio(price: number | null, reference: number | null): number | null {
  return price === null || reference === null || reference === 0 ? null : price / reference;
}

/** Nano-dollars in dollars. */
export function usd(amount: bigint | null): number | null {
  return amount === null ? null : Number(amount) / 10 ** USD_NANO_SCALE;
}

/** Dollars that organic wallets moved in so many minutes. */
export function organicVolumeUsd(window: WindowReading, minutes: number): number | null {
  const flow = window.organicFlow(minutes);
  return flow === null ? null : flow.buyUsd + flow.sellUsd;
}

/** Share of purchases in what organic wallets moved; 0 where they moved nothing. */
export function organicBuyShare(window: WindowReading, minutes: number): number | null {
  const flow = window.organicFlow(minutes);
  return flow === null ? null : ratio(flow.buyUsd, flow.buyUsd + flow.sellUsd);
}

/** Smart money in and out of the last ten minutes, weighted. */
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
