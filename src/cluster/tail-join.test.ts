import fc from 'fast-check';
import { expect, it } from 'vitest';
import { blockTrees } from '../../tests/support/block-tree.ts';
import { IngesterLife, linkFacts, SharedLog } from '../../tests/support/ingester-lives.ts';
import { keyOf } from '../chain/block-link.ts';
import { asSlot } from '../model/units.ts';
import { LogTail } from './log-tail.ts';
import type { ClusterStep } from './step-head.ts';
import { headOf } from './step-message.ts';
import { TailJoin } from './tail-join.ts';

const RUNS = Number(process.env.MINTSCOPE_PROPERTY_RUNS ?? 100);

it('leaves one log of the canonical blocks, whenever and however often an ingester takes over', () => {
  const cases = blockTrees({ length: 60, forkSlotsMax: 6 }).chain((tree) =>
    fc.tuple(
      fc.constant(tree),
      fc.array(
        fc.record({
          stepsMax: fc.integer({ min: 0, max: 40 }),
          order: fc.shuffledSubarray([...tree.blocks], { minLength: tree.blocks.length }),
          isInOrder: fc.boolean(),
        }),
        { maxLength: 5 },
      ),
    ),
  );
  let taken = 0;
  let undone = 0;
  fc.assert(
    fc.property(cases, ([tree, lives]) => {
      const log = new SharedLog();
      const sorted = [...tree.blocks].sort((one, other) => one.slot - other.slot);
      for (const { stepsMax, order, isInOrder } of lives) {
        new IngesterLife(log, tree, stepsMax).live(isInOrder ? sorted : order);
      }
      new IngesterLife(log, tree, Number.POSITIVE_INFINITY).live(sorted);
      const reader = log.read(tree.anchor);
      expect(reader.blocks.map(keyOf)).toEqual(tree.canonical.map(keyOf));
      taken += lives.length;
      undone += reader.undos;
    }),
    { numRuns: RUNS },
  );
  // Otherwise nothing was shown.
  expect(taken).toBeGreaterThan(RUNS);
  expect(undone).toBeGreaterThan(RUNS);
});

it('appends nothing again that is in the tail already', () => {
  const tail = new LogTail();
  const block = (slot: number): ClusterStep => ({
    kind: 'facts',
    facts: linkFacts({
      slot: asSlot(slot),
      blockhash: `hash-${slot}`,
      parentSlot: asSlot(slot - 1),
      previousBlockhash: `hash-${slot - 1}`,
    }),
  });
  const steps: ClusterStep[] = [block(5), block(6), { kind: 'final', slot: asSlot(5) }, block(7)];
  for (const [index, step] of steps.entries()) {
    tail.pass(index + 1, tail.headOf(headOf(step), 'first'));
  }
  expect(tail.final).toEqual({ slot: 5, blockhash: 'hash-5' });
  const join = new TailJoin(tail);
  expect([block(6), block(7)].flatMap((step) => join.take(step))).toEqual([]);
  expect(join.take(block(8))).toEqual([block(8)]);
});

it('reverts at once where the source does, so that a corrected block replaces the first', () => {
  const tail = new LogTail();
  const join = new TailJoin(tail);
  const block: ClusterStep = {
    kind: 'facts',
    facts: linkFacts({
      slot: asSlot(6),
      blockhash: 'six',
      parentSlot: asSlot(5),
      previousBlockhash: 'five',
    }),
  };
  for (const step of join.take(block)) tail.pass(1, tail.headOf(headOf(step), 'w'));
  const undo: ClusterStep = { kind: 'undo', toSlot: asSlot(5), toBlockhash: 'five' };
  const undone = join.take(undo);
  expect(undone).toEqual([undo]);
  for (const step of undone) tail.pass(2, tail.headOf(headOf(step), 'w'));
  expect(join.take(block)).toEqual([block]);
});

it('reports missing slots again that an undo voids, because they are still missing', () => {
  const block = (slot: number, parent: number): ClusterStep => ({
    kind: 'facts',
    facts: linkFacts({
      slot: asSlot(slot),
      blockhash: `hash-${slot}`,
      parentSlot: asSlot(parent),
      previousBlockhash: `hash-${parent}`,
    }),
  });
  const missing: ClusterStep = {
    kind: 'missing',
    from: asSlot(7),
    to: asSlot(8),
    reason: 'no node has them',
  };
  const tail = new LogTail();
  for (const [index, step] of [block(6, 5), missing, block(9, 8)].entries()) {
    tail.pass(index + 1, tail.headOf(headOf(step), 'first'));
  }
  const join = new TailJoin(tail);
  expect([block(6, 5), missing].flatMap((step) => join.take(step))).toEqual([]);
  const undo: ClusterStep = { kind: 'undo', toSlot: asSlot(6), toBlockhash: 'hash-6' };
  expect(join.take(block(10, 8))).toEqual([undo, missing, block(10, 8)]);
});
