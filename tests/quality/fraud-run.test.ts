import { expect, it } from 'vitest';
import { plansOf } from './fraud-quality.ts';
import { playPlan, streamOf } from './fraud-run.ts';

it('every scenario of every seed draws from a stream of its own', () => {
  const plans = plansOf('training', 3);
  expect(new Set(plans.map(streamOf)).size).toBe(plans.length);
});

it('scenarios of one seed draw other knobs, and the same ones when they are played again', () => {
  const knobsOf = (type: 'late_bundle' | 'fake_dump') => {
    const { knobs } = playPlan({ type, difficulty: 'hard', seed: 'training-1' }).run;
    // Neither type bounds these.
    return [knobs?.hopDelayMs, knobs?.agedShare, knobs?.sizeJitter];
  };
  const late = knobsOf('late_bundle');
  expect(knobsOf('late_bundle')).toEqual(late);
  const other = knobsOf('fake_dump');
  expect(other.filter((value, at) => value === late[at])).toEqual([]);
});
