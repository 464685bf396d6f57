import type { Metrics } from './live-service.ts';
import type { ProcessFamily } from './process-family.ts';
import { stolenSeconds } from './stolen-time.ts';

/** Metrics of the service at one moment. */
export interface ServiceSample {
  readonly atMs: number;
  readonly rssBytes: number;
  readonly heapBytes: number;
  /** Heaps of the threads that fold and answer, with what is free in them. */
  readonly heapReservedBytes: number;
  /** Buffers of these threads, outside their heaps. */
  readonly buffersBytes: number;
  /** Resident memory of the processes it started; 0 where the system does not report it. */
  readonly othersRssBytes: number;
  /** Including the processes it started, where the system reports it. */
  readonly cpuSeconds: number;
  /** Seconds that the host gave to other guests, over all processors. */
  readonly stolenSeconds: number;
  readonly transactions: number;
  readonly openGaps: number;
  readonly stateEntries: number;
}

export function toServiceSample(
  metrics: Metrics,
  family: ProcessFamily | null,
  atMs: number,
): ServiceSample {
  return {
    atMs,
    rssBytes: metrics.value('process_resident_memory_bytes'),
    heapBytes: metrics.value('nodejs_heap_size_used_bytes'),
    heapReservedBytes: metrics.sum('mintscope_heap_reserved_bytes'),
    buffersBytes: metrics.sum('mintscope_buffers_bytes'),
    othersRssBytes: family?.othersRssBytes ?? 0,
    cpuSeconds: family?.cpuSeconds ?? metrics.value('process_cpu_seconds_total'),
    stolenSeconds: stolenSeconds(),
    transactions:
      metrics.sum('mintscope_transactions_total', 'succeeded') +
      metrics.sum('mintscope_transactions_total', 'failed'),
    openGaps: metrics.value('mintscope_open_gaps'),
    stateEntries: metrics.sum('mintscope_state_entries'),
  };
}
