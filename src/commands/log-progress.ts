import type { FastifyBaseLogger } from 'fastify';
import type { SourceProgress } from '../chain/source.ts';

const STEP_MS = 5_000;

/** Logs the progress of a source every few seconds. */
export function logProgress(logger: FastifyBaseLogger): (progress: SourceProgress) => void {
  let reportedAtMs = Date.now();
  return (progress) => {
    const nowMs = Date.now();
    if (nowMs - reportedAtMs < STEP_MS) return;
    reportedAtMs = nowMs;
    logger.info(progress, 'replaying');
  };
}
