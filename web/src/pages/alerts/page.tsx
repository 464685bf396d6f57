import { useRead } from '../../state/use-read.ts';
import { Panel } from '../../ui/panel.tsx';
import { ReadView } from '../../ui/read-view.tsx';
import { Empty } from '../../ui/states.tsx';

export function Page() {
  const read = useRead('/v1/webhooks', {});
  return (
    <>
      <h1>Alerts</h1>
      <Panel title="Webhooks">
        <ReadView read={read}>{(body) => <Empty>{body.webhooks.length} webhooks.</Empty>}</ReadView>
      </Panel>
    </>
  );
}
