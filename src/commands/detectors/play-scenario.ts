import { judgeBeside } from '../../detector-modules/shadow/judge-beside.ts';
import {
  countCase,
  NO_CASES,
  type ShadowCounts,
} from '../../detector-modules/shadow/shadow-counts.ts';
import { Engine } from '../../engine/engine.ts';
import { caseText } from '../../fraud/contract/case-text.ts';
import type { InstalledDetector } from '../../fraud/contract/installed-detector.ts';
import type { SlotFacts } from '../../model/slot-facts.ts';
import type { TestScenario } from '../../rules/file/rule-test.ts';
import { scenarioSlots } from '../rules/tested-slots.ts';

const SLOTS_BETWEEN_CASES = 400;

export interface PlayedScenario {
  readonly cases: number;
  readonly counts: ShadowCounts;
  /** The first failure; null if there is none. */
  readonly problem: string | null;
}

/** Plays a scenario and judges its token beside the built-in detectors; a sentence if there is none. */
export function playScenario(
  detector: InstalledDetector,
  scenario: TestScenario,
): PlayedScenario | string {
  const tested = scenarioSlots(scenario);
  if (typeof tested === 'string') return tested;
  const engine = new Engine({ fallbackSolUsd: null });
  let played: PlayedScenario = { cases: 0, counts: NO_CASES, problem: null };
  const judge = () => {
    const subject = tested.subject();
    const mintCase = subject === null ? null : engine.mintCase(subject);
    if (mintCase !== null) played = withCase(played, detector, caseText(mintCase));
  };
  let slots = 0;
  for (const facts of tested.slots as Iterable<SlotFacts>) {
    engine.apply(facts);
    if (++slots % SLOTS_BETWEEN_CASES === 0) judge();
  }
  judge();
  return played;
}

function withCase(
  { cases, counts, problem }: PlayedScenario,
  detector: InstalledDetector,
  text: string,
): PlayedScenario {
  const measuring = { nowMs: () => performance.now(), onJudging: () => undefined };
  const { builtIn, judgements } = judgeBeside([detector], text, measuring);
  const [judgement] = judgements;
  if (judgement === undefined) throw new Error('a detector gave no outcome');
  const { outcome } = judgement;
  return {
    cases: cases + 1,
    counts: countCase(counts, judgement, builtIn.length > 0),
    problem: problem ?? (outcome.kind === 'failed' ? outcome.detail : null),
  };
}
