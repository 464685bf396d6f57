import { shareOf } from '../fold/venue-drift/drift-rule.ts';
import type { CountedShare, DriftMeasure, VenueAlarm } from '../model/venue-change.ts';

const MEASURES: Readonly<Record<DriftMeasure, string>> = {
  unknown: 'instructions unknown',
  malformed: 'instructions malformed',
  quarantined: 'swaps quarantined',
};

/** Program, start, share now and before, and examples of what could not be decoded. */
export function alarmInWords({
  program,
  measure,
  sinceSlot,
  recent,
  past,
  examples,
}: VenueAlarm): string {
  const shares = `${percentOf(recent)} of ${MEASURES[measure]}, ${percentOf(past)} before`;
  const seen = examples.map(({ what, signature }) => `${what} in ${signature}`).join(', ');
  return `${program} since slot ${sinceSlot}: ${shares}${seen === '' ? '' : ` (${seen})`}`;
}

function percentOf(share: CountedShare): string {
  return `${(shareOf(share) * 100).toFixed(2)} %`;
}
