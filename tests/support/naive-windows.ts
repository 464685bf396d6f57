import { BASE_CANDLE_MS } from '../../src/model/derived.ts';
import {
  type FiguresByWindow,
  MARKET_WINDOWS,
  type MarketWindow,
  WINDOW_MS,
  type WindowFigures,
} from '../../src/model/market-window.ts';
import { type Address, asUsdNano, type UsdNano } from '../../src/model/units.ts';

/** A trade as a client reads it from the list of trades. */
export interface ListedTrade {
  readonly timeMs: number;
  readonly pool: Address;
  readonly mint: Address;
  readonly trader: Address | null;
  readonly side: 'buy' | 'sell';
  readonly valueUsd: UsdNano | null;
  readonly isOrganic: boolean;
  readonly baseRaw: bigint;
  /** Null for a trade that sets no price. */
  readonly price: bigint | null;
}

/** Counts the windows of a pool or a mint anew from a list of trades, oldest first. */
export function naiveWindows(
  trades: readonly ListedTrade[],
  scope: Address,
  nowMs: number,
): FiguresByWindow {
  const of = trades.filter(({ pool, mint }) => pool === scope || mint === scope);
  const entries = MARKET_WINDOWS.map((window) => [window, naiveWindow(of, window, nowMs)]);
  return Object.fromEntries(entries) as FiguresByWindow;
}

/** A window begins at the first half minute that is less than its length ago. */
function startMs(window: MarketWindow, nowMs: number): number {
  const earliest = nowMs - WINDOW_MS[window];
  return (
    earliest - (((earliest % BASE_CANDLE_MS) + BASE_CANDLE_MS) % BASE_CANDLE_MS) + BASE_CANDLE_MS
  );
}

function naiveWindow(
  trades: readonly ListedTrade[],
  window: MarketWindow,
  nowMs: number,
): WindowFigures {
  const inWindow = trades.filter(({ timeMs }) => timeMs >= startMs(window, nowMs));
  const buys = inWindow.filter(({ side }) => side === 'buy');
  const sells = inWindow.filter(({ side }) => side === 'sell');
  const priced = inWindow.filter(({ valueUsd }) => valueUsd !== null);
  const baseOf = (some: typeof trades) => some.reduce((sum, { baseRaw }) => sum + baseRaw, 0n);
  const usdOf = (some: typeof trades) =>
    asUsdNano(some.reduce((sum, { valueUsd }) => sum + (valueUsd ?? 0n), 0n));
  const isKnown = baseOf(priced) * 10n >= baseOf(inWindow) * 9n;
  return {
    trades: inWindow.length,
    buys: buys.length,
    sells: sells.length,
    buyers: walletsOf(buys),
    sellers: walletsOf(sells),
    volumeUsd: isKnown ? usdOf(inWindow) : null,
    organicVolumeUsd: isKnown ? usdOf(inWindow.filter(({ isOrganic }) => isOrganic)) : null,
    priceChange: naiveChange(trades, window, nowMs),
  };
}

function walletsOf(trades: readonly ListedTrade[]): number {
  return new Set(trades.flatMap(({ trader }) => trader ?? [])).size;
}

function naiveChange(
  trades: readonly ListedTrade[],
  window: MarketWindow,
  nowMs: number,
): number | null {
  const setting = trades.filter(
    ({ timeMs, price }) => price !== null && timeMs >= startMs('24h', nowMs),
  );
  const before = setting.filter(({ timeMs }) => timeMs < startMs(window, nowMs)).at(-1);
  const from = Number((before ?? setting[0])?.price ?? 0n);
  const to = Number(setting.at(-1)?.price ?? 0n);
  return from === 0 ? null : Math.round(((to - from) / from) * 10_000) / 10_000;
}
