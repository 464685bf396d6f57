import { nameOf } from '../../format/names.ts';
import { formatCount } from '../../format/numbers.ts';
import { Percent } from '../../ui/percent.tsx';
import { RETURNS_COLUMNS } from '../../ui/returns-columns.tsx';
import type { Column } from '../../ui/table.tsx';
import type { Execution } from './report-types.ts';

const NOTHING = 'No random minutes to compare with';

/** Returns after costs. What random minutes returned comes before what the hits did. */
export const EXECUTION_COLUMNS: readonly Column<Execution>[] = [
  { key: 'exit', title: 'Exit', cell: ({ exit_rule }) => nameOf(exit_rule) },
  RETURNS_COLUMNS.ticket,
  {
    ...RETURNS_COLUMNS.closed,
    hint: 'Hits whose position is closed, those whose entry failed among them',
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
  { ...RETURNS_COLUMNS.mean, hint: 'Mean return of the hits after all costs' },
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
  RETURNS_COLUMNS.median,
  RETURNS_COLUMNS.won,
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
