import { nameOf } from '../../format/names.ts';
import { formatCount } from '../../format/numbers.ts';
import { Figure } from '../../ui/figure.tsx';
import { Percent } from '../../ui/percent.tsx';
import type { Column } from '../../ui/table.tsx';
import type { Execution } from './report-types.ts';

const NONE = 'No closed position';
const NOTHING = 'No random minutes to compare with';

/** Returns after costs. What random minutes returned comes before what the hits did. */
export const EXECUTION_COLUMNS: readonly Column<Execution>[] = [
  { key: 'exit', title: 'Exit', cell: ({ exit_rule }) => nameOf(exit_rule) },
  {
    key: 'ticket',
    title: 'Size',
    align: 'end',
    cell: ({ ticket_usd }) => `$${formatCount(ticket_usd)}`,
  },
  {
    key: 'closed',
    title: 'Closed',
    hint: 'Hits whose position is closed, those whose entry failed among them',
    align: 'end',
    cell: ({ signal_count }) => formatCount(signal_count),
  },
  {
    key: 'base',
    title: 'Random minutes',
    hint: 'Base rate: mean return of random minutes of similar tokens, after the same costs',
    align: 'end',
    cell: ({ random_minutes: random }) => (
      <Percent value={random?.base_rate ?? null} reason={NOTHING} />
    ),
  },
  {
    key: 'mean',
    title: 'Mean',
    hint: 'Mean return of the hits after all costs',
    align: 'end',
    cell: (one) => <Percent value={one.signal_count > 0 ? one.avg_return : null} reason={NONE} />,
  },
  {
    key: 'lift',
    title: 'Lift',
    hint: 'Mean return of the compared hits above that of random minutes',
    align: 'end',
    cell: ({ random_minutes: random }) => <Percent value={random?.lift ?? null} reason={NOTHING} />,
  },
  {
    key: 'charged',
    title: 'Charged interval',
    hint: 'Of the lift, widened for the number of tries (Bonferroni)',
    align: 'end',
    cell: ({ charged_interval }) => <Interval bounds={charged_interval} />,
  },
  {
    key: 'interval',
    title: '95 % interval',
    hint: 'Of the lift, for a single try',
    align: 'end',
    isWideOnly: true,
    cell: ({ random_minutes: random }) => <Interval bounds={random?.lift_interval ?? null} />,
  },
  {
    key: 'median',
    title: 'Median',
    align: 'end',
    isWideOnly: true,
    cell: (one) => (
      <Percent value={one.signal_count > 0 ? one.median_return : null} reason={NONE} />
    ),
  },
  {
    key: 'won',
    title: 'Won',
    align: 'end',
    isWideOnly: true,
    cell: ({ win_rate }) => <Figure value={win_rate} kind="percent" reason={NONE} />,
  },
  {
    key: 'compared',
    title: 'Compared',
    hint: 'Hits with a random minute to compare with',
    align: 'end',
    isWideOnly: true,
    cell: ({ random_minutes: random }) => formatCount(random?.matched_signal_count ?? 0),
  },
];

/** Both ends of an interval, or that there is too little to say one. */
function Interval({ bounds }: { readonly bounds: readonly string[] | null }) {
  const [low, high] = bounds ?? [];
  if (low === undefined || high === undefined) {
    return <span class="muted">too few to say</span>;
  }
  return (
    <>
      <Percent value={low} /> to <Percent value={high} />
    </>
  );
}
