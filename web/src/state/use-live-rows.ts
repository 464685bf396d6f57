import { useEffect, useState } from 'preact/hooks';
import { type Answer, type Failure, isFailure } from '../api/client.ts';
import { subscribe } from '../api/stream.ts';
import type { Topic } from '../api/stream-messages.ts';
import { showFreshness } from './freshness.ts';

/** An item of a list by its number, which a fork may free for another one. */
interface Numbered {
  readonly row_id: number;
}

export interface LiveRow<Item> {
  readonly item: Item;
  /** A fork has taken its slot back. */
  readonly isUndone: boolean;
}

export interface LiveRows<Item> {
  /** Newest first; null before they are read. */
  readonly rows: readonly LiveRow<Item>[] | null;
  readonly failure: Failure | null;
  readonly hasMore: boolean;
  /** Reads the next page. */
  readonly more: () => void;
  readonly reload: () => void;
}

/** One page: `next` is where the following one begins, null on the last. */
export interface RowPage<Item, Next> {
  readonly items: readonly Item[];
  readonly next: Next | null;
}

export interface LiveList<Item, Next> {
  /** What the list is of: another subject begins it anew. */
  readonly subject: string;
  readonly topic: Topic;
  readonly params: Readonly<Record<string, string>>;
  /** Reads the page at `next`, the first for null; null for a list of what comes alone. */
  readonly readPage:
    | ((next: Next | null, signal: AbortSignal | undefined) => Promise<Answer<RowPage<Item, Next>>>)
    | null;
  /** Outcomes of items change with each price: the first page is read again this often. */
  readonly everyMs: number;
}

type Known<Item> = ReadonlyMap<number, LiveRow<Item>>;

/** The items of a list, newest first, with those that come and those that a fork takes back. */
export function useLiveRows<Item extends Numbered, Next>(
  list: LiveList<Item, Next>,
): LiveRows<Item> {
  const { subject, topic, params, readPage, everyMs } = list;
  const [known, setKnown] = useState<Known<Item> | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [next, setNext] = useState<Next | null>(null);
  const [round, setRound] = useState(0);
  const read = async (from: Next | null, isFirst: boolean, signal?: AbortSignal) => {
    if (readPage === null) return setKnown((old) => old ?? new Map());
    const answer = await readPage(from, signal);
    if (signal?.aborted === true) return;
    setFailure(isFailure(answer) ? answer : null);
    if (isFailure(answer)) return;
    showFreshness(answer);
    setKnown((old) => joined(old, answer.ok.items));
    // The first page is read again and again; only the last one that was asked for says it.
    if (isFirst) setNext(() => answer.ok.next);
  };
  useEffect(() => {
    const ending = new AbortController();
    setKnown(null);
    setNext(null);
    void read(null, true, ending.signal);
    const timer = setInterval(() => void read(null, false, ending.signal), everyMs);
    return () => {
      ending.abort();
      clearInterval(timer);
    };
  }, [subject, round]);
  const reload = () => setRound((old) => old + 1);
  useEffect(
    () =>
      subscribe<Item>(topic, params, {
        onItem: (item) => setKnown((old) => joined(old, [item])),
        onUndo: (item) => {
          if (item !== null) setKnown((old) => joined(old, [item], true));
        },
        onGap: reload,
      }),
    [subject],
  );
  const rows = known === null ? null : [...known.values()].sort(newestFirst);
  return { rows, failure, hasMore: next !== null, more: () => void read(next, true), reload };
}

function joined<Item extends Numbered>(
  old: Known<Item> | null,
  items: readonly Item[],
  isUndone = false,
): Known<Item> {
  const all = new Map(old ?? []);
  for (const item of items) all.set(item.row_id, { item, isUndone });
  return all;
}

function newestFirst(one: LiveRow<Numbered>, other: LiveRow<Numbered>): number {
  return other.item.row_id - one.item.row_id;
}

/** The page that an answer has; a failure stays one. */
export function pageOf<Body, Item, Next>(
  answer: Answer<Body>,
  toPage: (body: Body) => RowPage<Item, Next>,
): Answer<RowPage<Item, Next>> {
  return isFailure(answer) ? answer : { ...answer, ok: toPage(answer.ok) };
}

/** The page of a list that is continued before its last number; a full one may have a following. */
export function numberedPage<Item extends Numbered>(
  items: readonly Item[],
  lengthMax: number,
): RowPage<Item, number> {
  const last = items.length < lengthMax ? undefined : items.at(-1);
  return { items, next: last?.row_id ?? null };
}
