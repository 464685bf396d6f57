import { Type } from 'typebox';
import { CANDLE_INTERVALS } from '../parameters/candle-interval.ts';
import { DecimalText, FRESHNESS_HEADERS, Nullable } from '../schemas/wire.ts';

const WireCandle = Type.Object({
  timestamp: Type.String({ format: 'date-time', description: 'Start of the candle.' }),
  open: Nullable(
    DecimalText('In the unit of the metric; null if no trade in the interval could set a price.'),
  ),
  high: Nullable(DecimalText('In the unit of the metric.')),
  low: Nullable(DecimalText('In the unit of the metric.')),
  close: Nullable(DecimalText('In the unit of the metric.')),
  volume: Nullable(DecimalText('Volume in US dollars; null if unknown.')),
  vwap: Nullable(DecimalText('Volume-weighted average price, in the unit of the metric.')),
});

/** Body of the candles: one key, the requested interval (CONTRACT §2.4). */
export const OhlcBody = Type.Object(
  {
    timeframes: Type.Partial(
      Type.Object(
        Object.fromEntries(CANDLE_INTERVALS.map((name) => [name, Type.Array(WireCandle)])),
      ),
      { description: 'One key: the requested interval.' },
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
