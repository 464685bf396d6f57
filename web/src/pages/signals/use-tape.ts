import { useEffect, useState } from 'preact/hooks';
import { type Failure, get, isFailure } from '../../api/client.ts';
import { subscribe } from '../../api/stream.ts';
import { showFreshness } from '../../state/freshness.ts';
import type { ModelName, Signal } from './signal-types.ts';

export interface ShownSignal {
  readonly signal: Signal;
  readonly isUndone: boolean;
}

export interface TapeState {
  readonly rows: readonly ShownSignal[] | null;
  readonly failure: Failure | null;
  readonly hasMore: boolean;
  readonly more: () => void;
  readonly reload: () => void;
}

const PAGE = 100;
/** Outcomes change with each price; a tape is read again this often. */
const READ_EVERY_MS = 15_000;

/** Signals of a period, newest first, with those that come and those that a fork takes back. */
export function useTape(from: string, model: ModelName | null): TapeState {
  const [signals, setSignals] = useState<ReadonlyMap<number, ShownSignal> | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [hasMore, setHasMore] = useState(false);
  const [round, setRound] = useState(0);
  const read = async (before: number | null, signal?: AbortSignal) => {
    const answer = await get(
      '/v1/signals',
      {
        from_date: from,
        limit: PAGE,
        ...(model === null ? {} : { model_name: model }),
        ...(before === null ? {} : { before_row_id: before }),
      },
      signal === undefined ? {} : { signal },
    );
    if (signal?.aborted === true) return;
    setFailure(isFailure(answer) ? answer : null);
    if (isFailure(answer)) return;
    showFreshness(answer);
    setSignals((old) => joined(old, answer.ok.signals));
    setHasMore((old) => (before === null && signals !== null ? old : answer.ok.count === PAGE));
  };
  useEffect(() => {
    const ending = new AbortController();
    setSignals(null);
    void read(null, ending.signal);
    const timer = setInterval(() => void read(null, ending.signal), READ_EVERY_MS);
    return () => {
      ending.abort();
      clearInterval(timer);
    };
  }, [from, model, round]);
  const reload = () => setRound((old) => old + 1);
  useEffect(
    () =>
      subscribe<Signal>('signals', model === null ? {} : { model_name: model }, {
        onItem: (signal) => setSignals((old) => joined(old, [signal])),
        onUndo: (signal) => {
          if (signal !== null) setSignals((old) => joined(old, [signal], true));
        },
        onGap: reload,
      }),
    [from, model],
  );
  const rows = signals === null ? null : [...signals.values()].sort(newestFirst);
  const oldest = rows?.at(-1)?.signal.row_id ?? null;
  return { rows, failure, hasMore, more: () => void read(oldest), reload };
}

function joined(
  old: ReadonlyMap<number, ShownSignal> | null,
  signals: readonly Signal[],
  isUndone = false,
): ReadonlyMap<number, ShownSignal> {
  const next = new Map(old ?? []);
  for (const signal of signals) next.set(signal.row_id, { signal, isUndone });
  return next;
}

function newestFirst(a: ShownSignal, b: ShownSignal): number {
  return b.signal.row_id - a.signal.row_id;
}
