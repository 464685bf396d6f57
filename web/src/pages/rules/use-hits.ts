import { useEffect, useState } from 'preact/hooks';
import { type Failure, get, isFailure } from '../../api/client.ts';
import { subscribe } from '../../api/stream.ts';
import { showFreshness } from '../../state/freshness.ts';
import type { Author, Hit } from './rule-types.ts';

export interface ShownHit {
  readonly hit: Hit;
  /** A fork has taken its slot back. */
  readonly isUndone: boolean;
}

export interface Hits {
  /** Newest first; null before they are read. */
  readonly rows: readonly ShownHit[] | null;
  readonly failure: Failure | null;
  readonly hasMore: boolean;
  readonly more: () => void;
  readonly reload: () => void;
}

const PAGE = 100;
/** Outcomes of signals change with each price. */
const READ_EVERY_MS = 30_000;

/** A rule whose hits are shown. */
export interface ChosenRule {
  readonly author: Author;
  readonly name: string;
}

type Known = ReadonlyMap<number, ShownHit>;

/**
 * The hits of a rule with those that come and those that a fork takes back; those of all rules only
 * as they come, for null.
 */
export function useHits(rule: ChosenRule | null): Hits {
  const [hits, setHits] = useState<Known | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [hasMore, setHasMore] = useState(false);
  const [round, setRound] = useState(0);
  const subject = JSON.stringify(rule);
  const read = async (before: number | null, signal?: AbortSignal) => {
    if (rule === null) return setHits((old) => old ?? new Map());
    const answer = await get(
      '/v1/rules/{rule_id}/hits',
      {
        ...{ rule_id: rule.name, author: rule.author, limit: PAGE },
        ...(before === null ? {} : { before_row_id: before }),
      },
      signal === undefined ? {} : { signal },
    );
    if (signal?.aborted === true) return;
    setFailure(isFailure(answer) ? answer : null);
    if (isFailure(answer)) return;
    showFreshness(answer);
    setHits((old) => joined(old, answer.ok.hits));
    // The first page is read again and again; only the last one that was asked for says it.
    setHasMore((old) => (before === null && hits !== null ? old : answer.ok.hits.length === PAGE));
  };
  useEffect(() => {
    const ending = new AbortController();
    setHits(null);
    setHasMore(false);
    void read(null, ending.signal);
    const timer = setInterval(() => void read(null, ending.signal), READ_EVERY_MS);
    return () => {
      ending.abort();
      clearInterval(timer);
    };
  }, [subject, round]);
  const reload = () => setRound((old) => old + 1);
  useEffect(() => {
    const params = rule === null ? {} : { rule_id: rule.name, author: rule.author };
    return subscribe<Hit>('rule_hits', params, {
      onItem: (hit) => setHits((old) => joined(old, [hit])),
      onUndo: (hit) => {
        if (hit !== null) setHits((old) => takenBack(old, hit));
      },
      onGap: reload,
    });
  }, [subject]);
  const rows = hits === null ? null : [...hits.values()].sort(newestFirst);
  const oldest = rows?.at(-1)?.hit.row_id ?? null;
  return { rows, failure, hasMore, more: () => void read(oldest), reload };
}

/** A number that a fork has freed is that of another hit afterwards. */
function joined(old: Known | null, hits: readonly Hit[]): Known {
  const next = new Map(old ?? []);
  for (const hit of hits) next.set(hit.row_id, { hit, isUndone: false });
  return next;
}

function takenBack(old: Known | null, hit: Hit): Known {
  return new Map(old ?? []).set(hit.row_id, { hit, isUndone: true });
}

function newestFirst(one: ShownHit, other: ShownHit): number {
  return other.hit.row_id - one.hit.row_id;
}
