import { formatShare } from '../../lib/format-share.ts';
import type { CountedShare, VenueChange } from '../../model/venue-change.ts';

/** Webhook payload for a program whose decoding degraded or recovered. */
export function presentVenueChange({ kind, slot, alarm }: VenueChange) {
  const { program, measure, sinceSlot, recent, past, examples } = alarm;
  return {
    program,
    measure,
    state: kind,
    slot,
    since_slot: sinceSlot,
    recent: presentShare(recent),
    past: presentShare(past),
    examples: examples.map(({ what, slot: seenSlot, signature }) => ({
      what,
      slot: seenSlot,
      signature,
    })),
  };
}

function presentShare({ hits, total }: CountedShare) {
  return { count: hits, of: total, share: total === 0 ? null : formatShare(hits, total, 4) };
}
