import type { FastifyBaseLogger } from 'fastify';
import type { SourceProgress } from '../chain/source.ts';

const STEP_MS = 5_000;

/** Reports a source's progress as a log line every few seconds. */
export function logProgress(logger: FastifyBaseLogger): (progress: SourceProgress) => void {
  let reportedAtMs = Date.now();
  return (progress) => {
    const nowMs = Date.now();
    if (nowMs - reportedAtMs < STEP_MS) return;
    reportedAtMs = nowMs;
    logger.info(progress, 'replaying');
  };
}
