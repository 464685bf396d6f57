import { useEffect, useState } from 'preact/hooks';
import { type Failure, get, isFailure } from '../../api/client.ts';
import { subscribe } from '../../api/stream.ts';
import { showFreshness } from '../../state/freshness.ts';
import type { Firing, TriggerEvent } from './alert-types.ts';

/** Newest events read at first. */
const EVENTS = 500;

export interface Firings {
  /** Newest first; null before they are read. */
  readonly firings: readonly Firing[] | null;
  readonly failure: Failure | null;
  readonly reload: () => void;
}

/** Firings of the account, with those that come, and when a fork took one back. */
export function useFirings(): Firings {
  const [events, setEvents] = useState<ReadonlyMap<number, TriggerEvent> | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [round, setRound] = useState(0);
  const reload = () => setRound((old) => old + 1);
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    const read = async () => {
      const newest = await get('/v1/triggers/firings', { limit: 1 }, { signal });
      if (signal.aborted) return;
      if (isFailure(newest)) return setFailure(newest);
      const since = Math.max(0, newest.ok.last_seq - EVENTS);
      const answer = await get('/v1/triggers/firings', { since, limit: EVENTS }, { signal });
      if (signal.aborted) return;
      if (isFailure(answer)) return setFailure(answer);
      setFailure(null);
      showFreshness(answer);
      setEvents((old) => joined(old, answer.ok.firings));
    };
    void read();
    return () => ending.abort();
  }, [round]);
  useEffect(
    () =>
      subscribe<TriggerEvent>(
        'triggers',
        {},
        {
          onItem: (event) => setEvents((old) => joined(old, [event])),
          onGap: reload,
        },
      ),
    [],
  );
  return { firings: events === null ? null : firingsOf(events), failure, reload };
}

function joined(old: ReadonlyMap<number, TriggerEvent> | null, events: readonly TriggerEvent[]) {
  const next = new Map(old ?? []);
  for (const event of events) next.set(event.seq, event);
  return next;
}

/** Firings, each with the time of the retraction that names it. */
function firingsOf(events: ReadonlyMap<number, TriggerEvent>): Firing[] {
  const retracted = new Map<number, string>();
  for (const event of events.values()) {
    if (event.type === 'trigger_retracted') retracted.set(event.fired_seq, event.retracted_at);
  }
  return [...events.values()]
    .filter((event): event is Firing => event.type === 'trigger_fired')
    .map((firing) => ({
      ...firing,
      retracted_at: firing.retracted_at ?? retracted.get(firing.seq) ?? null,
    }))
    .sort((a, b) => b.seq - a.seq);
}
