import { existsSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;
/** See proc(5): user, nice, system, idle, iowait, irq, softirq, steal. */
const STEAL = 8;

/**
 * Seconds since boot in which this machine's processors were needed but given to other guests of
 * its host, from /proc/stat on Linux; 0 elsewhere.
 */
export function stolenSeconds(path = '/proc/stat'): number {
  if (!existsSync(path)) return 0;
  const [line = ''] = readFileSync(path, 'utf8').split('\n', 1);
  return Number(line.split(/\s+/)[STEAL] ?? 0) / TICKS_PER_SECOND;
}
