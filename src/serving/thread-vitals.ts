import { monitorEventLoopDelay } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import type { ThreadVitals } from './messages.ts';

/** How often the loop is looked at: its delay is counted from there. */
const RESOLUTION_MS = 10;
const NANOS_PER_SECOND = 1e9;

/** Watches the thread it is called on; each reading begins a new span of time. */
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
