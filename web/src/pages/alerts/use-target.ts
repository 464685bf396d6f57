import { useEffect, useState } from 'preact/hooks';
import { type BodyOf, get, isFailure } from '../../api/client.ts';
import { subscribe } from '../../api/stream.ts';
import type { Figures } from './alert-types.ts';

const ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;
const PAUSE_MS = 250;
const NO_ADDRESS = 'Of a pool, or of a token for its primary pool.';

/** Figures that the stream does not send are read again after this time. */
const READ_AGAIN_MS = 10_000;

export const NO_FIGURES: Figures = {
  sol_amount: null,
  token_amount: null,
  number_of_buys: null,
  number_of_sells: null,
  buy_volume_usd: null,
  sell_volume_usd: null,
  total_volume_usd: null,
  price_usd: null,
  liquidity_usd: null,
  marketcap_usd: null,
  organic_to_total_wallets_ratio: null,
  raw_holders: null,
  smart_money_influx_10min: null,
};

/** The pool that a typed address stands for, with its figures as they are. */
export interface Target {
  readonly pool: string | null;
  /** What the address is, in words. */
  readonly note: string;
  readonly figures: Figures;
}

/** Finds the pool of a typed address, that of a pool or of a token, and follows its figures. */
export function useTarget(text: string): Target {
  const [found, setFound] = useState<Omit<Target, 'figures'>>({ pool: null, note: NO_ADDRESS });
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
      const next = await readFigures(pool, ending.signal);
      if (!ending.signal.aborted && next !== null) setFigures(next);
    };
    void read();
    const timer = setInterval(() => void read(), READ_AGAIN_MS);
    const unsubscribe = subscribe<StreamedPool>(
      'pool',
      { pair_address: pool },
      {
        onItem: (data) => setFigures((old) => ({ ...old, ...textsOf(data) })),
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

/** Figures as the API gives them. */
type Given = Readonly<Partial<Record<keyof Figures, string | number | null>>>;

type StreamedPool = BodyOf<'/v1/pools/{pair_address}'>['trigger_figures'];

/** The figures of a pool and of its indicators; null for an unknown pool. */
async function readFigures(pool: string, signal: AbortSignal): Promise<Figures | null> {
  const params = { pair_address: pool };
  const [answer, indicators] = await Promise.all([
    get('/v1/pools/{pair_address}', params, { signal }),
    get('/v1/indicators/current', params, { signal }),
  ]);
  if (isFailure(answer)) return null;
  const { trigger_figures, liquidity_usd, marketcap_usd } = answer.ok;
  return {
    ...NO_FIGURES,
    ...textsOf({ ...trigger_figures, liquidity_usd, marketcap_usd }),
    ...(isFailure(indicators) ? {} : textsOf(indicators.ok)),
    price_usd: trigger_figures.price_usd,
  };
}

/** Those of the given figures that conditions compare, as texts. */
function textsOf(given: Given): Partial<Figures> {
  const entries = Object.keys(NO_FIGURES).flatMap((field) => {
    const value = given[field as keyof Figures];
    return value === undefined ? [] : [[field, value === null ? null : String(value)] as const];
  });
  return Object.fromEntries(entries);
}

async function resolve(text: string, signal: AbortSignal): Promise<Omit<Target, 'figures'>> {
  if (text === '') return { pool: null, note: NO_ADDRESS };
  if (!ADDRESS.test(text)) return { pool: null, note: 'Not an address yet.' };
  const pool = await get('/v1/pools/{pair_address}', { pair_address: text }, { signal });
  if (!isFailure(pool)) return { pool: text, note: `A pool of ${pool.ok.venue}.` };
  const pools = await get('/v1/pools', { token_address: text }, { signal });
  const primary = isFailure(pools)
    ? undefined
    : (pools.ok.items.find(({ is_primary }) => is_primary) ?? pools.ok.items[0]);
  if (primary !== undefined) {
    const note = `A token: its primary pool, of ${primary.venue}, is watched.`;
    return { pool: primary.pair_address, note };
  }
  return { pool: text, note: 'Not seen yet: it is taken for a pool and watched for.' };
}
