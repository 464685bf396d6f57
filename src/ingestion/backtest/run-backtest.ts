import { FOLLOWED_MS } from '../../backtest/worth/traded-hits.ts';
import type { BacktestReport } from '../../model/backtest.ts';
import type { BacktestRequest } from '../../model/backtest-job.ts';
import { UsageError } from '../../model/errors.ts';
import type { LinkedState } from '../../store/checkpoints/state-folders.ts';
import type { SlotLog } from '../../store/reads/slot-log.ts';
import type { FoldStates } from '../fold-states.ts';
import type { AppliedStep, BacktestStep } from './backtest-messages.ts';
import { type HeldLogParts, isOneLog, reachesBack, untilSettled } from './held-log.ts';

/** Slots that are sent at once: some tens of milliseconds of work of the thread. */
const SENT_SLOTS = 16;
/** A recording begins again if the log changes meanwhile, at most so often. */
const ATTEMPTS_MAX = 3;
const LAST_SLOT = Number.MAX_SAFE_INTEGER;
/** Part of the progress. */
const RECORDED_PART = 0.9;

export interface BacktestParts extends HeldLogParts {
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
 * wait for the thread, so that nothing else of the service waits for them. If slots of the range are
 * added to the log or removed from it meanwhile, the recording begins again with the fold that has
 * them, so that no report is of two logs. Rejects with UsageError if the log does not have the range
 * or keeps changing, with PastError and StoreError, and with the reason of `signal`.
 */
export async function runBacktest(run: BacktestRun, given: BacktestParts): Promise<BacktestReport> {
  const { request, signal } = run;
  const untilMs = request.options.toMs + FOLLOWED_MS;
  let readTo = -1;
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    await untilSettled({ untilMs, readTo }, given, signal);
    const result = await attemptBacktest(run, given);
    if ('report' in result) return result.report;
    readTo = result.readTo;
  }
  throw new UsageError(
    'The log of this range kept changing while it was read, because slots arrived late or were ' +
      'removed: try again later.',
  );
}

/** The report, or the last slot that was read before the log changed; -1 for none. */
type Attempt = { readonly report: BacktestReport } | { readonly readTo: number };

async function attemptBacktest(
  { request, tries, onProgress, signal }: BacktestRun,
  given: BacktestParts,
): Promise<Attempt> {
  const send = async (step: BacktestStep) => {
    signal.throwIfAborted();
    return await given.send(step);
  };
  const parts = { ...given, send };
  const { rules, options, isProved } = request;
  const { fromMs, toMs } = options;
  const untilMs = toMs + FOLLOWED_MS;
  const start = await startOf(fromMs, parts);
  if (start === null) return { readTo: -1 };
  const { after, linked, fold, timeMs: startMs } = start;
  const spanMs = Math.max(1, untilMs - startMs);
  const shareOf = (timeMs: number) => Math.min(1, Math.max(0, (timeMs - startMs) / spanMs));
  try {
    // Slots that arrive late make another fold.
    const key = JSON.stringify([after, fromMs, toMs, fold]);
    const isKnown = await parts.send({ kind: 'record', linked, fromMs, untilMs, key });
    if (isKnown !== true) {
      const { isOne, slot } = await applyLog(parts, {
        ...{ after, fold, to: LAST_SLOT, signal },
        isOver: (timeMs) => timeMs > untilMs,
        onTime: (timeMs) => onProgress(RECORDED_PART * shareOf(timeMs)),
      });
      if (!isOne) return { readTo: slot };
    }
    await parts.send({ kind: 'judge', rules, options });
    onProgress(RECORDED_PART);
    const report = await parts.send({ kind: 'report', tries, isProved });
    return { report: report as BacktestReport };
  } finally {
    // A thread that has ended has released everything.
    await given.send({ kind: 'release' }).catch(() => undefined);
    if (linked !== null) parts.states.removePast(linked);
  }
}

/** What a backtest begins with. */
interface Start {
  /** Null for nothing. */
  readonly linked: LinkedState | null;
  /** The last slot of the state; -1 for nothing. */
  readonly after: number;
  readonly timeMs: number;
  /** The fold whose log is read. */
  readonly fold: number;
}

/**
 * The newest stored state before the range, else the start of the log. Null while that is not known.
 */
async function startOf(fromMs: number, parts: BacktestParts): Promise<Start | null> {
  const { source, states, log } = parts;
  const { checkpoints, fold, firstApplied, isRebuilding } = source();
  for (const slot of checkpoints) {
    const timed = await log.firstTimed(slot);
    if (timed === null || timed.timeMs >= fromMs) continue;
    const linked = await states.linkPast(slot, fold);
    if (linked?.checkpoint != null) {
      return { linked, after: linked.checkpoint.slot, timeMs: timed.timeMs, fold };
    }
  }
  const first = firstApplied === null ? null : await log.firstTimed(firstApplied);
  if (first !== null) return { linked: null, after: -1, timeMs: first.timeMs, fold };
  if (isRebuilding) return null;
  throw new UsageError(
    firstApplied === null
      ? 'The log no longer has its start, and no state before this range is stored: choose a later start.'
      : 'The log has no slot with a time yet: try again later.',
  );
}

interface AppliedLog {
  readonly after: number;
  readonly to: number;
  /** The fold whose log is read. */
  readonly fold: number;
  /** Whether no slot after this time is needed. */
  readonly isOver: (timeMs: number) => boolean;
  readonly onTime: (timeMs: number) => void;
  readonly signal: AbortSignal;
}

/** The end of a recording. */
interface ReadLog {
  /** The last slot that was applied. */
  readonly slot: number;
  /** Whether what was read is of one log. */
  readonly isOne: boolean;
}

/** Ends early if what was read may be of two logs. */
async function applyLog(
  { source, log, send }: BacktestParts,
  { after, to, fold, isOver, onTime, signal }: AppliedLog,
): Promise<ReadLog> {
  let facts: string[] = [];
  // One portion is read while the thread applies the one before.
  let applied: Promise<unknown> = Promise.resolve({ slot: after, timeMs: 0 } satisfies AppliedStep);
  const settle = async (isLast: boolean) => {
    const { slot, timeMs } = (await applied) as AppliedStep;
    signal.throwIfAborted();
    onTime(timeMs);
    const isEnd = isLast || isOver(timeMs);
    const now = source();
    const isOne = isOneLog(fold, slot, now) && (isEnd || reachesBack(slot, now));
    return { slot, isEnd: isEnd || !isOne, isOne };
  };
  const apply = () => {
    applied = send({ kind: 'apply', facts });
    // Awaited by the next `settle`.
    applied.catch(() => undefined);
    facts = [];
  };
  for await (const encoded of log.readEncoded({ from: after + 1, to })) {
    facts.push(encoded);
    if (facts.length < SENT_SLOTS) continue;
    const read = await settle(false);
    if (read.isEnd) return read;
    apply();
  }
  if (facts.length > 0) {
    const read = await settle(false);
    if (read.isEnd) return read;
    apply();
  }
  return await settle(true);
}
