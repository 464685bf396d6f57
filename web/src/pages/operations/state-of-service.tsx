import { formatBytes } from '../../format/bytes.ts';
import { formatCount } from '../../format/numbers.ts';
import { formatDuration, formatTime } from '../../format/times.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import type { Coverage } from './chain.tsx';

/** The folded state: what it occupies, its checkpoints, and the digest that services compare. */
export function StateOfService({ coverage }: { readonly coverage: Coverage }) {
  const { state, state_memory: memory, state_checkpoints: checkpoints } = coverage;
  return (
    <dl class="pairs">
      <div>
        <dt>Pages in memory</dt>
        <dd>
          {memory === null ? (
            'The state is in memory alone.'
          ) : (
            <Use bytes={memory.page_bytes} bytesMax={memory.page_bytes_max} />
          )}
        </dd>
      </div>
      {memory !== null && (
        <div>
          <dt>Objects in memory</dt>
          <dd>
            <Use bytes={memory.object_bytes} bytesMax={memory.object_bytes_max} />
          </dd>
        </div>
      )}
      {checkpoints !== null && (
        <>
          <div>
            <dt>Disk of checkpoints</dt>
            <dd>
              {formatBytes(checkpoints.disk_bytes)} in {formatCount(checkpoints.count)}
            </dd>
          </div>
          <div>
            <dt>Newest checkpoint</dt>
            <dd>
              {checkpoints.newest === null
                ? 'None yet: a start would apply the whole log.'
                : `slot ${formatCount(checkpoints.newest.slot)}, ${formatTime(checkpoints.newest.block_time)}, ${formatDuration(checkpoints.newest.age_seconds * 1_000)} before the newest slot`}
            </dd>
          </div>
          <div>
            <dt>Failed checkpoints</dt>
            <dd class={checkpoints.failures === 0 ? '' : 'falling'}>
              {formatCount(checkpoints.failures)}
            </dd>
          </div>
        </>
      )}
      <div>
        <dt>Digest</dt>
        <dd>
          {state === null ? (
            'None before the first slot.'
          ) : (
            <>
              <span class="address operations-digest">{state.digest}</span>
              <CopyButton text={state.digest} label="digest" />
              <br />
              <span class="unknown">
                after slot {formatCount(state.slot)}; equal for services that applied the same slots
              </span>
            </>
          )}
        </dd>
      </div>
    </dl>
  );
}

function Use({ bytes, bytesMax }: { readonly bytes: number; readonly bytesMax: number | null }) {
  if (bytesMax === null) return <>{formatBytes(bytes)}, without a bound</>;
  return (
    <span class="operations-use">
      <meter
        min={0}
        max={bytesMax}
        high={bytesMax * 0.9}
        value={bytes}
        aria-label={`${formatBytes(bytes)} of ${formatBytes(bytesMax)}`}
      />{' '}
      {formatBytes(bytes)} of {formatBytes(bytesMax)}
    </span>
  );
}
