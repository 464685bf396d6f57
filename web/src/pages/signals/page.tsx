import { useMemo } from 'preact/hooks';
import { useRead } from '../../state/use-read.ts';
import { Panel } from '../../ui/panel.tsx';
import { ReadView } from '../../ui/read-view.tsx';
import { Empty } from '../../ui/states.tsx';

const DAY_MS = 86_400_000;

export function Page() {
  const from = useMemo(() => new Date(Date.now() - DAY_MS).toISOString(), []);
  const read = useRead('/v1/signals', { from_date: from });
  return (
    <>
      <h1>Signals</h1>
      <Panel title="Signals of the last day">
        <ReadView read={read}>
          {({ signals }) => <Empty>{signals.length} signals in the last day.</Empty>}
        </ReadView>
      </Panel>
    </>
  );
}
