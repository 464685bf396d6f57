import { expect, test } from 'vitest';
import { asSlot, type Slot } from '../../model/units.ts';
import type { LogStep } from '../log-step.ts';
import { FinalSteps } from './final-steps.ts';

type Step = LogStep<{ readonly slot: Slot }>;

const block = (slot: number): Step => ({ kind: 'block', block: { slot: asSlot(slot) } });
const final = (slot: number): Step => ({ kind: 'final', slot: asSlot(slot) });
const undo = (slot: number): Step => ({ kind: 'undo', toSlot: asSlot(slot), toBlockhash: 'h' });
const missing = (from: number, to: number): Step => ({
  kind: 'missing',
  from: asSlot(from),
  to: asSlot(to),
  reason: 'gone',
});

test('a step is returned once it is final, in order, and never if it was reverted', () => {
  const steps = new FinalSteps<{ readonly slot: Slot }>();
  expect(steps.take([block(1), block(2), missing(3, 4), block(5)])).toEqual([]);
  expect(steps.take([final(1)])).toEqual([block(1)]);
  expect(steps.take([undo(2), block(3), block(6), final(3)])).toEqual([block(2), block(3)]);
  expect(steps.take([final(6)])).toEqual([block(6)]);
  expect(steps.take([final(9)])).toEqual([]);
});
