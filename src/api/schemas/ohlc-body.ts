import { Type } from 'typebox';
import { CANDLE_INTERVALS } from '../parameters/candle-interval.ts';
import { DecimalText, FRESHNESS_HEADERS, Nullable } from './wire.ts';

const WireCandle = Type.Object({
  timestamp: Type.String({ format: 'date-time', description: 'Start of the candle.' }),
  open: Nullable(DecimalText("In the metric's unit; null where no trade could set a price.")),
  high: Nullable(DecimalText("In the metric's unit.")),
  low: Nullable(DecimalText("In the metric's unit.")),
  close: Nullable(DecimalText("In the metric's unit.")),
  volume: Nullable(DecimalText('US dollars; null when unknown.')),
  vwap: Nullable(DecimalText("Volume-weighted average, in the metric's unit.")),
});

/** Body of the candles: one key, the interval asked for (CONTRACT §2.4). */
export const OhlcBody = Type.Object(
  {
    timeframes: Type.Partial(
      Type.Object(
        Object.fromEntries(CANDLE_INTERVALS.map((name) => [name, Type.Array(WireCandle)])),
      ),
      { description: 'One key: the interval asked for.' },
    ),
  },
  {
    description: 'Candles, oldest first.',
    headers: FRESHNESS_HEADERS,
    examples: [
      {
        timeframes: {
          '5m': [
            {
              timestamp: '2025-01-15T14:30:00.000Z',
              open: '0.000346289',
              high: '0.00035',
              low: '0.000346289',
              close: '0.000349',
              volume: '1284.47',
              vwap: '0.0003477',
            },
          ],
        },
      },
    ],
  },
);
