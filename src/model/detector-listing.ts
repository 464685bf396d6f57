import type { FraudType } from './fraud.ts';
import type { RuleHit } from './rule-hit.ts';
import type { Slot } from './units.ts';

/** How a tried detector compares with the built-in ones, in cases since the start of the service. */
export interface TrialListing {
  readonly both: number;
  readonly onlyDetector: number;
  readonly onlyBuiltIn: number;
  readonly neither: number;
  /** Cases in which it failed. */
  readonly failed: number;
  /** Whether it ended its thread, and is not asked until the next start. */
  readonly isStopped: boolean;
}

/** What a failure is, and the slot from which the detector is switched off. */
export interface DetectorOff {
  readonly slot: Slot;
  readonly failure: string;
}

/** A detector that judges the tokens of a service. */
export interface ListedDetector extends Pick<RuleHit, 'name' | 'version'> {
  /** Of all files of its package; null for a built-in one, which is of the service's version. */
  readonly hash: string | null;
  /** The type of its findings; null for a package, whose judgements are hits of kind fraud. */
  readonly fraudType: FraudType | null;
  /** 1 to 10. */
  readonly severity: number;
  /** What it finds, in one or two sentences. */
  readonly pattern: string;
  /** Null while it judges. */
  readonly off: DetectorOff | null;
  /** Of a detector that is only tried: nothing of it is published. */
  readonly trial: TrialListing | null;
}

/** Beside it the hits of all versions of its name; null for one that has none by its kind. */
export interface CountedDetector extends ListedDetector {
  readonly hitCount: number | null;
}
