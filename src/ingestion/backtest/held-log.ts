import { setTimeout as delay } from 'node:timers/promises';
import { UsageError } from '../../model/errors.ts';
import type { SlotLog } from '../../store/reads/slot-log.ts';
import type { PastSource } from '../past-source.ts';

const PAUSE_MS = 1_000;
/** Ten minutes: a refold of the end of the log takes less. */
const PAUSES_MAX = 600;

export interface HeldLogParts {
  readonly source: () => PastSource;
  readonly log: Pick<SlotLog, 'firstTimed'>;
  /** Waits before the source is asked again; replaced by tests. */
  readonly pause?: (signal: AbortSignal) => Promise<void>;
}

/**
 * Whether all slots after the start of a recording up to `slot` were read from the log of one fold.
 * A slot that is added to the log or removed from it late is noted in the source before the log
 * changes, and until another fold has it: so this holds if it does after the last read.
 */
export function isOneLog(fold: number, slot: number, now: PastSource): boolean {
  return now.fold === fold && (now.changedFrom === null || now.changedFrom > slot);
}

/** Whether the slots that are read after `slot` are all in the log: old ones are dropped from it. */
export function reachesBack(slot: number, { logStart }: PastSource): boolean {
  return (logStart ?? 0) <= slot + 1;
}

/** What a recording reads of the log: slots up to a time, and those that it has read before. */
export interface ReadRange {
  readonly untilMs: number;
  /** -1 if nothing was read yet. */
  readonly readTo: number;
}

/**
 * Resolves when the fold has applied a range of the log as it is. Rejects with UsageError if that
 * takes too long, and with the reason of `signal`.
 */
export async function untilSettled(
  range: ReadRange,
  parts: HeldLogParts,
  signal: AbortSignal,
): Promise<void> {
  const { pause = pauseFor } = parts;
  for (let pauses = 0; pauses < PAUSES_MAX; pauses++) {
    if (!(await isChanging(range, parts))) return;
    await pause(signal);
    signal.throwIfAborted();
  }
  throw new UsageError(
    'Slots of this range have arrived late, or were removed, and the states after them are still ' +
      'being computed again: try again later.',
  );
}

async function isChanging(
  { untilMs, readTo }: ReadRange,
  { source, log }: HeldLogParts,
): Promise<boolean> {
  const { isRebuilding, changedFrom } = source();
  if (isRebuilding) return true;
  if (changedFrom === null) return false;
  if (changedFrom <= readTo) return true;
  const next = await log.firstTimed(changedFrom);
  return next === null || next.timeMs <= untilMs;
}

async function pauseFor(signal: AbortSignal): Promise<void> {
  await delay(PAUSE_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
}
