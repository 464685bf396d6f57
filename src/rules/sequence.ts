import type { CompiledRule } from './compile-rule.ts';
import type { FeatureValues } from './features/read-features.ts';

/** How far a sequence is for one pool. Plain numbers, so that it can be stored in a row. */
export interface SequenceState {
  /** The step that has to pass next, from 0. */
  readonly step: number;
  /** The last minute in which it may. */
  readonly untilMs: number;
}

/** A sequence after a minute: complete, waiting (null if it has not begun). */
export interface SequenceProgress {
  readonly passed: boolean;
  readonly state: SequenceState | null;
}

/**
 * Advances a rule for a pool that was traded in a minute. At most one step passes in a minute. While
 * the first step is awaited, a condition that passes again begins anew; later the sequence goes on
 * from the step that passed, until it is too late for the next.
 */
export function advanceSequence(
  rule: CompiledRule,
  state: SequenceState | null,
  values: FeatureValues,
  minuteMs: number,
): SequenceProgress {
  const { sequence, when } = rule;
  const [first] = sequence;
  if (first === undefined) return { passed: when.evaluate(values) === true, state: null };
  const waiting = state === null || minuteMs > state.untilMs ? null : state;
  if (waiting !== null && sequence[waiting.step]?.when.evaluate(values) === true) {
    const next = sequence[waiting.step + 1];
    if (next === undefined) return { passed: true, state: null };
    return {
      passed: false,
      state: { step: waiting.step + 1, untilMs: minuteMs + next.withinMs },
    };
  }
  if (waiting !== null && waiting.step > 0) return { passed: false, state: waiting };
  if (when.evaluate(values) !== true) return { passed: false, state: waiting };
  return { passed: false, state: { step: 0, untilMs: minuteMs + first.withinMs } };
}
