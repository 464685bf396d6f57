import { useState } from 'preact/hooks';
import { isFailure, send } from '../../api/client.ts';
import { formatTime } from '../../format/times.ts';
import { useRead } from '../../state/use-read.ts';
import { Age } from '../../ui/age.tsx';
import { Badge } from '../../ui/badge.tsx';
import { ChainText } from '../../ui/chain-text.tsx';
import { Button } from '../../ui/controls.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ReadView } from '../../ui/read-view.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { BacktestForm } from './backtest-form.tsx';
import { type Backtest, STATE_TONES } from './rule-types.ts';

const READ_EVERY_MS = 3_000;

/** Backtests with their progress, and the form for another one. */
export function BacktestsPanel({ mayWrite }: { readonly mayWrite: boolean }) {
  const read = useRead('/v1/backtests', {}, { everyMs: READ_EVERY_MS });
  const [error, setError] = useState<string | null>(null);
  const cancel = async ({ id }: Backtest) => {
    const answer = await send<Backtest>('DELETE', `/v1/backtests/${encodeURIComponent(id)}`);
    setError(isFailure(answer) ? answer.message : null);
    read.reload();
  };
  return (
    <div class="rules">
      <Panel title="Backtests" isFlush>
        {error !== null && <Notice tone="bad">{error}</Notice>}
        <ReadView read={read}>
          {({ backtests }) => (
            <Table
              caption="Backtests"
              columns={columnsOf(mayWrite, (one) => void cancel(one))}
              rows={backtests}
              keyOf={({ id }) => id}
              hrefOf={({ id }) => `/backtest/${encodeURIComponent(id)}`}
              visibleRows={10}
              empty="No backtests yet. One says what a rule would have been worth in the stored past."
            />
          )}
        </ReadView>
      </Panel>
      {mayWrite && <BacktestForm onDone={read.reload} />}
    </div>
  );
}

function columnsOf(
  mayWrite: boolean,
  onCancel: (backtest: Backtest) => void,
): readonly Column<Backtest>[] {
  return [
    {
      key: 'name',
      title: 'Rule',
      cell: ({ id, name }) => (
        <a href={`/backtest/${encodeURIComponent(id)}`}>
          <ChainText text={name} lengthMax={40} />
        </a>
      ),
    },
    {
      key: 'state',
      title: 'State',
      cell: ({ state, reason }) => (
        <Badge tone={STATE_TONES[state]} {...(reason === null ? {} : { title: reason })}>
          {state}
        </Badge>
      ),
    },
    {
      key: 'progress',
      title: 'Progress',
      cell: ({ name, progress }) => (
        <progress max={1} value={Number(progress)} aria-label={`Progress of ${name}`} />
      ),
    },
    { key: 'age', title: 'Added', cell: ({ created_at }) => <Age instant={created_at} /> },
    {
      key: 'ended',
      title: 'Ended',
      isWideOnly: true,
      cell: ({ ended_at }) => formatTime(ended_at),
    },
    {
      key: 'actions',
      title: '',
      align: 'end',
      cell: (backtest) =>
        mayWrite &&
        backtest.ended_at === null && (
          <Button kind="danger" onClick={() => onCancel(backtest)}>
            Cancel
          </Button>
        ),
    },
  ];
}
