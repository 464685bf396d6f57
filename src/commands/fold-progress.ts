import type { FastifyBaseLogger } from 'fastify';
import type { FoldPosition, IngestionHooks } from '../ingestion/ingestion-run.ts';
import { steadyNowMs } from '../lib/steady-time.ts';

const STEP_MS = 5_000;

/** How far a fold of the log is. */
export interface FoldProgress extends FoldPosition {
  /** Applied since the fold began. */
  readonly slots: number;
}

/**
 * Reports the progress of folds of the log every few seconds, by time: a slot takes from less than a
 * millisecond to a tenth of a second.
 */
export function foldProgress(
  report: (progress: FoldProgress) => void,
  nowMs: () => number = steadyNowMs,
): NonNullable<IngestionHooks['onFold']> {
  let reportedAtMs = nowMs();
  return (slots, position) => {
    const atMs = nowMs();
    if (atMs - reportedAtMs < STEP_MS) return;
    reportedAtMs = atMs;
    report({ slots, ...position });
  };
}

/** Logs the begin and the end of each fold of the log that replaces the state. */
export function logRefolds(
  logger: Pick<FastifyBaseLogger, 'info'>,
  nowMs: () => number = steadyNowMs,
): NonNullable<IngestionHooks['onRefold']> {
  let beganAtMs = nowMs();
  return (change) => {
    const { fromSlot } = change;
    if (change.kind === 'began') {
      beganAtMs = nowMs();
      const part = fromSlot === null ? 'the whole log' : 'the log from a slot on';
      logger.info({ fromSlot, lastSlot: change.lastSlot }, `folding ${part} again`);
      return;
    }
    const durationMs = Math.round(nowMs() - beganAtMs);
    const end = change.isStopped ? 'stopped folding the log again' : 'folded the log again';
    logger.info({ fromSlot, durationMs }, end);
  };
}
