/** Confidences from which a finding counts as medium, high and critical (CONTRACT §2.7). */
const LEVELS_FROM = [0.5, 0.7, 0.9];

/** What is told of a finding: how many levels its confidence reaches; 0 for nothing. */
export function levelReached(isPublished: boolean, confidence: number): number {
  return isPublished ? LEVELS_FROM.filter((from) => confidence >= from).length : 0;
}

export type FindingEvent = 'fraud.found' | 'fraud.raised' | 'fraud.withdrawn';

/**
 * What is new about a finding that was told at one level, the highest so far, and is at another. One
 * that sinks stays told until it is not told at all.
 */
export function findingEvent(publishedLevel: number, level: number): FindingEvent | null {
  if (level === 0) return publishedLevel === 0 ? null : 'fraud.withdrawn';
  if (publishedLevel === 0) return 'fraud.found';
  return level > publishedLevel ? 'fraud.raised' : null;
}
