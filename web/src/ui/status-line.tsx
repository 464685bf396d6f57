import { useEffect } from 'preact/hooks';
import { session } from '../api/session-state.ts';
import { connection, streamSlot, subscribe } from '../api/stream.ts';
import { formatCount } from '../format/numbers.ts';
import { formatDuration, timeZone } from '../format/times.ts';
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
    return subscribe('chain', {}, { onItem: () => undefined });
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
      <span class="status-slot">Slot {formatCount(streamSlot.value ?? shown?.slot ?? null)}</span>
      {shown !== null && (
        <>
          <span title="Age of the newest data in this view">{ageOf(shown)} old</span>
          <Badge
            tone={shown.isComplete ? 'neutral' : 'warning'}
            title={shown.isComplete ? 'No gap affects this view.' : 'A gap affects this view.'}
          >
            {shown.isComplete ? 'Complete' : 'Incomplete'}
          </Badge>
        </>
      )}
      <span class="status-zone">Times in {timeZone()}</span>
    </footer>
  );
}

function ageOf({ ageMs, receivedAtMs }: { ageMs: number | null; receivedAtMs: number }): string {
  return formatDuration(ageMs === null ? null : ageMs + Math.max(0, nowMs.value - receivedAtMs));
}
