/** Confidences from which a finding counts as medium, high and critical (CONTRACT §2.7). */
const LEVELS_FROM = [0.5, 0.7, 0.9];

/** The number of levels that a finding's confidence reaches; 0 when it is not reported. */
export function levelReached(isPublished: boolean, confidence: number): number {
  return isPublished ? LEVELS_FROM.filter((from) => confidence >= from).length : 0;
}

export type FindingEvent = 'fraud.found' | 'fraud.raised' | 'fraud.withdrawn';

/**
 * The event to emit when a finding changes level, or null. `publishedLevel` is the highest level
 * emitted so far. A lower level emits nothing until it reaches 0, which withdraws the finding.
 */
export function findingEvent(publishedLevel: number, level: number): FindingEvent | null {
  if (level === 0) return publishedLevel === 0 ? null : 'fraud.withdrawn';
  if (publishedLevel === 0) return 'fraud.found';
  return level > publishedLevel ? 'fraud.raised' : null;
}
