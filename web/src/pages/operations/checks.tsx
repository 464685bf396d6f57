import { isFailure } from '../../api/client.ts';
import { useRead } from '../../state/use-read.ts';
import { Badge } from '../../ui/badge.tsx';
import { ChainText } from '../../ui/chain-text.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ReadView } from '../../ui/read-view.tsx';

const READ_EVERY_MS = 3_000;
const DETAIL_MAX = 600;

/** What each check of `/readyz` says, for people. */
const TITLES: Readonly<Record<string, string>> = {
  store_writable: 'Store can be written',
  store_readable: 'Store can be read',
  store_whole: 'Store is whole',
  source: 'Sources',
  source_lag: 'Lag behind the chain',
  gaps: 'Gaps',
  venues: 'Changed programs',
  log_applied: 'Stored log applied',
};

/** Checks that do not make the service unready (README): they are warnings. */
const REPORTED_ONLY: readonly string[] = ['gaps', 'venues'];

/** The checks of `/readyz`: store, sources, lag, gaps, drift of programs. */
export function Checks() {
  const read = useRead('/readyz', {}, { everyMs: READ_EVERY_MS, attemptsMax: 1 });
  const { answer } = read;
  const isUnready = answer !== null && isFailure(answer) && answer.error === 503;
  return (
    <Panel
      title="Checks"
      actions={
        <>
          {answer !== null && !isFailure(answer) && <Badge tone="good">Ready</Badge>}
          {isUnready && <Badge tone="bad">Not ready</Badge>}
        </>
      }
    >
      {isUnready ? (
        <p role="alert">
          <ChainText text={answer.message} lengthMax={DETAIL_MAX} />
        </p>
      ) : (
        <ReadView read={read}>
          {({ checks }) => (
            <dl class="pairs">
              {Object.entries(checks).map(([name, { ok, detail }]) => (
                <div key={name}>
                  <dt>{TITLES[name] ?? name.replaceAll('_', ' ')}</dt>
                  <dd class="operations-check">
                    <Badge tone={toneOf(name, ok)}>{wordOf(name, ok)}</Badge>{' '}
                    {detail !== 'ok' && <ChainText text={detail} lengthMax={DETAIL_MAX} />}
                  </dd>
                </div>
              ))}
            </dl>
          )}
        </ReadView>
      )}
    </Panel>
  );
}

function toneOf(name: string, isOk: boolean) {
  if (isOk) return 'good';
  return REPORTED_ONLY.includes(name) ? 'warning' : 'bad';
}

function wordOf(name: string, isOk: boolean): string {
  if (isOk) return 'ok';
  return REPORTED_ONLY.includes(name) ? 'alarm' : 'failed';
}
