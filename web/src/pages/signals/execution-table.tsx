import { useRead } from '../../state/use-read.ts';
import { Panel } from '../../ui/panel.tsx';
import { Percent } from '../../ui/percent.tsx';
import { ReadView } from '../../ui/read-view.tsx';
import { RETURNS_COLUMNS } from '../../ui/returns-columns.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { EXIT_TITLES, type Execution, type ModelName } from './signal-types.ts';

const COLUMNS: readonly Column<Execution>[] = [
  { key: 'rule', title: 'Exit', cell: ({ exit_rule }) => EXIT_TITLES[exit_rule] },
  RETURNS_COLUMNS.ticket,
  { ...RETURNS_COLUMNS.closed, hint: 'Signals whose position is closed' },
  {
    key: 'lift',
    title: 'Lift',
    hint: 'Over random minutes of similar tokens',
    align: 'end',
    cell: ({ random_minutes: random }) => (
      <Percent value={random?.lift ?? null} reason="Nothing to compare with" />
    ),
  },
  RETURNS_COLUMNS.mean,
  RETURNS_COLUMNS.median,
  RETURNS_COLUMNS.won,
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
