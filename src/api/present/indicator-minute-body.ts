import type { IndicatorRecord } from '../../model/indicators.ts';
import { formatMaybeInstant } from './format-wire.ts';
import { Figures } from './indicator-figures.ts';

/** The indicators of a pool at the end of a minute, as streams send them (CONTRACT §3). */
export function presentIndicatorMinute(record: IndicatorRecord) {
  return {
    pair_address: record.pool,
    token_address: record.baseMint,
    ...Figures.present(record),
    // The pool was traded in this minute.
    status: 'active',
    attempts: 0,
    created_at: formatMaybeInstant(record.createdAtMs),
  };
}
