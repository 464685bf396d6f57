import type { DetectorFailure, DetectorIdentity } from '../../fraud/contract/installed-detector.ts';
import type { FraudType } from '../../model/fraud.ts';
import type { Slot } from '../../model/units.ts';
import type { DetectorPackage } from '../package/detector-package.ts';

/** What the thread is started with. */
export interface ShadowStart {
  readonly packages: readonly DetectorPackage[];
  /** One number: the place of the detector that judges now; -1 while none does. */
  readonly judging: Int32Array;
}

/** A case to judge, as caseText. */
export interface ShadowCase {
  readonly text: string;
}

/** What one detector made of a case. */
export interface ShadowJudgement {
  readonly name: string;
  readonly durationMs: number;
  /** Turns and calls. */
  readonly work: number;
  readonly outcome: /** The confidence of the strongest judgement; null if there is none. */
    | { readonly kind: 'judged'; readonly confidence: number | null }
    | { readonly kind: 'failed'; readonly failure: DetectorFailure; readonly detail: string };
}

export type FromShadow =
  | { readonly kind: 'opened'; readonly detectors: readonly DetectorIdentity[] }
  | {
      readonly kind: 'judged';
      readonly mint: string;
      readonly slot: Slot;
      /** Types of the findings that built-in detectors report of the same case. */
      readonly builtIn: readonly FraudType[];
      readonly judgements: readonly ShadowJudgement[];
    };
