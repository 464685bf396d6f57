import { setTimeout as delay } from 'node:timers/promises';
import { isTransientError } from '../../lib/transient-error.ts';
import type { CheckBudget, CheckedParts } from './check-parts.ts';
import type { Finding } from './finding.ts';
import type { PartToCheck } from './part-record.ts';
import type { StoredPart } from './stored-part.ts';

/** A part is read again after this time. */
const DUE_MS = 24 * 60 * 60 * 1_000;
/** Reading takes at most a tenth of the time, with at least a second between two parts. */
const REST_FACTOR = 9;
const REST_MIN_MS = 1_000;
/**
 * Reading a part cannot be interrupted, and a stop of the service or a read of the log waits for
 * it. Larger parts are read by `mintscope check`.
 */
const PART_BYTES_MAX = 2 ** 30;
/** Pause when no part is due. */
const IDLE_MS = 60_000;

/** The store that is checked. */
export interface CheckedStore {
  /** In the order in which they are to be read. */
  partsToRead(): Promise<readonly StoredPart[]>;
  readParts(parts: readonly StoredPart[], budget: CheckBudget): Promise<CheckedParts>;
  checkedAtMs(part: PartToCheck): number | null;
}

export interface BackgroundOptions {
  readonly nowMs: () => number;
  /** Called for a damaged part. */
  readonly onDamage: (finding: Finding) => void;
  readonly signal: AbortSignal;
  /** Default: long enough not to disturb other work. */
  readonly restMinMs?: number;
  readonly idleMs?: number;
}

/**
 * Reads every part once a day in the background, so that damage is found before an answer or a fold
 * of the log reads the part. Transient failures are retried later. Resolves when the signal aborts.
 */
export async function checkInBackground(
  store: CheckedStore,
  { nowMs, onDamage, signal, restMinMs = REST_MIN_MS, idleMs = IDLE_MS }: BackgroundOptions,
): Promise<void> {
  const known = new Map<string, number>();
  let isFirst = true;
  while (!signal.aborted) {
    const startedMs = nowMs();
    let isIdle = true;
    try {
      const parts = await store.partsToRead();
      noteNew(parts, known, isFirst ? Number.NEGATIVE_INFINITY : startedMs);
      isFirst = false;
      const part = nextDue(parts, store, startedMs, known);
      if (part !== undefined) {
        isIdle = false;
        known.set(keyOf(part), startedMs);
        const { findings } = await store.readParts([part], { budgetMs: null, nowMs, signal });
        for (const finding of findings) onDamage(finding);
      }
    } catch (error) {
      if (!isTransientError(error)) throw error;
      isIdle = true;
    }
    const restMs = Math.max(restMinMs, (nowMs() - startedMs) * REST_FACTOR);
    await rest(isIdle ? Math.max(idleMs, restMs) : restMs, signal);
  }
}

/**
 * A part that appeared since the last pass was just written and is due in a day: a writing service
 * creates parts faster than they are read, and otherwise older parts would never be read.
 */
function noteNew(parts: readonly StoredPart[], known: Map<string, number>, atMs: number): void {
  const present = new Set(parts.map(keyOf));
  for (const key of known.keys()) if (!present.has(key)) known.delete(key);
  for (const key of present) if (!known.has(key)) known.set(key, atMs);
}

/** The first part that was neither read nor written within a day. */
function nextDue(
  parts: readonly StoredPart[],
  store: CheckedStore,
  nowMs: number,
  known: ReadonlyMap<string, number>,
): StoredPart | undefined {
  return parts.find((part) => {
    if (part.bytes > PART_BYTES_MAX) return false;
    const checkedAtMs = store.checkedAtMs(part);
    const sinceMs = Math.max(checkedAtMs ?? 0, known.get(keyOf(part)) ?? 0);
    return nowMs - sinceMs > DUE_MS;
  });
}

function keyOf({ table, name }: PartToCheck): string {
  return `${table}/${name}`;
}

async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal, ref: false }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}
