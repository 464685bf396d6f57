import type { Classification } from '../model/fraud.ts';
import type { ClassificationStatus } from '../model/fraud-review.ts';
import type { Slot } from '../model/units.ts';
import type { LiveEngine } from './live-rows.ts';
import type { RevertedSource } from './reverted-rows.ts';

export interface SlotFeedSource {
  readonly engine: Pick<LiveEngine, 'lastSlot' | 'solUsd' | 'wallet'> & RevertedSource;
  readonly finalSlot: Slot | null;
  /** The step of the shared log that is applied while listeners are called; null without one. */
  readonly step: number | null;
  /** The last step that is applied for certain; null without one. */
  readonly appliedStep: number | null;
  /** The status of a finding after its reviews. */
  statusOf(classification: Classification): ClassificationStatus;
}
