import { formatCount } from '../../format/numbers.ts';
import { useRead } from '../../state/use-read.ts';
import { Figure } from '../../ui/figure.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Percent } from '../../ui/percent.tsx';
import { ReadView } from '../../ui/read-view.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { EXIT_TITLES, type Execution, type ModelName } from './signal-types.ts';

const NONE = 'No closed position';

const COLUMNS: readonly Column<Execution>[] = [
  { key: 'rule', title: 'Exit', cell: ({ exit_rule }) => EXIT_TITLES[exit_rule] },
  {
    key: 'ticket',
    title: 'Size',
    align: 'end',
    cell: ({ ticket_usd }) => `$${formatCount(ticket_usd)}`,
  },
  {
    key: 'count',
    title: 'Closed',
    hint: 'Signals whose position is closed',
    align: 'end',
    cell: ({ signal_count }) => formatCount(signal_count),
  },
  {
    key: 'lift',
    title: 'Lift',
    hint: 'Over random minutes of similar tokens',
    align: 'end',
    cell: ({ random_minutes: random }) => (
      <Percent value={random?.lift ?? null} reason="Nothing to compare with" />
    ),
  },
  {
    key: 'mean',
    title: 'Mean',
    align: 'end',
    cell: (one) => <Percent value={one.signal_count > 0 ? one.avg_return : null} reason={NONE} />,
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
];

/** Returns after costs by rule of the exit and size. */
export function ExecutionTable({
  from,
  model,
}: {
  readonly from: string;
  readonly model: ModelName | null;
}) {
  const read = useRead('/v1/signals/statistics', {
    from_date: from,
    ...(model === null ? {} : { model_name: model }),
  });
  return (
    <Panel title="Returns after costs, by exit" isFlush>
      <ReadView read={read}>
        {({ execution_statistics: all }) => (
          <Table
            caption="Returns after costs by exit"
            columns={COLUMNS}
            rows={all}
            keyOf={({ exit_rule, ticket_usd }) => `${exit_rule} ${ticket_usd}`}
            visibleRows={10}
          />
        )}
      </ReadView>
    </Panel>
  );
}
