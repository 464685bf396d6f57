import type { BodyOf } from '../api/client.ts';
import { formatCount } from '../format/numbers.ts';
import { Figure } from './figure.tsx';
import { Percent } from './percent.tsx';
import type { Column } from './table.tsx';

/** Returns after costs by exit and size, of signals of models and of hits of a backtest. */
type Returns = Pick<
  BodyOf<'/v1/signals/statistics'>['execution_statistics'][number],
  'ticket_usd' | 'signal_count' | 'avg_return' | 'median_return' | 'win_rate'
>;

const NONE = 'No closed position';

/** The columns that tables of returns have in common; each table has its own order and others. */
export const RETURNS_COLUMNS = {
  ticket: {
    key: 'ticket',
    title: 'Size',
    align: 'end',
    cell: ({ ticket_usd }) => `$${formatCount(ticket_usd)}`,
  },
  closed: {
    key: 'closed',
    title: 'Closed',
    align: 'end',
    cell: ({ signal_count }) => formatCount(signal_count),
  },
  mean: {
    key: 'mean',
    title: 'Mean',
    align: 'end',
    cell: (one) => <Percent value={one.signal_count > 0 ? one.avg_return : null} reason={NONE} />,
  },
  median: {
    key: 'median',
    title: 'Median',
    align: 'end',
    isWideOnly: true,
    cell: (one) => (
      <Percent value={one.signal_count > 0 ? one.median_return : null} reason={NONE} />
    ),
  },
  won: {
    key: 'won',
    title: 'Won',
    align: 'end',
    isWideOnly: true,
    cell: ({ win_rate }) => <Figure value={win_rate} kind="percent" reason={NONE} />,
  },
} as const satisfies Readonly<Record<string, Column<Returns>>>;
