import { useEffect, useState } from 'preact/hooks';
import { isFailure } from '../../api/client.ts';
import { useRead } from '../../state/use-read.ts';
import { Panel } from '../../ui/panel.tsx';
import { ReadView } from '../../ui/read-view.tsx';
import { Chain } from './chain.tsx';
import { Checks } from './checks.tsx';
import { History } from './history.tsx';
import { KeyPanel } from './key-panel.tsx';
import './operations.css';
import { Programs } from './programs.tsx';
import { Queues } from './queues.tsx';
import { SeriesMemory } from './series-memory.ts';
import { StateOfService } from './state-of-service.tsx';
import { useMetrics } from './use-metrics.ts';

const READ_EVERY_MS = 5_000;
/** Stays while other pages are shown. */
const memory = new SeriesMemory();

/** Whether the service is well: checks, stored chain, state, queues, decoding, and the key in use. */
export function Page() {
  const coverage = useRead('/v1/coverage', {}, { everyMs: READ_EVERY_MS });
  const metrics = useMetrics(READ_EVERY_MS);
  const { answer } = metrics;
  const [, setMeasured] = useState(answer);
  useEffect(() => {
    if (answer === null || isFailure(answer)) return;
    memory.add(answer.ok, Date.now());
    setMeasured(answer);
  }, [answer]);
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
      <History points={memory.points} />
      <Queues read={metrics} />
      <Panel title="Decoding by program" isFlush>
        <ReadView read={coverage} rows={8}>
          {(body) => <Programs coverage={body} />}
        </ReadView>
      </Panel>
    </>
  );
}
