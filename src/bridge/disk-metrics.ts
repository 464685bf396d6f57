import type { MetricFamilies } from '../api/http/metrics.ts';
import { freeBytesAt } from '../lib/free-bytes.ts';

/** Exposes the free space of the data folder; nothing if it cannot be asked. */
export function exposeDisk(metrics: MetricFamilies, dataDir: string): void {
  metrics.exposeGauge({
    name: 'disk_free_bytes',
    help: 'Bytes that the service may still write to the file system of the data folder.',
    read: () => {
      const bytes = freeBytesAt(dataDir);
      return bytes === null ? [] : [[{}, bytes]];
    },
  });
}
