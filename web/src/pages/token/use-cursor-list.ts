import { useEffect, useRef, useState } from 'preact/hooks';
import {
  type BodyOf,
  type Failure,
  type GetPath,
  get,
  isFailure,
  type ParamsOf,
} from '../../api/client.ts';
import { showFreshness } from '../../state/freshness.ts';

export interface CursorList<Item> {
  /** Null before the first page. */
  readonly items: readonly Item[] | null;
  readonly failure: Failure | null;
  /** Whether there is another page. */
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  readonly loadMore: () => void;
  readonly reload: () => void;
}

/** Reads a list page by page, from the start when its parameters change. */
export function useCursorList<Path extends GetPath, Item>(
  path: Path,
  params: ParamsOf<Path>,
  itemsOf: (body: BodyOf<Path>) => {
    readonly items: readonly Item[];
    readonly next: string | null;
  },
): CursorList<Item> {
  const subject = JSON.stringify([path, params]);
  const [state, setState] = useState<State<Item>>(EMPTY);
  const [round, setRound] = useState(0);
  const current = useRef(subject);
  current.current = subject;
  const read = async (cursor: string | null, before: readonly Item[]) => {
    setState((old) => ({ ...old, isLoading: true }));
    const answer = await get(path, { ...params, ...(cursor === null ? {} : { cursor }) });
    if (current.current !== subject) return;
    if (isFailure(answer)) {
      setState((old) => ({ ...old, failure: answer, isLoading: false }));
      return;
    }
    showFreshness(answer);
    const { items, next } = itemsOf(answer.ok);
    setState({ items: [...before, ...items], next, failure: null, isLoading: false });
  };
  // `round` is no input of the read: it starts it again.
  useEffect(() => {
    setState(EMPTY);
    void read(null, []);
  }, [subject, round]);
  return {
    ...state,
    hasMore: state.next !== null,
    loadMore: () => {
      if (!state.isLoading) void read(state.next, state.items ?? []);
    },
    reload: () => setRound((old) => old + 1),
  };
}

interface State<Item> {
  readonly items: readonly Item[] | null;
  readonly next: string | null;
  readonly failure: Failure | null;
  readonly isLoading: boolean;
}

const EMPTY: State<never> = { items: null, next: null, failure: null, isLoading: true };
