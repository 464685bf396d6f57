import { formatBytes } from '../../format/bytes.ts';
import { formatCount } from '../../format/numbers.ts';
import type { Read } from '../../state/use-read.ts';
import { Figure } from '../../ui/figure.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ReadView } from '../../ui/read-view.tsx';
import { type MetricSample, sumOf } from './parse-metrics.ts';

const LANES = 'mintscope_lane_waiting_requests';

/** Work that waits, in the order in which it passes through the service. */
const QUEUES = [
  ['mintscope_source_open_requests', 'Requests to sources', 'Sent to sources, not yet answered'],
  ['mintscope_unwritten_slots', 'Slots to store', 'Final, not yet written to the store'],
  ['mintscope_tail_slots', 'Slots not final', 'Kept so that a fork can undo them'],
  ['mintscope_open_calls', 'Calls to the engine', 'Sent by the API, not yet answered'],
  [LANES, 'Requests waiting', 'For other requests of their account'],
  ['mintscope_past_states_waiting', 'Earlier states', 'Being computed or waiting to be'],
  ['mintscope_webhook_pending_deliveries', 'Webhook deliveries', 'Due, or to be tried again'],
  ['mintscope_social_posts_waiting', 'Posts', 'Collected, not yet counted'],
] as const;

const DISKS = [
  ['mintscope_state_disk_bytes', 'Files of the state', 'As of the newest checkpoint'],
] as const;

/** How much work waits in each queue of the service, and what it keeps on disk. */
export function Queues({ read }: { readonly read: Read<readonly MetricSample[]> }) {
  return (
    <Panel title="Queues and disk">
      <ReadView read={read}>
        {(samples) => (
          <dl class="pairs">
            {QUEUES.map(([name, title, hint]) => (
              <div key={name}>
                <dt title={hint}>{title}</dt>
                <dd>
                  <Amount value={sumOf(samples, name)} write={formatCount} />
                  {name === LANES && <WaitingLanes samples={samples} />}
                </dd>
              </div>
            ))}
            {DISKS.map(([name, title, hint]) => (
              <div key={name}>
                <dt title={hint}>{title}</dt>
                <dd>
                  <Amount value={sumOf(samples, name)} write={formatBytes} />
                </dd>
              </div>
            ))}
          </dl>
        )}
      </ReadView>
    </Panel>
  );
}

function Amount({
  value,
  write,
}: {
  readonly value: number | null;
  readonly write: (value: number) => string;
}) {
  if (value === null) return <Figure value={null} kind="amount" reason="This service has none" />;
  return <span title={formatCount(value)}>{write(value)}</span>;
}

/** Which kinds of requests wait, if any does. */
function WaitingLanes({ samples }: { readonly samples: readonly MetricSample[] }) {
  const lanes = samples.filter(({ name, value }) => name === LANES && value > 0);
  if (lanes.length === 0) return null;
  const text = lanes.map(({ labels, value }) => `${labels.lane ?? ''} ${formatCount(value)}`);
  return <span class="unknown"> {text.join(', ')}</span>;
}
