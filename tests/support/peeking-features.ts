import { Random } from '../../simulator/random/random.ts';
import { lookAheadFaults } from '../../src/backtest/proof/look-ahead.ts';
import type { BacktestHit, LookAheadFault } from '../../src/model/backtest.ts';
import { asSlot } from '../../src/model/units.ts';
import { address } from './build-transaction.ts';

/** A minute of one pool as whole-column features read it. */
export interface ColumnMinute {
  readonly minuteMs: number;
  readonly close: number;
  readonly volume: number;
}

/** Computes a feature for all minutes at once, as strategies on data frames do. */
export type ColumnFeature = (minutes: readonly ColumnMinute[]) => readonly (number | null)[];

const HOUR_MS = 3_600_000;
const meanOf = (values: readonly number[]) =>
  values.reduce((sum, one) => sum + one, 0) / values.length;

/**
 * The mistakes that freqtrade's documentation names (strategy customization, "looking into the
 * future while backtesting"; lookahead analysis), rebuilt.
 */
export const PEEKING: Readonly<Record<string, ColumnFeature>> = {
  // dataframe['close'].shift(-1)
  'next close by shift(-1)': (minutes) => minutes.map((_, at) => minutes[at + 1]?.close ?? null),
  // dataframe['close'].shift(-10) > dataframe['close'], the entry of freqtrade's own biased strategy
  'entry by shift(-10)': (minutes) =>
    minutes.map(({ close }, at) => {
      const later = minutes[at + 10]?.close;
      return later === undefined ? null : Number(later > close);
    }),
  // dataframe['volume'].mean()
  'volume by the mean of the column': (minutes) => {
    const mean = meanOf(minutes.map(({ volume }) => volume));
    return minutes.map(({ volume }) => volume / mean);
  },
  // (close - close.min()) / (close.max() - close.min())
  'close normalised by the whole column': (minutes) => {
    const closes = minutes.map(({ close }) => close);
    const [low, high] = [Math.min(...closes), Math.max(...closes)];
    return closes.map((close) => (high === low ? 0 : (close - low) / (high - low)));
  },
  // dataframe['close'].iloc[-1]
  'last close by iloc[-1]': (minutes) => minutes.map(() => minutes.at(-1)?.close ?? null),
  // dataframe.resample('1h') with the left border: the hour's close is known at its start
  'close of the hour by resample': (minutes) =>
    minutes.map(({ minuteMs }) => {
      const hour = Math.floor(minuteMs / HOUR_MS);
      return minutes.findLast((one) => Math.floor(one.minuteMs / HOUR_MS) === hour)?.close ?? null;
    }),
  // ichimoku's chikou span: the close, moved back by 30 candles
  'chikou span': (minutes) => minutes.map((_, at) => minutes[at + 30]?.close ?? null),
  // rolling(20, center=True).mean()
  'centred rolling mean': (minutes) =>
    minutes.map((_, at) =>
      meanOf(minutes.slice(Math.max(0, at - 10), at + 10).map((one) => one.close)),
    ),
};

/** What freqtrade recommends in their place. */
export const INNOCENT: Readonly<Record<string, ColumnFeature>> = {
  'close ten minutes ago by shift(10)': (minutes) =>
    minutes.map((_, at) => minutes[at - 10]?.close ?? null),
  'volume by its rolling mean': (minutes) =>
    minutes.map(
      ({ volume }, at) =>
        volume / meanOf(minutes.slice(Math.max(0, at - 19), at + 1).map((one) => one.volume)),
    ),
  'expanding maximum': (minutes) =>
    minutes.map((_, at) => Math.max(...minutes.slice(0, at + 1).map(({ close }) => close))),
  'close of the hour before': (minutes) =>
    minutes.map(({ minuteMs }) => {
      const hour = Math.floor(minuteMs / HOUR_MS);
      return minutes.findLast((one) => Math.floor(one.minuteMs / HOUR_MS) < hour)?.close ?? null;
    }),
};

const START_MS = Date.UTC(2026, 0, 5);
const random = new Random('peeking');
const MINUTES: readonly ColumnMinute[] = Array.from({ length: 600 }, (_, at) => ({
  minuteMs: START_MS + at * 60_000,
  close: 1 + random.unit(),
  volume: 1 + random.unit(),
}));

/** The hit of a minute of the made-up pool. */
export function hitAt(at: number): BacktestHit {
  const minuteMs = START_MS + at * 60_000;
  return {
    ...{ mint: address('mint'), pool: address('pool'), minuteMs },
    ...{ slot: asSlot(1_000 + at), timeMs: minuteMs + 60_000 },
  };
}

/** Faults of a feature at 50 hits, every sixth minute, each compared with a log that ends with the hit's minute. */
export function faultsOf(name: string, feature: ColumnFeature): readonly LookAheadFault[] {
  const recorded = feature(MINUTES);
  const places = Array.from({ length: 50 }, (_, at) => 100 + 6 * at);
  return places.flatMap((at) => {
    const cut = feature(MINUTES.slice(0, at + 1));
    return lookAheadFaults(
      hitAt(at),
      { [name]: recorded[at] ?? null },
      { [name]: cut[at] ?? null },
    );
  });
}
