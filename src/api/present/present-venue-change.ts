import { formatShare } from '../../lib/format-share.ts';
import {
  type CountedShare,
  DRIFT_MEASURES,
  type DriftExample,
  type VenueChange,
} from '../../model/venue-change.ts';
import { decimal, integer, list, nullable, text, word } from './wire-kinds.ts';
import { wireRecord } from './wire-record.ts';

const Share = wireRecord<CountedShare>()({
  count: [integer, 'hits'],
  of: [integer, 'total'],
  share: [
    nullable(decimal),
    ({ hits, total }) => (total === 0 ? null : formatShare(hits, total, 4)),
    'count / of, rounded down; null if of is 0.',
  ],
});

const Example = wireRecord<DriftExample>()({
  what: [text, 'what', 'A discriminator, or the reason in words.'],
  slot: [integer, 'slot'],
  signature: [text, 'signature'],
});

/** A program whose decoding degraded or recovered. */
const VenueChangeRecord = wireRecord<VenueChange>()({
  program: [text, ({ alarm }) => alarm.program],
  measure: [word(DRIFT_MEASURES), ({ alarm }) => alarm.measure],
  state: [word(['began', 'ended']), 'kind'],
  slot: [integer, 'slot'],
  since_slot: [integer, ({ alarm }) => alarm.sinceSlot, 'The first slot that shows the increase.'],
  recent: [Share, ({ alarm }) => alarm.recent],
  past: [Share, ({ alarm }) => alarm.past],
  examples: [list(Example), ({ alarm }) => alarm.examples],
});

export const VenueChangeBody = VenueChangeRecord.schema;

export const presentVenueChange = VenueChangeRecord.present;
