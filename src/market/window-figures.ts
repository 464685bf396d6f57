import {
  ORGANIC_VOLUME_FIGURES,
  PRICE_CHANGE_FIGURES,
  VOLUME_FIGURES,
  type WINDOW_FIGURES,
} from '../model/market-listing.ts';
import { type FiguresByWindow, MARKET_WINDOWS, type MarketWindow } from '../model/market-window.ts';
import type { FigureColumns } from './figure-columns.ts';

type WindowFigure = (typeof WINDOW_FIGURES)[number];

const NAMES = MARKET_WINDOWS.map((window, at) => ({
  window,
  volume: VOLUME_FIGURES[at],
  organicVolume: ORGANIC_VOLUME_FIGURES[at],
  priceChange: PRICE_CHANGE_FIGURES[at],
})) as readonly {
  readonly window: MarketWindow;
  readonly volume: WindowFigure;
  readonly organicVolume: WindowFigure;
  readonly priceChange: WindowFigure;
}[];

/** What pools and tokens without trades in 24 hours have: no volume, and no change of the price. */
export const UNTRADED_FIGURES = Object.fromEntries(
  NAMES.flatMap(({ volume, organicVolume, priceChange }) => [
    [volume, 0],
    [organicVolume, 0],
    [priceChange, Number.NaN],
  ]),
) as Readonly<Record<WindowFigure, number>>;

/** Sets the figures of all windows in the row of a pool or a token. */
export function setWindowFigures<Figure extends string>(
  columns: FigureColumns<Figure | WindowFigure>,
  row: number,
  figures: FiguresByWindow,
): void {
  for (const { window, volume, organicVolume, priceChange } of NAMES) {
    const of = figures[window];
    columns.set(row, volume, of.volumeUsd);
    columns.set(row, organicVolume, of.organicVolumeUsd);
    columns.set(row, priceChange, of.priceChange);
  }
}
