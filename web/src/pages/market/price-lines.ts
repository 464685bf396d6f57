import { type Signal, signal } from '@preact/signals';
import { useCallback, useEffect, useRef } from 'preact/hooks';
import { get, isFailure } from '../../api/client.ts';
import { delay } from '../../api/delay.ts';
import { newestSlot } from '../../state/chain.ts';
import { freshness } from '../../state/freshness.ts';
import { type Spacing, spacingOf, toLine } from './line-spacing.ts';
import type { Window } from './market-query.ts';

/** What a line needs of its row. */
interface LinedRow {
  readonly token_address: string;
  readonly created_at: string | null;
}

/** Requests at a time, and the pause after each and while none is due: lines are not urgent. */
const PARALLEL_MAX = 4;
const PAUSE_MS = 50;
const IDLE_PAUSE_MS = 400;
/** The column is left out on screens as narrow as this. */
const NARROW = '(max-width: 720px)';
/** Lines of no more tokens are kept: about as many as a page has rows. */
const KEPT_MAX = 600;

interface Kept {
  /** Prices, oldest first; null before they are read, and if they are too few. */
  readonly line: Signal<readonly number[] | null>;
  /** When it is read again, as of the clock of this machine. */
  dueAtMs: number;
}

const kept = new Map<string, Kept>();

function keptOf(address: string, window: Window): Kept {
  const key = `${window} ${address}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const made: Kept = { line: signal(null), dueAtMs: Number.NEGATIVE_INFINITY };
  kept.set(key, made);
  const [oldest] = kept.keys();
  if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest);
  return made;
}

/** The line of a token; null before it is read, and if too little is known to draw one. */
export function lineOf(address: string, window: Window): Signal<readonly number[] | null> {
  return keptOf(address, window).line;
}

/**
 * Reads the lines of the rows in sight, a few at a time, and again when they are old. Returns what to
 * call when other rows come in sight.
 */
export function usePriceLines(
  rows: readonly LinedRow[],
  window: Window,
): (first: number, end: number) => void {
  const range = useRef({ first: 0, end: 0 });
  const latest = useRef(rows);
  latest.current = rows;
  useEffect(() => {
    const ending = new AbortController();
    const inSight = () => latest.current.slice(range.current.first, range.current.end);
    for (let at = 0; at < PARALLEL_MAX; at++) void readInTurns(inSight, window, ending.signal);
    return () => ending.abort();
  }, [window]);
  return useCallback((first: number, end: number) => {
    range.current = { first, end };
  }, []);
}

async function readInTurns(
  rows: () => readonly LinedRow[],
  window: Window,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const isShown = !document.hidden && !matchMedia(NARROW).matches;
    const isDue = ({ token_address }: LinedRow) =>
      keptOf(token_address, window).dueAtMs <= Date.now();
    const due = isShown ? rows().find(isDue) : undefined;
    if (due !== undefined) await readLine(due, window, signal);
    await delay(due === undefined ? IDLE_PAUSE_MS : PAUSE_MS, signal);
  }
}

async function readLine(row: LinedRow, window: Window, signal: AbortSignal): Promise<void> {
  const { token_address, created_at } = row;
  const key = `${window} ${token_address}`;
  const entry = keptOf(token_address, window);
  // The newest one of those that are kept.
  kept.delete(key);
  kept.set(key, entry);
  const nowMs = chainTimeMs();
  const spacing = spacingOf(window, created_at === null ? null : Date.parse(created_at), nowMs);
  // Before the answer, so that it is not asked for twice.
  entry.dueAtMs = Date.now() + spacing.renewMs;
  const answer = await get('/v1/market/ohlc', paramsOf(token_address, spacing, nowMs), {
    signal,
    attemptsMax: 1,
  });
  if (isFailure(answer)) return;
  const candles = answer.ok.timeframes[spacing.interval] ?? [];
  entry.line.value = toLine(
    candles.map(({ close }) => close),
    spacing.steps,
  );
}

/** Time of the newest slot, of the stream or of the newest answer; null while neither says one. */
function chainTimeMs(): number | null {
  const streamed = newestSlot.value?.timestamp ?? null;
  if (streamed !== null) return Date.parse(streamed);
  const { ageMs = null, receivedAtMs = 0 } = freshness.value ?? {};
  return ageMs === null ? null : receivedAtMs - ageMs;
}

function paramsOf(
  token_address: string,
  { interval, steps, stepMs }: Spacing,
  nowMs: number | null,
) {
  const candles = { token_address, interval, fill: 'previous' as const };
  // Without a time of the chain the newest candles are taken of those that are sent.
  if (nowMs === null) return candles;
  return {
    ...candles,
    start: new Date(nowMs - steps * stepMs).toISOString(),
    end: new Date(nowMs).toISOString(),
  };
}
