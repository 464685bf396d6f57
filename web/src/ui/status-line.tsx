import { useEffect } from 'preact/hooks';
import { session } from '../api/session-state.ts';
import { connection, type MissedTime, missed, streamSlot, subscribe } from '../api/stream.ts';
import { formatCount } from '../format/numbers.ts';
import { formatDuration, formatTime, timeZone } from '../format/times.ts';
import { type ChainSlot, newestSlot } from '../state/chain.ts';
import { nowMs } from '../state/clock.ts';
import { freshness, isSimulated } from '../state/freshness.ts';
import { Badge, type Tone } from './badge.tsx';

const CONNECTIONS = {
  live: ['Live', 'good'],
  reconnecting: ['Reconnecting', 'warning'],
  stale: ['Not connected', 'bad'],
} as const satisfies Readonly<Record<string, readonly [string, Tone]>>;

/** Slot, age and completeness of what is shown, and the state of the connection; always in sight. */
export function StatusLine() {
  const isOpen = session.value === 'open';
  useEffect(() => {
    if (!isOpen) return undefined;
    return subscribe<ChainSlot>(
      'chain',
      {},
      {
        onItem: (slot) => {
          newestSlot.value = slot;
        },
      },
    );
  }, [isOpen]);
  const [text, tone] = CONNECTIONS[connection.value];
  const shown = freshness.value;
  return (
    <footer class="status-line">
      {isOpen && (
        <span data-connection={connection.value}>
          <Badge tone={tone}>{text}</Badge>
        </span>
      )}
      {isSimulated.value && (
        <Badge tone="accent" title="Nothing here is on any real chain.">
          Simulated
        </Badge>
      )}
      <span class="status-slot" title="Newest slot">
        <span class="status-word">Slot </span>
        {formatCount(streamSlot.value ?? shown?.slot ?? null)}
      </span>
      {shown !== null && (
        <>
          <span title="Age of the newest data in this view">
            {ageOf(shown)}
            <span class="status-word"> old</span>
          </span>
          <Badge
            tone={shown.isComplete ? 'neutral' : 'warning'}
            title={shown.isComplete ? 'No gap affects this view.' : 'A gap affects this view.'}
          >
            {shown.isComplete ? 'Complete' : 'Incomplete'}
          </Badge>
        </>
      )}
      {missed.value !== null && <Missed {...missed.value} />}
      <span class="status-zone" title={`Times in ${timeZone()}`}>
        <span class="status-word">Times in </span>
        {timeZone()}
      </span>
    </footer>
  );
}

/** Live messages of a time were missed; what is shown was read again since. */
function Missed({ fromMs, toMs }: MissedTime) {
  const [from, to] = [fromMs, toMs].map((ms) => new Date(ms).toISOString());
  return (
    <span class="status-missed" role="status">
      <Badge
        tone="warning"
        title={`Live messages from ${formatTime(from ?? null)} to ${formatTime(to ?? null)} were missed. Views were read again; feeds may lack what came and went meanwhile.`}
      >
        Missed {formatDuration(toMs - fromMs)} of messages
      </Badge>
      <button
        type="button"
        class="link-button"
        onClick={() => {
          missed.value = null;
        }}
      >
        Dismiss
      </button>
    </span>
  );
}

function ageOf({ ageMs, receivedAtMs }: { ageMs: number | null; receivedAtMs: number }): string {
  return formatDuration(ageMs === null ? null : ageMs + Math.max(0, nowMs.value - receivedAtMs));
}
