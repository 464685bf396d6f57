import { FOLLOWED_MS } from '../../backtest/worth/traded-hits.ts';
import type { BacktestReport } from '../../model/backtest.ts';
import type { BacktestRequest } from '../../model/backtest-job.ts';
import { UsageError } from '../../model/errors.ts';
import type { LinkedState } from '../../store/checkpoints/state-folders.ts';
import type { SlotLog } from '../../store/reads/slot-log.ts';
import type { FoldStates } from '../fold-states.ts';
import type { PastSource } from '../past-source.ts';
import type { BacktestStep } from './backtest-messages.ts';

/** Slots that are sent at once: some tens of milliseconds of work of the thread. */
const SENT_SLOTS = 16;
const LAST_SLOT = Number.MAX_SAFE_INTEGER;
/** Part of the progress. */
const RECORDED_PART = 0.9;

export interface BacktestParts {
  readonly source: () => PastSource;
  readonly states: Pick<FoldStates, 'linkPast' | 'removePast'>;
  readonly log: Pick<SlotLog, 'readEncoded' | 'firstTimed'>;
  /** Sends a step to the thread. Rejects with PastError. */
  readonly send: (step: BacktestStep) => Promise<unknown>;
}

export interface BacktestRun {
  readonly request: BacktestRequest;
  /** Number of tries, this one included. */
  readonly tries: number;
  readonly onProgress: (share: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Runs a backtest on the stored log, in the thread behind `send`. Reads of the log are small and
 * wait for the thread, so that nothing else of the service waits for them. Rejects with UsageError if
 * the log does not have the range, with PastError and StoreError, and with the reason of `signal`.
 */
export async function runBacktest(run: BacktestRun, given: BacktestParts): Promise<BacktestReport> {
  const { request, tries, onProgress, signal } = run;
  const send = async (step: BacktestStep) => {
    signal.throwIfAborted();
    return await given.send(step);
  };
  const parts = { ...given, send };
  const { rules, options, isProved } = request;
  const start = await startOf(options.fromMs, parts);
  const spanMs = Math.max(1, options.toMs + FOLLOWED_MS - start.timeMs);
  const shareOf = (timeMs: number) => Math.min(1, Math.max(0, (timeMs - start.timeMs) / spanMs));
  try {
    const { fromMs, toMs } = options;
    const untilMs = toMs + FOLLOWED_MS;
    // Slots that arrive late make another fold.
    const key = JSON.stringify([start.after, fromMs, toMs, parts.source().fold]);
    const { linked } = start;
    const isKnown = await parts.send({ kind: 'record', linked, fromMs, untilMs, key });
    if (isKnown !== true) {
      await applyLog(parts, {
        ...{ after: start.after, to: LAST_SLOT, signal },
        isOver: (timeMs) => timeMs > untilMs,
        onTime: (timeMs) => onProgress(RECORDED_PART * shareOf(timeMs)),
      });
    }
    await parts.send({ kind: 'judge', rules, options });
    onProgress(RECORDED_PART);
    return (await parts.send({ kind: 'report', tries, isProved })) as BacktestReport;
  } finally {
    // A thread that has ended has released everything.
    await given.send({ kind: 'release' }).catch(() => undefined);
    if (start.linked !== null) parts.states.removePast(start.linked);
  }
}

/** What a backtest begins with. */
interface Start {
  /** Null for nothing. */
  readonly linked: LinkedState | null;
  /** The last slot of the state; -1 for nothing. */
  readonly after: number;
  readonly timeMs: number;
}

/** The newest stored state before the range, else the start of the log. */
async function startOf(fromMs: number, parts: BacktestParts): Promise<Start> {
  const { source, states, log } = parts;
  const { checkpoints, fold, firstApplied } = source();
  for (const slot of checkpoints) {
    const timed = await log.firstTimed(slot);
    if (timed === null || timed.timeMs >= fromMs) continue;
    const linked = await states.linkPast(slot, fold);
    if (linked?.checkpoint != null) {
      return { linked, after: linked.checkpoint.slot, timeMs: timed.timeMs };
    }
  }
  const first = firstApplied === null ? null : await log.firstTimed(firstApplied);
  if (first !== null) return { linked: null, after: -1, timeMs: first.timeMs };
  throw new UsageError(
    firstApplied === null
      ? 'The log no longer has its start, and no state before this range is stored: choose a later start.'
      : 'The log has no slot with a time yet: try again later.',
  );
}

interface AppliedLog {
  readonly after: number;
  readonly to: number;
  /** Whether no slot after this time is needed. */
  readonly isOver: (timeMs: number) => boolean;
  readonly onTime: (timeMs: number) => void;
  readonly signal: AbortSignal;
}

async function applyLog(
  { log, send }: BacktestParts,
  { after, to, isOver, onTime, signal }: AppliedLog,
): Promise<void> {
  let facts: string[] = [];
  // One portion is read while the thread applies the one before.
  let applied: Promise<unknown> = Promise.resolve(0);
  const settle = async () => {
    const timeMs = Number(await applied);
    signal.throwIfAborted();
    onTime(timeMs);
    return isOver(timeMs);
  };
  for await (const encoded of log.readEncoded({ from: after + 1, to })) {
    facts.push(encoded);
    if (facts.length < SENT_SLOTS) continue;
    if (await settle()) return;
    applied = send({ kind: 'apply', facts });
    // Awaited by the next `settle`.
    applied.catch(() => undefined);
    facts = [];
  }
  await settle();
  if (facts.length > 0) await send({ kind: 'apply', facts });
  signal.throwIfAborted();
}
