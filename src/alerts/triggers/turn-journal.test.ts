import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TriggerTurn } from '../../model/trigger-turn.ts';
import { TurnJournal } from './turn-journal.ts';

const KEYS = [1, 2, 3];
const someStep = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('slot' as const),
      truths: fc.array(fc.boolean(), { minLength: KEYS.length, maxLength: KEYS.length }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('undo' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('keep' as const), behind: fc.nat(4) }) },
);

type Step = typeof someStep extends fc.Arbitrary<infer Value> ? Value : never;

/** A journal, its stored turns, and the truths after each slot; the first entry is the start. */
class Course {
  readonly truths: (readonly boolean[])[] = [KEYS.map(() => false)];
  private readonly journal = new TurnJournal();
  private readonly kept: TriggerTurn[] = [];
  private finalSlot = 0;

  constructor() {
    for (const key of KEYS) this.journal.begin(key, false);
  }

  take(step: Step): void {
    const { journal, truths } = this;
    if (step.kind === 'slot') {
      for (const [index, key] of KEYS.entries()) {
        journal.note(key, truths.length, step.truths[index] ?? false);
      }
      truths.push(step.truths);
    } else if (step.kind === 'keep') {
      this.finalSlot = Math.max(this.finalSlot, truths.length - 1 - step.behind);
      this.kept.push(...journal.due(this.finalSlot));
      journal.settle(this.finalSlot);
    } else if (truths.length - 1 > this.finalSlot) {
      truths.pop();
      journal.revert(truths.length);
    }
  }

  /** The same truths, derived from the turns. */
  replayed(): boolean[][] {
    const turns = [...this.kept, ...this.journal.due(Number.POSITIVE_INFINITY)];
    const isTrue = (key: number, at: number) =>
      turns.findLast((turn) => turn.key === key && turn.slot <= at)?.isTrue ?? false;
    return this.truths.map((_, at) => KEYS.map((key) => isTrue(key, at)));
  }
}

describe('turns of triggers', () => {
  test('give, with the stored ones, the truth at each slot after any rollbacks', () => {
    fc.assert(
      fc.property(fc.array(someStep, { maxLength: 40 }), (steps) => {
        const course = new Course();
        for (const step of steps) {
          course.take(step);
          expect(course.replayed()).toEqual(course.truths);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('of a rolled-back slot are reported by trigger', () => {
    const journal = new TurnJournal();
    journal.begin(1, false);
    journal.begin(2, false);
    journal.note(1, 5, true);
    journal.note(2, 6, true);
    journal.note(2, 7, true);
    expect(journal.revert(6)).toEqual(new Set([2]));
    expect(journal.due(9)).toEqual([{ key: 1, slot: 5, isTrue: true }]);
  });

  test('of a removed or restarted trigger are dropped', () => {
    const journal = new TurnJournal();
    for (const key of KEYS) journal.note(key, 5, true);
    journal.forget(1);
    journal.begin(2, true);
    expect(journal.due(9)).toEqual([{ key: 3, slot: 5, isTrue: true }]);
    journal.note(2, 6, false);
    expect(journal.size).toBe(2);
  });

  test('of another fold replace the later turns of the trigger', () => {
    const journal = new TurnJournal();
    for (const [key, slot, isTrue] of [
      [1, 5, true],
      [2, 6, true],
      [1, 7, false],
      [2, 8, false],
    ] as const) {
      journal.note(key, slot, isTrue);
    }
    journal.replace({ key: 1, slot: 6, isTrue: true });
    expect(journal.due(9).map(({ key, slot }) => [key, slot])).toEqual([
      [1, 5],
      [2, 6],
      [1, 6],
      [2, 8],
    ]);
  });
});
