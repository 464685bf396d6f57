import { useEffect, useRef, useState } from 'preact/hooks';
import {
  type Answer,
  type BodyOf,
  type Failure,
  type GetPath,
  get,
  isFailure,
  type ParamsOf,
} from '../api/client.ts';
import { showFreshness } from './freshness.ts';

/** A list that the API answers page by page, as far as it was read. */
export interface Pages<Item> {
  /** Null before the first page. */
  readonly items: readonly Item[] | null;
  readonly failure: Failure | null;
  readonly isLoading: boolean;
  readonly hasMore: boolean;
  /** Reads the next page. */
  readonly more: () => void;
  /** Begins again with the first page. */
  readonly reload: () => void;
  /** Reads the first page again and keeps the later ones, for what has changed in it. */
  readonly refresh: () => void;
}

export interface PageShape<Body, Item> {
  readonly itemsOf: (body: Body) => readonly Item[];
  readonly nextOf: (body: Body) => string | null;
  readonly keyOf: (item: Item) => string;
}

interface Held<Item> {
  readonly items: readonly Item[] | null;
  readonly next: string | null;
  readonly failure: Failure | null;
  readonly isLoading: boolean;
}

const NOTHING = { items: null, next: null, failure: null, isLoading: true } as const;

/** Reads a list with cursors. Begins again when the path or its parameters change. */
export function usePages<Path extends GetPath, Item>(
  path: Path,
  params: ParamsOf<Path>,
  shape: PageShape<BodyOf<Path>, Item>,
): Pages<Item> {
  const [held, setHeld] = useState<Held<Item>>(NOTHING);
  const [round, setRound] = useState(0);
  const ending = useRef(new AbortController());
  const subject = JSON.stringify([path, params]);
  const shown = useRef(subject);
  const isOther = shown.current !== subject;
  const read = async (cursor: string | null, join: Join<Item>) => {
    const { signal } = ending.current;
    setHeld((old) => ({ ...old, isLoading: true }));
    const asked = cursor === null ? params : { ...params, cursor };
    const answer: Answer<BodyOf<Path>> = await get(path, asked, { signal });
    if (signal.aborted) return;
    if (isFailure(answer)) {
      setHeld((old) => ({ ...old, failure: answer, isLoading: false }));
      return;
    }
    showFreshness(answer);
    const page = { items: shape.itemsOf(answer.ok), next: shape.nextOf(answer.ok) };
    setHeld((old) => ({ ...join(old, page), failure: null, isLoading: false }));
  };
  useEffect(() => {
    shown.current = subject;
    ending.current = new AbortController();
    setHeld((old) => (round === 0 || isOther ? NOTHING : old));
    void read(null, (_, page) => page);
    return () => ending.current.abort();
  }, [subject, round]);
  const { items, next, failure, isLoading } = isOther ? NOTHING : held;
  return {
    items,
    failure,
    isLoading,
    hasMore: next !== null,
    more: () => {
      if (next === null || isLoading) return;
      void read(next, (old, page) => ({
        ...page,
        items: withoutRepeats([...(old.items ?? []), ...page.items], shape.keyOf),
      }));
    },
    reload: () => setRound((old) => old + 1),
    refresh: () =>
      void read(null, (old, page) => ({
        items: withoutRepeats([...page.items, ...(old.items ?? [])], shape.keyOf),
        next: old.items === null ? page.next : old.next,
      })),
  };
}

type Join<Item> = (
  old: Held<Item>,
  page: Pick<Held<Item>, 'items' | 'next'> & { readonly items: readonly Item[] },
) => Pick<Held<Item>, 'items' | 'next'>;

/** The first of the items of each key. */
function withoutRepeats<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[] {
  const byKey = new Map<string, Item>();
  for (const item of items) {
    const key = keyOf(item);
    if (!byKey.has(key)) byKey.set(key, item);
  }
  return [...byKey.values()];
}
