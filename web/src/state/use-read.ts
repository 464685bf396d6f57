import { useEffect, useRef, useState } from 'preact/hooks';
import {
  type Answer,
  type BodyOf,
  type GetPath,
  get,
  isFailure,
  type ParamsOf,
} from '../api/client.ts';
import { showFreshness } from './freshness.ts';

/** A read of the API as a view shows it. */
export interface Read<Body> {
  /** The newest answer: null before the first one. A failure keeps no older body. */
  readonly answer: Answer<Body> | null;
  /** Body of the newest successful answer, also while a later read fails; null before it. */
  readonly body: Body | null;
  readonly isLoading: boolean;
  /** Reads again now. */
  readonly reload: () => void;
}

export interface ReadOptions {
  /** Reads again after this time. */
  readonly everyMs?: number;
  /** False to not read yet. */
  readonly isWanted?: boolean;
  /** As of `get`. */
  readonly attemptsMax?: number;
}

/**
 * Reads a path of the API when it or its parameters change, and shows how fresh the answer is in the
 * status line. The request is cancelled when the component goes or the parameters change.
 */
export function useRead<Path extends GetPath>(
  path: Path,
  params: ParamsOf<Path>,
  { everyMs, isWanted = true, attemptsMax }: ReadOptions = {},
): Read<BodyOf<Path>> {
  type Body = BodyOf<Path>;
  const [answer, setAnswer] = useState<Answer<Body> | null>(null);
  const [isLoading, setLoading] = useState(isWanted);
  const [round, setRound] = useState(0);
  const body = useRef<Body | null>(null);
  const subject = JSON.stringify([path, params]);
  const shown = useRef(subject);
  const isOfOther = useRef(false);
  if (shown.current !== subject) {
    shown.current = subject;
    body.current = null;
    // The answer is that of the subject before, until this one is read.
    isOfOther.current = true;
  }
  // `round` is no input of the read: it starts it again.
  useEffect(() => {
    if (!isWanted) return undefined;
    const ending = new AbortController();
    let timer: ReturnType<typeof setTimeout> | null = null;
    const read = async () => {
      setLoading(true);
      const next = await get(path, params, {
        signal: ending.signal,
        ...(attemptsMax === undefined ? {} : { attemptsMax }),
      });
      if (ending.signal.aborted) return;
      if (!isFailure(next)) {
        body.current = next.ok;
        showFreshness(next);
      }
      isOfOther.current = false;
      setAnswer(next);
      setLoading(false);
      if (everyMs !== undefined) timer = setTimeout(() => void read(), everyMs);
    };
    void read();
    return () => {
      ending.abort();
      if (timer !== null) clearTimeout(timer);
    };
  }, [subject, round, everyMs, isWanted]);
  return {
    answer: isOfOther.current ? null : answer,
    body: body.current,
    isLoading,
    reload: () => setRound((old) => old + 1),
  };
}
