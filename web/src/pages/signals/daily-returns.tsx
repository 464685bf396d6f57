import { useEffect, useState } from 'preact/hooks';
import { get, isFailure } from '../../api/client.ts';
import { formatCount } from '../../format/numbers.ts';
import { useRead } from '../../state/use-read.ts';
import { Figure } from '../../ui/figure.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Percent } from '../../ui/percent.tsx';
import { ReadView } from '../../ui/read-view.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { type ExecutionChoice, executionOf } from './lift-panel.tsx';
import type { Execution } from './signal-types.ts';

/** Days are read one by one; more would be many requests for a glance. */
const DAYS_MAX = 14;
const DAY_MS = 86_400_000;

interface DayReturns {
  readonly date: string;
  readonly signals: number;
  readonly execution: Execution | undefined;
}

const REASON = 'No closed position';

const COLUMNS: readonly Column<DayReturns>[] = [
  { key: 'date', title: 'Day (UTC)', cell: ({ date }) => date },
  { key: 'signals', title: 'Signals', align: 'end', cell: ({ signals }) => formatCount(signals) },
  {
    key: 'closed',
    title: 'Closed',
    align: 'end',
    cell: ({ execution }) => formatCount(execution?.signal_count ?? 0),
  },
  {
    key: 'mean',
    title: 'Mean after costs',
    align: 'end',
    cell: ({ execution }) => (
      <Percent
        value={execution !== undefined && execution.signal_count > 0 ? execution.avg_return : null}
        reason={REASON}
      />
    ),
  },
  {
    key: 'won',
    title: 'Won',
    align: 'end',
    cell: ({ execution }) => <Figure value={execution?.win_rate} kind="percent" reason={REASON} />,
  },
];

/** Realisable returns of the chosen exit and size, by day. */
export function DailyReturns({ from, model, rule, ticketUsd }: ExecutionChoice) {
  const read = useRead('/v1/signals/statistics', {
    from_date: from,
    ...(model === null ? {} : { model_name: model }),
  });
  const days = (read.body?.daily_breakdown ?? []).slice(-DAYS_MAX);
  const rows = useDays(days, model, rule, ticketUsd);
  const all = read.body?.daily_breakdown.length ?? 0;
  return (
    <Panel title="Returns after costs, by day" isFlush>
      <ReadView read={read}>
        {() => (
          <Table
            caption="Returns after costs by day"
            columns={COLUMNS}
            rows={rows}
            keyOf={({ date }) => date}
            visibleRows={10}
            empty={all === 0 ? 'No signals in this period.' : 'Reading the days…'}
          />
        )}
      </ReadView>
      {all > DAYS_MAX && (
        <p class="more muted">
          The newest {DAYS_MAX} of {all} days.
        </p>
      )}
    </Panel>
  );
}

function useDays(
  days: readonly { readonly date: string; readonly signal_count: number }[],
  model: ExecutionChoice['model'],
  rule: ExecutionChoice['rule'],
  ticketUsd: number,
): readonly DayReturns[] {
  const [found, setFound] = useState<ReadonlyMap<string, readonly Execution[]>>(new Map());
  const subject = JSON.stringify([days.map(({ date }) => date), model]);
  useEffect(() => {
    const ending = new AbortController();
    setFound(new Map());
    const readDays = async () => {
      for (const { date } of days.toReversed()) {
        const next = new Date(Date.parse(date) + DAY_MS).toISOString();
        const range = { from_date: date, to_date: next };
        const params = model === null ? range : { ...range, model_name: model };
        const answer = await get('/v1/signals/statistics', params, { signal: ending.signal });
        if (ending.signal.aborted) return;
        if (isFailure(answer)) continue;
        setFound((old) => new Map(old).set(date, answer.ok.execution_statistics));
      }
    };
    void readDays();
    return () => ending.abort();
  }, [subject]);
  return days.toReversed().flatMap(({ date, signal_count: signals }) => {
    const all = found.get(date);
    return all === undefined
      ? []
      : [{ date, signals, execution: executionOf(all, rule, ticketUsd) }];
  });
}
