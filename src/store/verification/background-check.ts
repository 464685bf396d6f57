import { setTimeout as delay } from 'node:timers/promises';
import { isTransientError } from '../../lib/transient-error.ts';
import type { CheckBudget, CheckedParts } from './check-parts.ts';
import type { Finding } from './finding.ts';
import type { PartToCheck } from './part-record.ts';
import type { StoredPart } from './stored-part.ts';

/** A part that was read this long ago is due again. */
const DUE_MS = 24 * 60 * 60 * 1_000;
/** Reading takes one part in ten of the time, and a second passes between two parts. */
const REST_FACTOR = 9;
const REST_MIN_MS = 1_000;
/**
 * Reading a part cannot be stopped, and whoever stops the service or looks into the log waits for it.
 * Larger ones are read by `mintscope check`.
 */
const PART_BYTES_MAX = 2 ** 30;
/** Where nothing is due. */
const IDLE_MS = 60_000;

/** What is read, and who reads it. */
export interface CheckedStore {
  /** Those to be read first in front. */
  partsToRead(): Promise<readonly StoredPart[]>;
  readParts(parts: readonly StoredPart[], budget: CheckBudget): Promise<CheckedParts>;
  checkedAtMs(part: PartToCheck): number | null;
}

export interface BackgroundOptions {
  readonly nowMs: () => number;
  /** A part cannot be read as it was written. */
  readonly onDamage: (finding: Finding) => void;
  readonly signal: AbortSignal;
  /** Left out: long enough that nobody notices. */
  readonly restMinMs?: number;
  readonly idleMs?: number;
}

/**
 * Reads every part once a day beside everything else, so that damage is known before an answer, or a
 * fold of the log, meets it. What fails for a reason that may pass is tried again later. Resolves once
 * the signal is given.
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
 * A part that turned up since the last look was written just now and is due in a day: a service that
 * writes makes them faster than they are read, and those of before would never have their turn.
 */
function noteNew(parts: readonly StoredPart[], known: Map<string, number>, atMs: number): void {
  const present = new Set(parts.map(keyOf));
  for (const key of known.keys()) if (!present.has(key)) known.delete(key);
  for (const key of present) if (!known.has(key)) known.set(key, atMs);
}

/** The first that was neither read nor written within a day. */
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
