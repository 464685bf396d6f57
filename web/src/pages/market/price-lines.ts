import { type Signal, signal } from '@preact/signals';
import { useCallback, useEffect, useRef } from 'preact/hooks';
import { get, isFailure } from '../../api/client.ts';
import { delay } from '../../api/delay.ts';
import { newestSlot } from '../../state/chain.ts';
import type { Window } from './market-query.ts';

/** Prices of a token over a window, evenly spaced, oldest first. */
export interface PriceLine {
  readonly prices: readonly number[];
  /** Part of the window before the first price, from 0 to 1. */
  readonly start: number;
}

interface Spacing {
  readonly interval: '15s' | '1m' | '5m' | '30m';
  /** Of one interval, which is also how old a line may become. */
  readonly stepMs: number;
  readonly steps: number;
}

const SPACINGS: Readonly<Record<Window, Spacing>> = {
  '5m': { interval: '15s', stepMs: 15_000, steps: 20 },
  '1h': { interval: '1m', stepMs: 60_000, steps: 60 },
  '6h': { interval: '5m', stepMs: 300_000, steps: 72 },
  '24h': { interval: '30m', stepMs: 1_800_000, steps: 48 },
};

/** Requests at a time, and the pause after each and while none is due: lines are not urgent. */
const PARALLEL_MAX = 2;
const PAUSE_MS = 100;
const IDLE_PAUSE_MS = 400;
/** The column is left out on screens as narrow as this. */
const NARROW = '(max-width: 720px)';
/** Lines of no more tokens are kept: about as many as a page has rows. */
const KEPT_MAX = 600;
/** A line is read again after this time at the earliest. */
const AGE_MIN_MS = 30_000;

interface Kept {
  readonly line: Signal<PriceLine | null>;
  readAtMs: number;
}

const kept = new Map<string, Kept>();

function keptOf(address: string, window: Window): Kept {
  const key = `${window} ${address}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const made: Kept = { line: signal(null), readAtMs: Number.NEGATIVE_INFINITY };
  kept.set(key, made);
  const [oldest] = kept.keys();
  if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest);
  return made;
}

/** The line of a token; null before it is read, and if too little is known to draw one. */
export function lineOf(address: string, window: Window): Signal<PriceLine | null> {
  return keptOf(address, window).line;
}

/**
 * Reads the lines of the rows in sight, a few at a time, and again once they are an interval old.
 * Returns what to call when other rows come in sight.
 */
export function usePriceLines(
  rows: readonly { readonly token_address: string }[],
  window: Window,
): (first: number, end: number) => void {
  const range = useRef({ first: 0, end: 0 });
  const latest = useRef(rows);
  latest.current = rows;
  useEffect(() => {
    const ending = new AbortController();
    const inSight = () => latest.current.slice(range.current.first, range.current.end);
    for (let at = 0; at < PARALLEL_MAX; at++) {
      void readInTurns(() => inSight().map((row) => row.token_address), window, ending.signal);
    }
    return () => ending.abort();
  }, [window]);
  return useCallback((first: number, end: number) => {
    range.current = { first, end };
  }, []);
}

async function readInTurns(
  addresses: () => readonly string[],
  window: Window,
  signal: AbortSignal,
): Promise<void> {
  const ageMs = Math.max(AGE_MIN_MS, SPACINGS[window].stepMs);
  while (!signal.aborted) {
    const oldest = Date.now() - ageMs;
    const isShown = !document.hidden && !matchMedia(NARROW).matches;
    const due = isShown
      ? addresses().find((address) => keptOf(address, window).readAtMs < oldest)
      : undefined;
    if (due !== undefined) await readLine(due, window, signal);
    await delay(due === undefined ? IDLE_PAUSE_MS : PAUSE_MS, signal);
  }
}

async function readLine(address: string, window: Window, signal: AbortSignal): Promise<void> {
  const entry = keptOf(address, window);
  const key = `${window} ${address}`;
  // The newest one of those that are kept.
  kept.delete(key);
  kept.set(key, entry);
  // Before the answer, so that nobody else asks for it meanwhile.
  entry.readAtMs = Date.now();
  const { interval, stepMs, steps } = SPACINGS[window];
  const now = newestSlot.value?.timestamp ?? null;
  const nowMs = now === null ? null : Date.parse(now);
  const answer = await get(
    '/v1/market/ohlc',
    {
      ...{ token_address: address, interval, fill: 'previous' as const },
      // Without a time of the chain the newest candles are taken of those that are sent.
      ...(nowMs === null ? {} : { start: new Date(nowMs - steps * stepMs).toISOString() }),
    },
    { signal, attemptsMax: 1 },
  );
  if (isFailure(answer)) return;
  const candles = answer.ok.timeframes[interval] ?? [];
  const closes = candles.map(({ close }) => (close === null ? Number.NaN : Number(close)));
  entry.line.value = toLine(closes, steps);
}

/** The last prices of a window; null if there are fewer than two. */
export function toLine(closes: readonly number[], steps: number): PriceLine | null {
  const prices = closes.slice(-steps).filter((price) => Number.isFinite(price) && price > 0);
  if (prices.length < 2) return null;
  return { prices, start: 1 - prices.length / steps };
}
