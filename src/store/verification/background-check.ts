import { setTimeout as delay } from 'node:timers/promises';
import type { CheckBudget, CheckedParts } from './check-parts.ts';
import type { Finding } from './finding.ts';
import type { PartToCheck } from './part-record.ts';
import type { StoredPart } from './stored-part.ts';

/** A part that was read this long ago is due again. */
const DUE_MS = 24 * 60 * 60 * 1_000;
/** Reading takes one part in ten of the time, and a second passes between two parts. */
const REST_FACTOR = 9;
const REST_MIN_MS = 1_000;
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
 * fold of the log, meets it. Resolves once the signal is given.
 */
export async function checkInBackground(
  store: CheckedStore,
  { nowMs, onDamage, signal, restMinMs = REST_MIN_MS, idleMs = IDLE_MS }: BackgroundOptions,
): Promise<void> {
  const readAtMs = new Map<string, number>();
  while (!signal.aborted) {
    const startedMs = nowMs();
    const part = await nextDue(store, startedMs, readAtMs);
    if (part !== undefined) {
      readAtMs.set(keyOf(part), startedMs);
      const { findings } = await store.readParts([part], { budgetMs: null, nowMs, signal });
      for (const finding of findings) onDamage(finding);
    }
    const restMs = Math.max(restMinMs, (nowMs() - startedMs) * REST_FACTOR);
    await rest(part === undefined ? Math.max(idleMs, restMs) : restMs, signal);
  }
}

/** Parts that were merged since the cursor was last moved are in no record: `readAtMs` knows them. */
async function nextDue(
  store: CheckedStore,
  nowMs: number,
  readAtMs: Map<string, number>,
): Promise<StoredPart | undefined> {
  const parts = await store.partsToRead();
  const present = new Set(parts.map(keyOf));
  for (const key of readAtMs.keys()) if (!present.has(key)) readAtMs.delete(key);
  const ageOf = (part: StoredPart) =>
    nowMs - Math.max(store.checkedAtMs(part) ?? 0, readAtMs.get(keyOf(part)) ?? 0);
  return parts.find((part) => ageOf(part) > DUE_MS);
}

function keyOf({ table, name }: PartToCheck): string {
  return `${table}/${name}`;
}

async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal, ref: false }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}
