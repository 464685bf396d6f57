import { useEffect, useState } from 'preact/hooks';
import { get, isFailure } from '../../api/client.ts';
import { subscribe } from '../../api/stream.ts';
import { FIELDS, type Figures, type WatchedTarget } from './alert-types.ts';

const ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;
const PAUSE_MS = 250;
const NO_ADDRESS = 'Of a pool, or of a token for its primary pool.';

/** Figures that the stream does not send are read again after this time. */
const READ_AGAIN_MS = 10_000;

export const NO_FIGURES = Object.fromEntries(
  Object.keys(FIELDS).map((field) => [field, null]),
) as Figures;

/** What a typed address stands for, with the figures of its pool as they are. */
export interface Target {
  readonly pool: string | null;
  /** What a trigger of it watches; null while the address is not looked up. */
  readonly watched: WatchedTarget | null;
  /** What the address is, in words. */
  readonly note: string;
  readonly figures: Figures;
}

const NOTHING: Omit<Target, 'figures'> = { pool: null, watched: null, note: NO_ADDRESS };

/** Finds the pool of a typed address, that of a pool or of a token, and follows its figures. */
export function useTarget(text: string): Target {
  const [found, setFound] = useState(NOTHING);
  const [figures, setFigures] = useState<Figures>(NO_FIGURES);
  const { pool } = found;
  useEffect(() => {
    const ending = new AbortController();
    const timer = setTimeout(async () => {
      const next = await resolve(text.trim(), ending.signal);
      if (!ending.signal.aborted) setFound(next);
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [text]);
  useEffect(() => {
    setFigures(NO_FIGURES);
    if (pool === null) return undefined;
    const ending = new AbortController();
    const read = async () => {
      const answer = await get('/v1/pools/{pair_address}', { pair_address: pool }, ending);
      if (ending.signal.aborted || isFailure(answer)) return;
      setFigures({ ...NO_FIGURES, ...figuresOf(answer.ok.trigger_figures) });
    };
    void read();
    const timer = setInterval(() => void read(), READ_AGAIN_MS);
    const unsubscribe = subscribe<StreamedPool>(
      'pool',
      { pair_address: pool },
      {
        onItem: (data) => setFigures((before) => ({ ...before, ...figuresOf(data) })),
        onUndo: () => void read(),
        onGap: read,
      },
    );
    return () => {
      clearInterval(timer);
      ending.abort();
      unsubscribe();
    };
  }, [pool]);
  return { ...found, figures };
}

/** A streamed pool has only some of the figures. */
type StreamedPool = Readonly<Partial<Record<keyof Figures, string | number | null>>>;

/** The figures that are given. */
function figuresOf(given: StreamedPool): Partial<Figures> {
  const entries = Object.keys(NO_FIGURES).flatMap((field) => {
    const value = given[field as keyof Figures];
    return value === undefined ? [] : [[field, value === null ? null : String(value)]];
  });
  return Object.fromEntries(entries);
}

async function resolve(text: string, signal: AbortSignal): Promise<Omit<Target, 'figures'>> {
  if (text === '') return NOTHING;
  if (!ADDRESS.test(text)) return { ...NOTHING, note: 'Not an address yet.' };
  const watched = { pair_address: text };
  const pool = await get('/v1/pools/{pair_address}', { pair_address: text }, { signal });
  if (!isFailure(pool)) return { pool: text, watched, note: `A pool of ${pool.ok.venue}.` };
  const pools = await get('/v1/pools', { token_address: text }, { signal });
  const primary = isFailure(pools)
    ? undefined
    : (pools.ok.items.find(({ is_primary }) => is_primary) ?? pools.ok.items[0]);
  if (primary !== undefined) {
    const note = `A token: its primary pool, now one of ${primary.venue}, is watched.`;
    return { pool: primary.pair_address, watched: { token_address: text }, note };
  }
  return { pool: text, watched, note: 'Not seen yet: it is taken for a pool and watched for.' };
}
