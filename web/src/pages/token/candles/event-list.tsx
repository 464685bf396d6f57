import { formatAge, formatTime } from '../../../format/times.ts';
import { nowMs } from '../../../state/clock.ts';
import { Button } from '../../../ui/controls.tsx';
import { EVENT_KINDS, markOf, type TokenEvent } from './events.ts';

const SHOWN_MAX = 60;

/** The marks of the chart in words: all of them, or those of a mark that was clicked. */
export function EventList({
  events,
  chosen,
  intervalMs,
  onAll,
}: {
  readonly events: readonly TokenEvent[];
  /** Identity of a mark. */
  readonly chosen: string | null;
  readonly intervalMs: number;
  readonly onAll: () => void;
}) {
  const isChosen = ({ kind, timeMs }: TokenEvent) =>
    chosen === `${kind}-${Math.floor(timeMs / intervalMs) * intervalMs}`;
  const ofMark = events.filter(isChosen);
  const isNarrowed = ofMark.length > 0;
  const shown = isNarrowed ? ofMark : events;
  if (events.length === 0) {
    return (
      <p class="token-note">
        Nothing is marked: no migration, bundle, finding, signal or hit of a rule.
      </p>
    );
  }
  return (
    <details class="event-list" open={isNarrowed ? true : undefined}>
      <summary>
        Marks: <Legend events={events} />
      </summary>
      {isNarrowed && (
        <p>
          <Button onClick={onAll}>Show all marks</Button>
        </p>
      )}
      <ul>
        {shown.slice(0, SHOWN_MAX).map((event) => (
          <li key={event.id}>
            <span class={`event-mark tone-${markOf(event.kind).tone}`} aria-hidden="true">
              {markOf(event.kind).text}
            </span>
            <span class="event-time" title={formatTime(new Date(event.timeMs).toISOString())}>
              {formatAge(new Date(event.timeMs).toISOString(), nowMs.value)} ago
            </span>
            <span>
              {event.text} {event.href !== null && <a href={event.href}>More</a>}
            </span>
          </li>
        ))}
      </ul>
      {shown.length > SHOWN_MAX && (
        <p class="token-note">
          The newest {SHOWN_MAX} of {shown.length}.
        </p>
      )}
    </details>
  );
}

function Legend({ events }: { readonly events: readonly TokenEvent[] }) {
  return (
    <>
      {EVENT_KINDS.flatMap((kind) => {
        const count = events.filter((event) => event.kind === kind).length;
        if (count === 0) return [];
        const { text, name, tone } = markOf(kind);
        return (
          <span key={kind} class="event-kind">
            <span class={`event-mark tone-${tone}`} aria-hidden="true">
              {text}
            </span>
            {name} {count > 1 && `× ${count}`}
          </span>
        );
      })}
    </>
  );
}
