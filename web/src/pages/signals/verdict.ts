import type { Execution } from './signal-types.ts';

/** What the lift of a model over random minutes says, and how sure it is. */
export interface Verdict {
  readonly tone: 'good' | 'bad' | 'neutral' | 'warning';
  readonly text: string;
  readonly explanation: string;
}

/** Reads a lift with its interval. Without an interval nothing is claimed. */
export function verdictOf(execution: Execution | undefined): Verdict {
  if (execution === undefined || execution.signal_count === 0) {
    return {
      tone: 'neutral',
      text: 'Too few to say: no closed position',
      explanation: 'No signal of this period has a closed position under this rule yet.',
    };
  }
  const random = execution.random_minutes;
  if (random === null) {
    return {
      tone: 'neutral',
      text: 'Too few to say: nothing to compare with',
      explanation: 'No random minutes of similar tokens are known for these signals.',
    };
  }
  const interval = random.lift_interval;
  const [low, high] = interval ?? [];
  if (low === undefined || high === undefined) {
    return {
      tone: 'warning',
      text: 'Too few to say: fewer than 20 signals or five days',
      explanation: 'An interval needs 20 compared signals on five days, which are drawn again.',
    };
  }
  return verdictOfInterval(Number(low), Number(high));
}

function verdictOfInterval(low: number, high: number): Verdict {
  if (low > 0) {
    return {
      tone: 'good',
      text: 'Better than random minutes',
      explanation: 'The whole interval is above zero in this history, which promises nothing.',
    };
  }
  if (high < 0) {
    return {
      tone: 'bad',
      text: 'Worse than random minutes',
      explanation: 'The whole interval is below zero in this history.',
    };
  }
  return {
    tone: 'neutral',
    text: 'No different from random minutes',
    explanation: 'The interval contains zero: this history does not tell them apart.',
  };
}
