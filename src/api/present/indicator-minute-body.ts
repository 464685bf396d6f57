import type { IndicatorRecord } from '../../model/indicators.ts';
import { Figures } from './indicator-figures.ts';
import { address, integer, maybeInstant, word } from './wire-kinds.ts';
import { wireRecord } from './wire-record.ts';

/** The indicators of a pool at the end of a minute, as streams send them (CONTRACT §3). */
export const IndicatorMinute = wireRecord<IndicatorRecord>()({
  pair_address: [address, 'pool'],
  token_address: [address, 'baseMint'],
  ...Figures.fields,
  status: [word(['active']), () => 'active' as const, 'The pool was traded in this minute.'],
  attempts: [integer, () => 0, 'Always 0.'],
  created_at: [maybeInstant, 'createdAtMs'],
});

export const presentIndicatorMinute = IndicatorMinute.present;
