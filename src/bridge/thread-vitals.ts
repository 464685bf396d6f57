import { monitorEventLoopDelay } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import type { ThreadVitals } from './messages.ts';

/** Sampling interval of the event loop delay. */
const RESOLUTION_MS = 10;
const NANOS_PER_SECOND = 1e9;

/** Monitors the current thread. Each reading starts a new measuring period. */
export function watchVitals(): () => ThreadVitals {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  return () => {
    const seconds = delays.count === 0 ? 0 : delays.percentile(99) / NANOS_PER_SECOND;
    delays.reset();
    return {
      lagSeconds: Math.max(0, seconds - RESOLUTION_MS / 1_000),
      heapUsedBytes: getHeapStatistics().used_heap_size,
    };
  };
}
