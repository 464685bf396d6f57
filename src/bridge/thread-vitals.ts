import { monitorEventLoopDelay } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { isSystemError } from '../lib/transient-error.ts';
import type { ThreadVitals } from './messages.ts';

/** Sampling interval of the event loop delay. */
const RESOLUTION_MS = 10;
const NANOS_PER_SECOND = 1e9;

/** Monitors the current thread. Each reading starts a new measuring period. */
export function watchVitals(): () => ThreadVitals {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  let buffersBytes = 0;
  return () => {
    const seconds = delays.count === 0 ? 0 : delays.percentile(99) / NANOS_PER_SECOND;
    delays.reset();
    const { used_heap_size, total_heap_size } = getHeapStatistics();
    buffersBytes = readBuffersBytes() ?? buffersBytes;
    return {
      lagSeconds: Math.max(0, seconds - RESOLUTION_MS / 1_000),
      heapUsedBytes: used_heap_size,
      heapReservedBytes: total_heap_size,
      buffersBytes,
    };
  };
}

/** Null while there are too many open files: with the buffers, resident memory is read of a file. */
function readBuffersBytes(): number | null {
  try {
    return process.memoryUsage().arrayBuffers;
  } catch (error) {
    if (isSystemError(error)) return null;
    throw error;
  }
}
