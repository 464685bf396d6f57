import { describe, expect, test } from 'vitest';
import type { Execution } from './signal-types.ts';
import { verdictOf } from './verdict.ts';

type Random = NonNullable<Execution['random_minutes']>;

function withInterval(interval: Random['lift_interval']): Execution {
  return {
    ...{ exit_rule: 'hold_1h', ticket_usd: 200, signal_count: 40 },
    ...{ avg_return: '3.0', median_return: '1.0', win_rate: '0.5' },
    random_minutes: {
      ...{ matched_signal_count: 40, avg_return: '3.0', base_rate: '1.0', lift: '2.0' },
      lift_interval: interval,
    },
  };
}

describe('the verdict on a model', () => {
  test('claims something only if the whole interval is on one side of zero', () => {
    expect(verdictOf(withInterval(['0.5', '3.5'])).tone).toBe('good');
    expect(verdictOf(withInterval(['-3.5', '-0.5'])).tone).toBe('bad');
    expect(verdictOf(withInterval(['-0.5', '4.5'])).text).toBe('No different from random minutes');
    expect(verdictOf(withInterval(['0', '4.5'])).text).toBe('No different from random minutes');
  });

  test('is that there are too few without an interval, a comparison, or any closed position', () => {
    expect(verdictOf(withInterval(null)).text).toMatch(/^Too few to say/);
    expect(verdictOf({ ...withInterval(null), random_minutes: null }).text).toMatch(/^Too few/);
    expect(verdictOf({ ...withInterval(['1', '2']), signal_count: 0 }).text).toMatch(/^Too few/);
    expect(verdictOf(undefined).text).toMatch(/^Too few/);
  });
});
