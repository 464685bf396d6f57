import { Type } from 'typebox';
import { EXAMPLE } from '../schemas/examples.ts';
import { AddressText, FRESHNESS_HEADERS } from '../schemas/wire.ts';
import {
  FIGURE_NAMES,
  FIGURES_EXAMPLE,
  LeadingFigures,
  TrailingFigures,
} from './indicator-figures.ts';
import { instant, maybeInstant } from './wire-kinds.ts';

/** Values of the `fields` parameter. `created_at` is always included. */
export const HISTORY_FIELDS = [
  'pair_address',
  'token_address',
  ...FIGURE_NAMES,
  'updated_at',
] as const;
export type HistoryField = (typeof HISTORY_FIELDS)[number];

export const HISTORY_INTERVALS = ['1m', '5m', '15m', '30m', '1h', '4h', '1d'] as const;
export type HistoryInterval = (typeof HISTORY_INTERVALS)[number];

/**
 * The serialiser writes required properties first. To keep the key order, every property is
 * optional in the schema; `created_at` is nevertheless always present.
 */
const Point = Type.Object({
  pair_address: Type.Optional(AddressText),
  token_address: Type.Optional(AddressText),
  ...Type.Partial(LeadingFigures.schema).properties,
  created_at: Type.Optional(instant.schema),
  updated_at: Type.Optional(maybeInstant.schema),
  ...Type.Partial(TrailingFigures.schema).properties,
});

/** Body of the historic indicators. */
export const IndicatorHistoryBody = Type.Object(
  {
    pair_address: AddressText,
    from: Type.String({ description: 'The from parameter, as given in the request.' }),
    to: Type.String({ description: 'The to parameter, as given in the request.' }),
    interval: Type.Unsafe<HistoryInterval>({ type: 'string', enum: [...HISTORY_INTERVALS] }),
    count: Type.Integer(),
    indicators: Type.Array(Point, { description: 'Data points, oldest first.' }),
  },
  {
    description: 'Indicators of the pool over time, oldest first.',
    headers: FRESHNESS_HEADERS,
    examples: [
      {
        pair_address: EXAMPLE.pool,
        from: '2025-01-15T14:00:00Z',
        to: '2025-01-15T15:00:00Z',
        interval: '1h',
        count: 1,
        indicators: [
          {
            pair_address: EXAMPLE.pool,
            token_address: EXAMPLE.mint,
            ...FIGURES_EXAMPLE,
            created_at: '2025-01-15T14:00:00.000Z',
            updated_at: '2025-01-15T14:59:59.600Z',
          },
        ],
      },
    ],
  },
);
