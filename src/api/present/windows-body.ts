import { type Static, Type } from 'typebox';
import {
  type FiguresByWindow,
  MARKET_WINDOWS,
  type MarketWindow,
  type WindowFigures,
  windowStartMs,
} from '../../model/market-window.ts';
import { instant, integer, nullable, rounded, unionNull, usd } from './wire-kinds.ts';
import { type WireKind, wireRecord } from './wire-record.ts';

/** What windows are presented with. */
export interface WindowContext {
  /** Block time of the slot that they are as of; null if unknown. */
  readonly nowMs: number | null;
}

interface StartedWindow extends WindowFigures {
  readonly fromMs: number | null;
}

const CHANGE_DIGITS = 4;
const UNPRICED = 'In US dollars; null while less than 90 % of the volume is priced.';

const Window = wireRecord<StartedWindow>()(
  {
    from: [
      nullable(instant),
      'fromMs',
      'Inclusive start; windows begin at half minutes and are never longer than their name.',
    ],
    trades: [integer, 'trades', 'Number of trades, without quarantined ones.'],
    buys: [integer, 'buys'],
    sells: [integer, 'sells'],
    buyers: [integer, 'buyers', 'Number of distinct wallets that bought.'],
    sellers: [integer, 'sellers', 'Number of distinct wallets that sold.'],
    volume_usd: [nullable(usd), 'volumeUsd', UNPRICED],
    organic_volume_usd: [
      nullable(usd),
      'organicVolumeUsd',
      `Volume of the trades in the organic view of candles. ${UNPRICED}`,
    ],
    price_change: [
      nullable(rounded(CHANGE_DIGITS)),
      'priceChange',
      'Change of the price in US dollars as a fraction: from the last price before the window, or ' +
        'else the first within 24 hours, to the newest. Null without a price in 24 hours.',
    ],
  },
  { title: 'MarketWindow' },
);

const Windows = Type.Object(
  { '5m': Window.schema, '1h': Window.schema, '6h': Window.schema, '24h': Window.schema },
  { title: 'MarketWindows', description: 'Trades of rolling windows.' },
);

const allWindows: WireKind<FiguresByWindow, typeof Windows, WindowContext> = {
  schema: Windows,
  present(figures, { nowMs }) {
    const present = (window: MarketWindow) =>
      Window.present({
        ...figures[window],
        fromMs: nowMs === null ? null : windowStartMs(window, nowMs),
      });
    const entries = MARKET_WINDOWS.map((window) => [window, present(window)]);
    return Object.fromEntries(entries) as Static<typeof Windows>;
  },
};

/** Windows of a pool or a token; null while they are read from the store. */
export const windows = unionNull(allWindows);

const WINDOW_EXAMPLE = {
  from: '2025-01-15T14:27:30.000Z',
  trades: 31,
  buys: 19,
  sells: 12,
  buyers: 14,
  sellers: 9,
  volume_usd: '1840.25',
  organic_volume_usd: '1102.70',
  price_change: '0.0310',
};

export const WINDOWS_EXAMPLE = {
  '5m': WINDOW_EXAMPLE,
  '1h': { ...WINDOW_EXAMPLE, from: '2025-01-15T13:32:30.000Z' },
  '6h': { ...WINDOW_EXAMPLE, from: '2025-01-15T08:32:30.000Z' },
  '24h': { ...WINDOW_EXAMPLE, from: '2025-01-14T14:32:30.000Z' },
};
