import { beforeAll, describe, expect, test } from 'vitest';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import type { Slot } from '../../src/model/units.ts';
import { temporaryFolder } from '../support/command-line.ts';
import { type FoldedInMemory, foldInFolder, foldInMemory } from '../support/fold-in-folder.ts';
import { marketFacts } from '../support/followed-market.ts';
import type { StatePhase } from '../support/state-phase.ts';
import { chosenOf, runInFolder, type StateRun } from '../support/state-run.ts';

const SLOTS = 130;
/**
 * Kills beside one in each phase: with MINTSCOPE_TEST_STATE_KILLS=1000, more than there are operations, one
 * at each of them, which takes a quarter of an hour.
 */
const KILLS = Number(process.env.MINTSCOPE_TEST_STATE_KILLS ?? 0);
/** Processes at a time. */
const AT_ONCE = 2;
let facts: readonly SlotFacts[];
/** An engine that folded all slots in one go and evicted nothing. */
let calm: FoldedInMemory;
let undisturbed: StateRun;

beforeAll(async () => {
  facts = marketFacts(SLOTS);
  calm = foldInMemory(facts);
  undisturbed = await runInFolder(temporaryFolder(), { facts });
}, 300_000);

function expectRowsOf(rows: StateRun['rows']): void {
  expect(rows).toEqual(rows.map(([slot]) => [slot, calm.rows.get(slot)]));
}

/** Folds what is left in a folder whose process was killed. */
async function finish(folder: string) {
  const rows: (readonly [Slot, string])[] = [];
  const folded = await foldInFolder(folder, facts, {
    onRows: (slot, hash) => rows.push([slot, hash]),
  });
  return { folded, rows };
}

test('an undisturbed process evicts, stores checkpoints on the way, and ends as one that does not', () => {
  const { folded, operations, rows } = undisturbed;
  expect(folded).toMatchObject({ digest: calm.digest, from: null, sentences: [] });
  expect(folded?.evictedPages).toBeGreaterThan(1_000);
  // Three of slots that pass a multiple of 40, and the one of the end.
  expect(folded?.checkpoints.toSorted()).toEqual([1_040, 1_080, 1_120, 1_129]);
  const byPhase = Map.groupBy(operations, ({ phase }) => phase);
  const least: Readonly<Partial<Record<StatePhase, number>>> = {
    ...{ eviction: 100, begin: 20, portion: 5, change: 5, commit: 20, compaction: 20 },
  };
  for (const [phase, count] of Object.entries(least)) {
    expect(byPhase.get(phase as StatePhase)?.length, phase).toBeGreaterThan(count);
  }
  expect(rows.map(([slot]) => slot)).toEqual(facts.map(({ slot }) => slot));
  expectRowsOf(rows);
});

describe('a process killed while it writes its state continues as one that was not (F-01)', () => {
  async function killedAt(operation: number): Promise<void> {
    const folder = temporaryFolder();
    const killed = await runInFolder(folder, { facts, signal: 'SIGKILL', at: [operation] });
    expect([killed.signal, killed.chosen]).toEqual([
      'SIGKILL',
      [undisturbed.operations[operation - 1]],
    ]);
    const { folded, rows } = await finish(folder);
    expect(folded).toMatchObject({ digest: calm.digest, sentences: [] });
    // No slot lies between what the killed process folded and what the next one began with.
    expect(folded.from ?? 999).toBeLessThanOrEqual(killed.rows.at(-1)?.[0] ?? 999);
    expect(rows[0]?.[0] ?? 1_130).toBe((folded.from ?? 999) + 1);
    expectRowsOf(killed.rows);
    expectRowsOf(rows);
  }

  test('in each phase, and at others', async () => {
    const operations = [...chosenOf(undisturbed.operations, KILLS)];
    const work = async () => {
      for (let next = operations.shift(); next !== undefined; next = operations.shift()) {
        await killedAt(next);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }, 3_600_000);

  test('twice in one folder', async () => {
    const folder = temporaryFolder();
    const from: (number | undefined)[] = [];
    for (const operation of [180, 60]) {
      const killed = await runInFolder(folder, { facts, signal: 'SIGKILL', at: [operation] });
      expect([killed.signal, killed.chosen.length]).toEqual(['SIGKILL', 1]);
      expectRowsOf(killed.rows);
      from.push(killed.rows[0]?.[0]);
    }
    const { folded, rows } = await finish(folder);
    expect(folded).toMatchObject({ digest: calm.digest, sentences: [] });
    expectRowsOf(rows);
    // The second process began with a checkpoint of the first.
    expect(from).toEqual([1_000, 1_041]);
  }, 600_000);
});
