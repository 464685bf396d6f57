import { expect, test } from 'vitest';
import type { HeadStep } from '../../src/cluster/step-head.ts';
import { asSlot } from '../../src/model/units.ts';
import { streamOffences } from './stream-laws.ts';

const block = (slot: number, hash = `hash-${slot}`, parent = `hash-${slot - 1}`): HeadStep => ({
  kind: 'facts',
  slot: asSlot(slot),
  blockhash: hash,
  parentSlot: asSlot(slot - 1),
  previousBlockhash: parent,
});
const undo = (slot: number): HeadStep => ({
  kind: 'undo',
  toSlot: asSlot(slot),
  toBlockhash: `hash-${slot}`,
});
const final = (slot: number): HeadStep => ({ kind: 'final', slot: asSlot(slot) });
const offences = (...steps: readonly HeadStep[]) =>
  streamOffences(
    steps.map((step, index) => ({ seq: index + 1, step, final: null, lateSeq: 0, writer: 'test' })),
  );

test('a fork that is left, and a late block, obey the laws of a stream', () => {
  expect(
    offences(block(1), block(2, 'lost'), undo(1), block(2), final(1), block(3), block(1)),
  ).toEqual([]);
});

test('a block after slots that are reported missing obeys them', () => {
  const missing: HeadStep = { kind: 'missing', from: asSlot(2), to: asSlot(2), reason: 'none' };
  expect(offences(block(1), missing, block(3))).toEqual([]);
  expect(offences(block(1), missing, block(3), block(5))).toHaveLength(1);
});

test.each([
  ['a block twice', [block(1), block(2), block(2)]],
  ['a block of another branch', [block(1), block(2), block(3, 'other', 'lost')]],
  ['a revert of a final block', [block(1), block(2), final(2), undo(1)]],
  ['a final slot twice', [block(1), final(1), final(1)]],
])('%s breaks the laws of a stream', (_, steps) => {
  expect(offences(...steps)).toHaveLength(1);
});
