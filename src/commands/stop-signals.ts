import type { FastifyBaseLogger } from 'fastify';

const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** A terminal and npm send one signal each for one key: a second one this soon is the first again. */
const SAME_SIGNAL_MS = 500;

/** Aborts `stopping` and resolves at the first signal to stop; a second one ends the process at once. */
export function stopSignal(logger: FastifyBaseLogger, stopping: AbortController): Promise<void> {
  let firstMs: number | null = null;
  return new Promise((resolve) => {
    const stop = (signal: NodeJS.Signals) => {
      const nowMs = performance.now();
      if (firstMs !== null && nowMs - firstMs >= SAME_SIGNAL_MS) {
        logger.warn(
          { signal },
          'ending at once: what is not written is read again at the next start',
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
