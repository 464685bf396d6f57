import { readCaseText } from '../../fraud/contract/case-text.ts';
import type { InstalledDetector } from '../../fraud/contract/installed-detector.ts';
import { createReading, inspectReading } from '../../fraud/detect/inspect-case.ts';
import { PUBLISHED_CONFIDENCE_MIN } from '../../model/fraud-review.ts';
import type { FromShadow, ShadowJudgement } from './shadow-messages.ts';

/** What to measure time with, and what to call before each detector and with -1 after the last. */
export interface Measuring {
  readonly nowMs: () => number;
  readonly onJudging: (place: number) => void;
}

/** Judges a case by the built-in detectors and by others beside them, which see the same. */
export function judgeBeside(
  detectors: readonly InstalledDetector[],
  text: string,
  { nowMs, onJudging }: Measuring,
): Extract<FromShadow, { readonly kind: 'judged' }> {
  const mintCase = readCaseText(text);
  const reading = createReading(mintCase);
  const reported = inspectReading(reading).filter(
    ({ confidence }) => confidence >= PUBLISHED_CONFIDENCE_MIN,
  );
  const judgements = detectors.map((detector, place): ShadowJudgement => {
    onJudging(place);
    const beganMs = nowMs();
    const outcome = detector.judge(reading, text);
    const durationMs = nowMs() - beganMs;
    const shown =
      outcome.kind === 'judged'
        ? { kind: outcome.kind, confidence: outcome.judgements[0]?.confidence ?? null }
        : outcome;
    return { name: detector.name, durationMs, work: detector.spent(), outcome: shown };
  });
  onJudging(-1);
  return {
    kind: 'judged',
    mint: mintCase.mint,
    slot: mintCase.slot,
    builtIn: [...new Set(reported.map(({ fraudType }) => fraudType))],
    judgements,
  };
}
