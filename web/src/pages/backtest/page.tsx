import './backtest.css';
import { useState } from 'preact/hooks';
import { isFailure, send } from '../../api/client.ts';
import { formatPercent } from '../../format/numbers.ts';
import { scopes } from '../../state/session.ts';
import { useRead } from '../../state/use-read.ts';
import { Age } from '../../ui/age.tsx';
import { ChainText } from '../../ui/chain-text.tsx';
import { Button } from '../../ui/controls.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ReadView } from '../../ui/read-view.tsx';
import { LookAheadPanel } from './look-ahead-panel.tsx';
import type { Backtest, Report } from './report-types.ts';
import { ReturnsPanel } from './returns-panel.tsx';
import { SummaryPanel } from './summary-panel.tsx';
import { WalkPanel } from './walk-panel.tsx';

const READ_EVERY_MS = 2_000;

/** What a rule would have been worth in a range of the past. */
export function Page({ params }: { readonly params: Readonly<Record<string, string>> }) {
  const { id = '' } = params;
  return <BacktestView key={id} id={id} />;
}

function BacktestView({ id }: { readonly id: string }) {
  const [isEnded, setEnded] = useState(false);
  const read = useRead('/v1/backtests/{id}', { id }, isEnded ? {} : { everyMs: READ_EVERY_MS });
  const { answer, body } = read;
  const isUnknown = answer !== null && isFailure(answer) && answer.error === 404;
  if (!isEnded && (isUnknown || body?.ended_at != null)) setEnded(true);
  return (
    <>
      <h1>Backtest</h1>
      <p>
        <a href="/rules?tab=backtests">All backtests</a>
      </p>
      <ReadView read={read} rows={8}>
        {(backtest) =>
          backtest.report === null ? (
            <Unfinished backtest={backtest} onChanged={read.reload} />
          ) : (
            <Finished report={backtest.report} name={backtest.name} />
          )
        }
      </ReadView>
    </>
  );
}

function Finished({ name, report }: { readonly name: string; readonly report: Report }) {
  return (
    <>
      <SummaryPanel name={name} report={report} />
      <ReturnsPanel report={report} />
      <WalkPanel walk={report.walk_forward} rules={report.rules} />
      <LookAheadPanel proof={report.look_ahead} />
    </>
  );
}

/** Queued, running, failed or cancelled. */
function Unfinished({
  backtest,
  onChanged,
}: {
  readonly backtest: Backtest;
  readonly onChanged: () => void;
}) {
  const { id, name, state, progress, created_at, ended_at, reason } = backtest;
  const mayWrite = scopes.value.some((scope) => scope === 'triggers:write' || scope === 'admin');
  const [error, setError] = useState<string | null>(null);
  const cancel = async () => {
    const answer = await send<Backtest>('DELETE', `/v1/backtests/${encodeURIComponent(id)}`);
    setError(isFailure(answer) ? answer.message : null);
    onChanged();
  };
  return (
    <Panel title={name}>
      {error !== null && <Notice tone="bad">{error}</Notice>}
      {state === 'failed' && (
        <div class="state failed" role="alert">
          <p>
            It failed.{' '}
            <ChainText text={reason} lengthMax={400} fallback="The reason is not known." />
          </p>
        </div>
      )}
      {state === 'cancelled' && <p class="state empty">It was cancelled and has no report.</p>}
      {ended_at === null && (
        <>
          <p>
            {state === 'queued' ? 'It waits for its turn' : 'It runs'}, added{' '}
            <Age instant={created_at} /> ago.
          </p>
          <p>
            <progress max={1} value={Number(progress)} aria-label="Progress" />{' '}
            {formatPercent(progress, { digits: 0 })}
          </p>
          {mayWrite && (
            <Button kind="danger" onClick={() => void cancel()}>
              Cancel
            </Button>
          )}
        </>
      )}
    </Panel>
  );
}
