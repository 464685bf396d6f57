import { describe, expect, it } from 'vitest';
import { longestRuns } from './longest-runs.ts';

const within = (span: number) => (first: number, last: number) => last - first <= span;

describe('longest runs', () => {
  it('may overlap, but none contains another', () => {
    expect([...longestRuns([0, 2, 4, 6, 20, 21], within(4))]).toEqual([
      [0, 2, 4],
      [2, 4, 6],
      [20, 21],
    ]);
  });

  it('leave out single items', () => {
    expect([...longestRuns([0, 5, 10], within(4))]).toEqual([]);
    expect([...longestRuns([], within(4))]).toEqual([]);
  });

  it('are one if all items are equal', () => {
    expect([...longestRuns([3, 3, 3], within(0))]).toEqual([[3, 3, 3]]);
  });
});
