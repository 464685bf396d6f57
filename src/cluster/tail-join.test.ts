import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type BlockTree, blockTrees, LogReader } from '../../tests/support/block-tree.ts';
import { slotFacts } from '../../tests/support/build-facts.ts';
import { type BlockLink, type ChainPoint, keyOf } from '../chain/block-link.ts';
import { Continuity } from '../chain/continuity.ts';
import { confirmedPlus } from '../chain/finality.ts';
import type { LogStep } from '../chain/log-step.ts';
import type { SlotFacts } from '../model/slot-facts.ts';
import { asSlot } from '../model/units.ts';
import { LogTail } from './log-tail.ts';
import type { ClusterStep, StepHead } from './step-head.ts';
import { headOf } from './step-message.ts';
import { TailJoin } from './tail-join.ts';

const RUNS = Number(process.env.MINTSCOPE_PROPERTY_RUNS ?? 100);

function factsOf(link: BlockLink): SlotFacts {
  return { ...slotFacts(link.slot, null, []), ...link };
}

function stepOf(step: LogStep<BlockLink>): ClusterStep {
  return step.kind === 'block' ? { kind: 'facts', facts: factsOf(step.block) } : step;
}

/** A log to which ingesters append, one after another. */
class SharedLog {
  readonly heads: StepHead[] = [];
  readonly steps: ClusterStep[] = [];

  /** What a process knows that has read all heads. */
  tail(): LogTail {
    const tail = new LogTail();
    this.heads.forEach((head, index) => {
      tail.pass(index + 1, head);
    });
    return tail;
  }

  /** The blocks as a reader without a model of its own applies them. */
  read(anchor: ChainPoint): LogReader {
    const reader = new LogReader(anchor);
    for (const step of this.steps) {
      const isBlock = step.kind === 'facts';
      reader.read([isBlock ? { kind: 'block', block: step.facts as unknown as BlockLink } : step]);
    }
    return reader;
  }
}

/** An ingester that ends in the middle, after this many appended steps. */
class Life {
  private readonly join: TailJoin;
  private readonly tail: LogTail;
  private readonly machine: Continuity<BlockLink>;
  private readonly log: SharedLog;
  private readonly tree: BlockTree;
  private left: number;

  constructor(log: SharedLog, tree: BlockTree, stepsMax: number) {
    this.log = log;
    this.tree = tree;
    this.left = stepsMax;
    this.tail = log.tail();
    this.join = new TailJoin(this.tail);
    const anchor = this.tail.final ?? tree.anchor;
    const finality = confirmedPlus(8);
    this.machine = new Continuity<BlockLink>({ anchor, finality, pendingBlocksMax: 1_000 });
  }

  live(order: readonly BlockLink[]): void {
    for (const block of order) this.append(this.machine.accept(block).steps);
    const blocks = new Map(this.tree.blocks.map((block) => [keyOf(block), block]));
    for (
      let [point] = this.machine.wanted();
      point !== undefined;
      [point] = this.machine.wanted()
    ) {
      const block = blocks.get(keyOf(point));
      this.append(
        block === undefined
          ? this.machine.abandon(point, 'nobody has it')
          : this.machine.accept(block).steps,
      );
    }
  }

  private append(steps: readonly LogStep<BlockLink>[]): void {
    for (const one of steps) {
      if (this.left <= 0) return;
      for (const step of this.join.take(stepOf(one))) {
        if (this.left-- <= 0) return;
        const head = this.tail.headOf(headOf(step), 'test');
        this.log.heads.push(head);
        this.log.steps.push(step);
        this.tail.pass(this.log.heads.length, head);
      }
    }
  }
}

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
        new Life(log, tree, stepsMax).live(isInOrder ? sorted : order);
      }
      new Life(log, tree, Number.POSITIVE_INFINITY).live(sorted);
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
    facts: factsOf({
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
    facts: factsOf({
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
