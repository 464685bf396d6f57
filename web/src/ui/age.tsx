import { formatAge, formatTime } from '../format/times.ts';
import { nowMs } from '../state/clock.ts';

/** The age of an instant, kept current, with the time itself on hover. */
export function Age({ instant }: { readonly instant: string | null }) {
  return <time title={formatTime(instant)}>{formatAge(instant, nowMs.value)}</time>;
}
