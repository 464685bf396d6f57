import type { Metrics } from './live-service.ts';

/** What the service says of itself at one moment. */
export interface ServiceSample {
  readonly atMs: number;
  readonly rssBytes: number;
  readonly heapBytes: number;
  readonly cpuSeconds: number;
  readonly transactions: number;
  readonly openGaps: number;
  readonly stateEntries: number;
}

export function toServiceSample(metrics: Metrics, atMs: number): ServiceSample {
  return {
    atMs,
    rssBytes: metrics.value('process_resident_memory_bytes'),
    heapBytes: metrics.value('nodejs_heap_size_used_bytes'),
    cpuSeconds: metrics.value('process_cpu_seconds_total'),
    transactions:
      metrics.sum('mintscope_transactions_total', 'succeeded') +
      metrics.sum('mintscope_transactions_total', 'failed'),
    openGaps: metrics.value('mintscope_open_gaps'),
    stateEntries: metrics.sum('mintscope_state_entries'),
  };
}
