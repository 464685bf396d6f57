import { statSync } from 'node:fs';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { marketFacts } from '../../tests/support/followed-market.ts';
import { calmFold, flipBits, StoredFold } from '../../tests/support/stored-fold.ts';
import type { SlotFacts } from '../model/slot-facts.ts';
import { EngineStates } from './engine-states.ts';

const SLOTS = 120;
const PART = 40;
/** More: MINTSCOPE_STATE_SEEDS. */
const SEEDS = Array.from(
  { length: Number(process.env.MINTSCOPE_STATE_SEEDS ?? 3) },
  (_, at) => at + 1,
);
let facts: readonly SlotFacts[];
let calm: Awaited<ReturnType<typeof calmFold>>;
let fold: StoredFold;

beforeAll(async () => {
  facts = marketFacts(SLOTS);
  calm = await calmFold(facts);
});

beforeEach(() => {
  fold = new StoredFold();
});

afterEach(async () => {
  await fold.ingestion.close();
  fold.close();
});

const part = (index: number) => facts.slice(index * PART, (index + 1) * PART);
const sizeOf = (path: string) => statSync(path).size;

/** Two checkpoints; returns the length of the first segment at the first of them. */
async function twoCheckpoints(): Promise<number> {
  await fold.open();
  await fold.ingest(part(0));
  const first = sizeOf(fold.files('segment-')[0] ?? '');
  await fold.ingest(part(1));
  return first;
}

/** Damages every record of the first segment from one byte on. */
function damageFrom(from: number): void {
  flipBits(fold.files('segment-')[0] ?? '', { from, every: 40 });
}

function expectCalm(): void {
  expect(fold.ingestion.engine.digest()).toBe(calm.digest);
  expect(fold.rows.visibleRows()).toEqual(calm.rows);
}

/** Numbers from 0 to below 1 that are the same in every run. */
function draws(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x80000000;
  };
}

describe('a state whose stored bytes are damaged while it is in use', () => {
  test('is computed again from the checkpoint before the damage, and nothing is lost or doubled', async () => {
    const first = await twoCheckpoints();
    damageFrom(first + 10);
    await fold.follow(part(2));
    expectCalm();
    expect(fold.sentences.filter((each) => each.includes('was removed'))).toEqual([
      `The state after slot ${facts[2 * PART - 1]?.slot} was removed: it contains the damage.`,
    ]);
    expect(fold.sentences.at(-1)).toMatch(/^The state after slot \d+ was computed again\.$/);
    expect(fold.remaining).toEqual([`checkpoint-${facts[PART - 1]?.slot}-1.bin`]);
    expect(fold.ingestion.status.rebuilds).toBe(1);
    expect([fold.wasRebuilding, fold.ingestion.isRebuilding]).toEqual([true, false]);
    expect(fold.rows.rowsByLayer().size).toBe(1);
  });

  test('is not computed faster than a failing device takes what leaves memory', async () => {
    let waits = 0;
    const settle = () => {
      if (fold.ingestion.isRebuilding) waits++;
    };
    fold.createStates = (surroundings) => {
      const states = new EngineStates(surroundings);
      states.recordsOf = () => ({ unwrittenBytes: 2 ** 27, settle });
      return states;
    };
    const first = await twoCheckpoints();
    damageFrom(first + 10);
    await fold.follow(part(2));
    expectCalm();
    // Each slot after the checkpoint before the damage.
    expect(waits).toBeGreaterThanOrEqual(PART);
  });

  test('is computed from the first slot of the log when every checkpoint is damaged', async () => {
    await twoCheckpoints();
    await fold.follow(part(2), (index) => {
      if (index === 20) damageFrom(10);
    });
    expectCalm();
    expect(fold.sentences.filter((each) => each.includes('was removed'))).toHaveLength(2);
    // What is stored of it afterwards is whole: a new process finds nothing to report.
    await fold.ingestion.close();
    fold.sentences.length = 0;
    await fold.open();
    expectCalm();
    expect(fold.sentences).toEqual([]);
  });

  test('is computed again when an answer finds the damage, with slots that are undone afterwards', async () => {
    await twoCheckpoints();
    const wallets = new Set(
      facts.flatMap(({ transactions }) => transactions.map(({ feePayer }) => feePayer)),
    );
    const failures: unknown[] = [];
    await fold.follow(part(2), (index) => {
      // The two slots before it and this one are taken back afterwards.
      if (index !== 21) return;
      damageFrom(10);
      for (const wallet of wallets) {
        try {
          fold.ingestion.engine.wallet(wallet);
        } catch (error) {
          failures.push(error);
        }
      }
    });
    expect(failures.length).toBeGreaterThan(0);
    // The API answers such errors with 503.
    expect(failures[0]).toMatchObject({ name: 'StoreError', isTransient: true });
    expect(fold.ingestion.status.rebuilds).toBe(1);
    // The slot before, or that one: whichever reads the damage first. Both have slots to undo.
    expect(fold.sentences.at(-1)).toMatch(
      /^The state after slot (1100|1101) was computed again\.$/,
    );
    expectCalm();
  });

  test('is computed again by a start that finds it while it folds the log', async () => {
    await twoCheckpoints();
    await fold.ingest(part(2));
    await fold.ingestion.close();
    // Only the log remains of the last part.
    damageFrom(10);
    await fold.open();
    expectCalm();
    await fold.ingestion.close();
    await fold.open();
    expectCalm();
  });

  test('is folded from the first slot when a late slot needs a damaged earlier state', async () => {
    const late = facts[PART + 20];
    const known = facts.filter((each) => each !== late);
    await fold.open();
    await fold.ingest(known.slice(0, PART));
    await fold.ingest(known.slice(PART));
    damageFrom(10);
    await fold.ingest(late === undefined ? [] : [late]);
    expectCalm();
    expect(fold.ingestion.status).toMatchObject({ refolds: 1, isRefolding: false });
    await fold.ingestion.close();
    await fold.open();
    expectCalm();
  });

  test.each(SEEDS)(
    'is computed again wherever and whenever bits are flipped (%i)',
    async (seed) => {
      const draw = draws(seed);
      await twoCheckpoints();
      const at = Math.floor(draw() * PART);
      await fold.follow(part(2), (index) => {
        if (index !== at) return;
        for (const path of fold.files('')) {
          if (!statSync(path).isFile()) continue;
          const every = 20 + Math.floor(draw() * 2_000);
          flipBits(path, { from: Math.floor(draw() * sizeOf(path)), every });
        }
      });
      expectCalm();
      await fold.ingestion.close();
      await fold.open();
      expectCalm();
    },
  );
});
