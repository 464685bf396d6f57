import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blockTrees } from '../../../tests/support/block-tree.ts';
import { slotFacts } from '../../../tests/support/build-facts.ts';
import { IngesterLife, SharedLog } from '../../../tests/support/ingester-lives.ts';
import type { RowChange } from '../../model/shared-rows.ts';
import type { SlotFacts } from '../../model/slot-facts.ts';
import { MemoryStepLog } from '../memory-step-log.ts';
import type { ClusterStep } from '../step-head.ts';
import { ControlInputs } from './control-inputs.ts';
import { encodeControl } from './control-message.ts';

const RUNS = Number(process.env.MINTSCOPE_PROPERTY_RUNS ?? 100);

function publication(name: string): RowChange {
  return { table: 'rules', put: { account_id: 'one', name, version: 1, content: `of ${name}` } };
}

function review(id: string, status: string): RowChange {
  return { table: 'reviews', put: { classification_id: id, status } };
}

/** The blocks that a log leaves, in order. */
function leftBlocks(steps: readonly ClusterStep[]): readonly SlotFacts[] {
  const blocks: SlotFacts[] = [];
  for (const step of steps) {
    if (step.kind === 'facts') blocks.push(step.facts);
    else if (step.kind === 'undo') {
      while ((blocks.at(-1)?.slot ?? -1) > step.toSlot) blocks.pop();
    }
  }
  return blocks;
}

/** Positions that heads of undos name, and those of the blocks that they go back to. */
function undoPositions({ steps, heads }: SharedLog) {
  const blocks: { readonly slot: number; readonly seq: number }[] = [];
  const named: number[] = [];
  const known: number[] = [];
  for (const [index, step] of steps.entries()) {
    const seq = heads[index]?.controlSeq ?? -1;
    if (step.kind === 'facts') blocks.push({ slot: step.facts.slot, seq });
    if (step.kind !== 'undo') continue;
    while ((blocks.at(-1)?.slot ?? -1) > step.toSlot) blocks.pop();
    named.push(seq);
    known.push(blocks.at(-1)?.seq ?? 0);
  }
  return { named, known };
}

const NONE = { controlSeq: 0, finalControlSeq: 0 };

describe('publications that an ingester attaches', () => {
  it('are in the blocks that stay exactly once and in order, whoever takes over and what is reverted', () => {
    const cases = blockTrees({ length: 60, forkSlotsMax: 6 }).chain((tree) =>
      fc.tuple(
        fc.constant(tree),
        fc.array(
          fc.record({
            stepsMax: fc.integer({ min: 0, max: 40 }),
            // Changes of the control plane that there are by the time of this ingester.
            changes: fc.integer({ min: 0, max: 4 }),
            order: fc.shuffledSubarray([...tree.blocks], { minLength: tree.blocks.length }),
          }),
          { maxLength: 5 },
        ),
      ),
    );
    let attached = 0;
    let repeated = 0;
    fc.assert(
      fc.property(cases, ([tree, lives]) => {
        const log = new SharedLog();
        let published = 0;
        const sorted = [...tree.blocks].sort((one, other) => one.slot - other.slot);
        const run = (order: typeof sorted, stepsMax: number) => {
          const inputs = new ControlInputs(() => undefined);
          // A new ingester reads from the position after the last final block.
          const { finalControlSeq } = log.tail();
          for (let seq = finalControlSeq + 1; seq <= published; seq++) {
            inputs.take(seq, [publication(`rule-${seq}`)]);
          }
          new IngesterLife(log, tree, stepsMax, (facts, tail) => inputs.attach(facts, tail)).live(
            order,
          );
        };
        for (const { stepsMax, changes, order } of lives) {
          published += changes;
          run(order, stepsMax);
        }
        run(sorted, Number.POSITIVE_INFINITY);
        const left = leftBlocks(log.steps);
        const names = left.flatMap(({ ruleChanges = [] }) => ruleChanges.map(({ name }) => name));
        const reached = log.tail().controlSeq;
        expect(names).toEqual(Array.from({ length: reached }, (_, index) => `rule-${index + 1}`));
        const { named, known } = undoPositions(log);
        expect(named).toEqual(known);
        // A block after the last publication has it, if there was one.
        expect(reached).toBeLessThanOrEqual(published);
        attached += names.length;
        const all = log.steps.flatMap((step) =>
          step.kind === 'facts' ? (step.facts.ruleChanges ?? []) : [],
        );
        repeated += all.length - names.length;
      }),
      { numRuns: RUNS },
    );
    // Otherwise nothing was shown: publications were attached, and some again after a fork.
    expect(attached).toBeGreaterThan(RUNS);
    expect(repeated).toBeGreaterThan(0);
  });

  it('are rules of accounts, withdrawals, and reviews that refuse; nothing else', () => {
    const inputs = new ControlInputs(() => undefined);
    inputs.take(1, [publication('mine')]);
    inputs.take(2, [{ table: 'rules', remove: { account_id: 'one', name: 'old' } }]);
    inputs.take(3, [review('wrong', 'false_positive'), review('right', 'confirmed')]);
    inputs.take(4, [{ table: 'triggers', put: { trigger_key: 1 } }]);
    inputs.take(5, [
      { table: 'rules', put: { account_id: 'operator', name: 'forged', content: 'x' } },
    ]);
    const { facts, controlSeq } = inputs.attach(slotFacts(7, null, []), NONE);
    expect(facts.ruleChanges).toEqual([
      { author: 'one', name: 'mine', content: 'of mine' },
      { author: 'one', name: 'old', content: null },
    ]);
    expect(facts.refusedFindings).toEqual(['wrong']);
    expect(controlSeq).toBe(5);
  });

  it('are spread over slots when there are many, and none is left out', () => {
    const inputs = new ControlInputs(() => undefined);
    for (let seq = 1; seq <= 250; seq++) inputs.take(seq, [publication(`rule-${seq}`)]);
    const sizes: number[] = [];
    let controlSeq = 0;
    for (let slot = 1; slot <= 4; slot++) {
      const attached = inputs.attach(slotFacts(slot, null, []), { controlSeq, finalControlSeq: 0 });
      sizes.push(attached.facts.ruleChanges?.length ?? 0);
      controlSeq = attached.controlSeq;
    }
    expect(sizes).toEqual([100, 100, 50, 0]);
    expect(controlSeq).toBe(250);
  });

  it('end at a change that cannot be read, which is said', async () => {
    const log = new MemoryStepLog();
    const changes = [publication('first')];
    const good = encodeControl({ schema: 1, logId: 'l', id: 'a', writer: 'w', changes });
    await log.append(good, { seq: 0, id: 'a' });
    await log.append({ head: '{"version":2}', body: Buffer.from('[]') }, { seq: 1, id: 'b' });
    const notices: string[] = [];
    const inputs = new ControlInputs((sentence) => notices.push(sentence));
    await inputs.read(log, 0, AbortSignal.timeout(5_000));
    expect(notices).toEqual([expect.stringContaining('change 2 of the control plane stops')]);
    expect(inputs.attach(slotFacts(1, null, []), NONE).controlSeq).toBe(1);
  });
});
