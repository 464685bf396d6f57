import type { Judgement } from '../../model/fraud.ts';
import type { CaseReading, DetectorCard } from './detector.ts';

/** Why a detector gave no judgement of a case. The same case gives the same failure. */
export const DETECTOR_FAILURES = ['threw', 'work', 'depth', 'garbage'] as const;

export type DetectorFailure = (typeof DETECTOR_FAILURES)[number];

export type DetectorOutcome =
  | { readonly kind: 'judged'; readonly judgements: readonly Judgement[] }
  /** `detail` is a sentence for people; it may differ between versions of Node. */
  | { readonly kind: 'failed'; readonly failure: DetectorFailure; readonly detail: string };

/** What identifies an installed detector: `name@version+hash`. */
export interface DetectorIdentity {
  readonly name: string;
  readonly version: number;
  /** Of all files of its package, 64 hex digits. */
  readonly hash: string;
}

/** A detector of a module, behind what keeps it apart. */
export interface InstalledDetector extends DetectorIdentity {
  readonly severity: number;
  readonly card: DetectorCard;
  /**
   * Judges a case, which must be plain. `text` is caseText of it. Never throws for what the detector
   * does.
   */
  readonly judge: (reading: CaseReading, text: string) => DetectorOutcome;
  /** Work of the last judgement, in turns and calls. */
  readonly spent: () => number;
}
