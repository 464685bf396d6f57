import type { FastifyBaseLogger } from 'fastify';

const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** A terminal and npm each send a signal for one Ctrl+C: a second one this soon is a duplicate. */
const SAME_SIGNAL_MS = 500;

/** Aborts `stopping` and resolves at the first stop signal; a second one exits immediately. */
export function stopSignal(logger: FastifyBaseLogger, stopping: AbortController): Promise<void> {
  let firstMs: number | null = null;
  return new Promise((resolve) => {
    const stop = (signal: NodeJS.Signals) => {
      const nowMs = performance.now();
      if (firstMs !== null && nowMs - firstMs >= SAME_SIGNAL_MS) {
        logger.warn(
          { signal },
          'exiting immediately: unwritten slots are read again at the next start',
        );
        process.exit(1);
      }
      if (firstMs !== null) return;
      firstMs = nowMs;
      logger.info({ signal }, 'stopping');
      stopping.abort();
      resolve();
    };
    for (const signal of STOP_SIGNALS) process.on(signal, stop);
  });
}
