import type { Metrics } from './live-service.ts';
import type { ProcessFamily } from './process-family.ts';
import { stolenSeconds } from './stolen-time.ts';

/** What the service says of itself at one moment. */
export interface ServiceSample {
  readonly atMs: number;
  readonly rssBytes: number;
  readonly heapBytes: number;
  /** Resident memory of processes that it started; 0 where the system does not tell. */
  readonly othersRssBytes: number;
  /** With those that it started, where the system tells. */
  readonly cpuSeconds: number;
  /** Of all processors, that the host gave to others. */
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
