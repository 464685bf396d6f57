import { useRead } from '../../state/use-read.ts';
import { Panel } from '../../ui/panel.tsx';
import { ReadView } from '../../ui/read-view.tsx';
import { Chain } from './chain.tsx';
import { Checks } from './checks.tsx';
import { KeyPanel } from './key-panel.tsx';
import './operations.css';
import { Programs } from './programs.tsx';
import { Queues } from './queues.tsx';
import { StateOfService } from './state-of-service.tsx';

const READ_EVERY_MS = 5_000;

/** Whether the service is well: checks, stored chain, state, queues, decoding, and the key in use. */
export function Page() {
  const coverage = useRead('/v1/coverage', {}, { everyMs: READ_EVERY_MS });
  return (
    <>
      <h1>Operations</h1>
      <div class="columns">
        <Checks />
        <KeyPanel />
      </div>
      <div class="columns">
        <Panel title="Stored chain">
          <ReadView read={coverage}>{(body) => <Chain coverage={body} />}</ReadView>
        </Panel>
        <Panel title="State: memory, disk, checkpoints, digest">
          <ReadView read={coverage}>{(body) => <StateOfService coverage={body} />}</ReadView>
        </Panel>
      </div>
      <Queues />
      <Panel title="Decoding by program" isFlush>
        <ReadView read={coverage} rows={8}>
          {(body) => <Programs coverage={body} />}
        </ReadView>
      </Panel>
    </>
  );
}
