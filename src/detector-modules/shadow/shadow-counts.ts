import { PUBLISHED_CONFIDENCE_MIN } from '../../model/fraud-review.ts';
import type { ShadowJudgement } from './shadow-messages.ts';

/** How judgements of a detector compare with those of the built-in ones, since the start. */
export interface ShadowCounts {
  /** Cases that both report, only the detector, only built-in ones, and none. */
  readonly both: number;
  readonly onlyDetector: number;
  readonly onlyBuiltIn: number;
  readonly neither: number;
  /** Cases in which it failed. */
  readonly failed: number;
  readonly durationMs: number;
  readonly durationMostMs: number;
  readonly workMost: number;
}

export const NO_CASES: ShadowCounts = {
  both: 0,
  onlyDetector: 0,
  onlyBuiltIn: 0,
  neither: 0,
  failed: 0,
  durationMs: 0,
  durationMostMs: 0,
  workMost: 0,
};

/** The counts with one case more. */
export function countCase(
  counts: ShadowCounts,
  { outcome, durationMs, work }: ShadowJudgement,
  isBuiltIn: boolean,
): ShadowCounts {
  const key = outcome.kind === 'failed' ? 'failed' : agreementOf(isReported(outcome), isBuiltIn);
  return {
    ...counts,
    [key]: counts[key] + 1,
    durationMs: counts.durationMs + durationMs,
    durationMostMs: Math.max(counts.durationMostMs, durationMs),
    workMost: Math.max(counts.workMost, work),
  };
}

/** Part of the judged cases in which both report, or neither; null without any. */
export function agreementIn({ both, onlyDetector, onlyBuiltIn, neither }: ShadowCounts) {
  return partOf(both + neither, both + neither + onlyDetector + onlyBuiltIn);
}

/** Part of the cases reported by the detector that built-in ones report too; null without any. */
export function precisionIn({ both, onlyDetector }: ShadowCounts): number | null {
  return partOf(both, both + onlyDetector);
}

/** Part of the cases reported by built-in detectors that it reports too; null without any. */
export function recallIn({ both, onlyBuiltIn }: ShadowCounts): number | null {
  return partOf(both, both + onlyBuiltIn);
}

/** Whether a judgement would be published. */
export function isReported(outcome: ShadowJudgement['outcome']): boolean {
  return (
    outcome.kind === 'judged' &&
    outcome.confidence !== null &&
    outcome.confidence >= PUBLISHED_CONFIDENCE_MIN
  );
}

function agreementOf(isDetector: boolean, isBuiltIn: boolean) {
  if (isDetector) return isBuiltIn ? 'both' : 'onlyDetector';
  return isBuiltIn ? 'onlyBuiltIn' : 'neither';
}

function partOf(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}
