import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { deviceError, interceptFiles } from '../../tests/support/file-operations.ts';
import { marketFacts } from '../../tests/support/followed-market.ts';
import { itemSource } from '../../tests/support/item-source.ts';
import { Killed } from '../../tests/support/memory-store.ts';
import { calmFold, flipBits, StoredFold } from '../../tests/support/stored-fold.ts';
import type { SlotFacts } from '../model/slot-facts.ts';
import { asSlot } from '../model/units.ts';
import { EngineStates } from './engine-states.ts';

const PART_SLOTS = 20;
const PARTS = 9;
/** So much chain time passes that a part is forty minutes, and checkpoints reach back two hours. */
const SLOT_MS = 120_000;
const PART_MS = PART_SLOTS * SLOT_MS;
const RETENTION_MS = 200 * 60_000;
/** Enough for everything. */
const MEMORY = { pagesMax: 20_000, objectBytesMax: 50_000_000 };
const START_MS = Date.UTC(2026, 0, 1);

/** As many slot numbers have passed as on a chain: all but one of them have no block. */
const numberOf = (slot: number) => asSlot(slot * (SLOT_MS / 400));

const WAY_OUT = /begins at slot \d+.*--log-retention.*restore a backup.*mintscope backfill/s;

let facts: readonly SlotFacts[];
let calm: Awaited<ReturnType<typeof calmFold>>;
let fold: StoredFold;

beforeAll(async () => {
  facts = marketFacts(PART_SLOTS * PARTS).map((each, index) => {
    const slot = numberOf(each.slot);
    const parentSlot = each.parentSlot === null ? null : numberOf(each.parentSlot);
    return { ...each, slot, parentSlot, blockTimeMs: START_MS + index * SLOT_MS };
  });
  calm = await calmFold(facts);
});

beforeEach(() => {
  fold = new StoredFold();
  fold.logRetentionMs = RETENTION_MS;
});

afterEach(async () => {
  await fold.ingestion.close();
  fold.close();
});

const part = (index: number) => facts.slice(index * PART_SLOTS, (index + 1) * PART_SLOTS);
const slotAt = (index: number) => facts[index]?.slot ?? asSlot(0);

/** Follows parts of the chain, with a checkpoint after each. */
async function followParts(from: number, to: number, left: readonly SlotFacts[] = []) {
  for (let index = from; index < to; index++) {
    await fold.follow(part(index).filter((each) => !left.includes(each)));
  }
}

async function reopen(): Promise<void> {
  await fold.ingestion.close();
  await fold.open(MEMORY);
}

/** Rows of all tables but the log, and the slots that the log has. */
function storedNow() {
  const { slot_log: log = [], ...rows } = fold.rows.visibleRows();
  return { rows, logged: log.map((row) => Number(JSON.parse(row).slot)).sort((a, b) => a - b) };
}

/** Digest and rows are those of a fold of everything. */
function expectSameAs({ digest, rows }: Awaited<ReturnType<typeof calmFold>>): void {
  const { slot_log: _, ...derived } = rows;
  expect(fold.ingestion.engine.digest()).toBe(digest);
  expect(storedNow().rows).toEqual(derived);
}

/** The log has all of these slots from its start on, and no earlier ones. */
function expectLogOf(slots: readonly SlotFacts[]): void {
  const start = fold.ingestion.logStart ?? 0;
  expect(storedNow().logged).toEqual(
    slots.map(({ slot }) => Number(slot)).filter((slot) => slot >= start),
  );
}

describe('a log with a retention', () => {
  test('loses slots that are older, and nothing else changes', async () => {
    await fold.open(MEMORY);
    await followParts(0, PARTS);
    expectSameAs(calm);
    expectLogOf(facts);
    const logStart = fold.ingestion.logStart ?? Number.POSITIVE_INFINITY;
    const start = facts.findIndex(({ slot }) => slot >= logStart);
    // Dropped while the last part was followed: the newest checkpoint was that after the part before.
    const newestMs = (PARTS - 1) * PART_MS - SLOT_MS;
    expect(start).toBeGreaterThan(0);
    expect(newestMs - start * SLOT_MS).toBeGreaterThanOrEqual(RETENTION_MS);
    expect(newestMs - start * SLOT_MS).toBeLessThanOrEqual(RETENTION_MS * (9 / 8) + PART_MS);
    expect(fold.ingestion.gaps).toEqual([]);
  });

  test('keeps everything from the oldest checkpoint on', async () => {
    fold.logRetentionMs = 1;
    await fold.open(MEMORY);
    await followParts(0, PARTS);
    const [oldest] = fold.files('checkpoint-').map((path) => Number(path.split('-').at(-2)));
    expect(fold.ingestion.logStart).not.toBeNull();
    expect(fold.ingestion.logStart).toBeLessThanOrEqual(oldest ?? 0);
    // A state that is opened is confirmed by its slot in the log.
    await reopen();
    expect(fold.sentences).toEqual([]);
    expectSameAs(calm);
  });

  test('is whole without one, before a slot can be an hour late, and where no chain is followed', async () => {
    fold.logRetentionMs = null;
    await fold.open(MEMORY);
    await followParts(0, 2);
    await reopen();
    fold.logRetentionMs = 1;
    await reopen();
    // The checkpoints are forty minutes apart until the end of this part.
    await followParts(2, 3);
    expect(fold.ingestion.logStart).toBeNull();
    for (let index = 3; index < PARTS; index++) await fold.ingest(part(index));
    expect(fold.ingestion.logStart).toBeNull();
    expect(storedNow().logged).toHaveLength(facts.length);
  });

  test('begins where it did after a restart, also without the setting', async () => {
    await fold.open(MEMORY);
    await followParts(0, PARTS);
    const { logStart } = fold.ingestion;
    fold.logRetentionMs = null;
    await reopen();
    expect(fold.ingestion.logStart).toBe(logStart);
    expectSameAs(calm);
    expectLogOf(facts);
  });

  test('has the same rows and state after kills between any two writes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(60), { minLength: PARTS, maxLength: PARTS }),
        fc.integer({ min: 1, max: 3 }),
        async (stepsUntilKill, every) => {
          const tried = new StoredFold();
          tried.logRetentionMs = RETENTION_MS / every;
          fold = tried;
          await fold.open(MEMORY);
          for (let index = 0; index < PARTS; index++) {
            fold.rows.stepsLeft = stepsUntilKill[index] ?? 0;
            await untilKilled(() => fold.follow(part(index)));
            fold.rows.stepsLeft = Number.POSITIVE_INFINITY;
            await reopen();
            const last = fold.ingestion.engine.lastSlot ?? -1;
            await fold.follow(part(index).filter(({ slot }) => slot > last));
          }
          expect(fold.ingestion.logStart).not.toBeNull();
          expectSameAs(calm);
          expectLogOf(facts);
        },
      ),
      { numRuns: 4 },
    );
  });

  test('is removed up to its start by the next process after a kill in between', async () => {
    await fold.open(MEMORY);
    await followParts(0, PARTS - 1);
    await fold.rows.open().logStart.advance(slotAt(50));
    expect(storedNow().logged[0]).toBeLessThan(slotAt(50));
    await reopen();
    expect(fold.ingestion.logStart).toBe(slotAt(50));
    await followParts(PARTS - 1, PARTS);
    expectSameAs(calm);
    expectLogOf(facts);
  });
});

async function untilKilled(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const isKilled = error instanceof Error && error.cause instanceof Killed;
    if (!isKilled && !(error instanceof Killed)) throw error;
  }
}

describe('late slots of a log of which old slots were dropped', () => {
  /** Without the slots at these positions, which no source provided. */
  async function followWithout(...positions: readonly number[]) {
    const left = facts.filter((_, index) => positions.includes(index));
    await fold.open(MEMORY);
    await followParts(0, PARTS, left);
    expect(fold.ingestion.logStart).not.toBeNull();
    return left;
  }

  test('are applied an hour later', async () => {
    const hourAgo = facts.length - 1 - (60 * 60_000) / SLOT_MS;
    const [late] = await followWithout(hourAgo);
    expect(fold.ingestion.gaps).toHaveLength(1);
    await fold.ingest(late === undefined ? [] : [late]);
    expect(fold.problems).toEqual([]);
    expectSameAs(calm);
    expectLogOf(facts);
    expect(fold.ingestion.gaps).toEqual([]);
    expect(fold.ingestion.status.refolds).toBe(1);
  });

  test.each([1, 2])(
    'that are taken back are so although the device fails when rows are completed (%i times)',
    async (times) => {
      const hourAgo = facts.length - 1 - (60 * 60_000) / SLOT_MS;
      await followWithout();
      fold.ingestion.keepTrying({ signal: new AbortController().signal });
      let [isRefolding, failures] = [false, 0];
      const endFault = interceptFiles(fold.path, ({ kind, path }) => {
        if (kind === 'remove' && path.endsWith('fold-2')) isRefolding = true;
        const isOfRows = kind === 'read' && path.includes('-rows') && path.includes('segment');
        if (!isOfRows || !isRefolding || failures >= times) return;
        // Once for each refold.
        isRefolding = false;
        failures++;
        throw deviceError('EIO');
      });
      try {
        const slot = slotAt(hourAgo);
        const items = itemSource([{ kind: 'dropped', from: slot, to: slot }], true);
        await fold.ingestion.ingest(items);
        expect(failures).toBe(times);
        expectSameAs(await calmFold(facts.filter((each) => each.slot !== slot)));
      } finally {
        endFault();
      }
    },
  );

  test.each([
    ['cannot be opened', { every: 40 }, []],
    ['is found to be damaged while it is used', {}, [/was removed: it contains the damage/]],
  ])(
    'are applied from an earlier state where the one before them %s',
    async (_, bits, reported) => {
      const hourAgo = facts.length - 1 - (60 * 60_000) / SLOT_MS;
      const left = facts.slice(hourAgo, hourAgo + 1);
      const index = Math.floor(hourAgo / PART_SLOTS);
      await fold.open(MEMORY);
      await followParts(0, index - 1);
      const segment = fold.files('segment-')[0] ?? '';
      const { size } = statSync(segment);
      await followParts(index - 1, PARTS, left);
      // In what the checkpoint before the late slot added.
      flipBits(segment, { from: size, ...bits });
      await fold.ingest(left);
      expect(fold.sentences).toEqual(reported.map((text) => expect.stringMatching(text)));
      expectSameAs(calm);
      expectLogOf(facts);
      expect(fold.ingestion.gaps).toEqual([]);
    },
  );

  test('are refused before the oldest checkpoint, stay a gap, and change nothing', async () => {
    const [late] = await followWithout(20);
    const expected = await calmFold(facts.filter((each) => each !== late));
    const { logStart, firstChangeable, gaps } = fold.ingestion;
    await fold.ingest(late === undefined ? [] : [late]);
    expect(fold.problems).toMatchObject([
      {
        code: 'too-late',
        position: `slot ${late?.slot}`,
        message: expect.stringContaining(`only slots from ${firstChangeable} on can change`),
      },
    ]);
    expect(fold.ingestion.problems).toEqual({ 'too-late': 1 });
    expect(fold.ingestion.gaps).toEqual(gaps);
    expect(firstChangeable).toBeGreaterThan(logStart ?? 0);
    expectSameAs(expected);
    await reopen();
    expectSameAs(expected);
  });

  test('are known if they were in the log before they were dropped', async () => {
    await followWithout();
    await fold.ingest(part(0));
    expect(fold.problems).toEqual([]);
    expectSameAs(calm);
  });

  test.each([
    ['after the oldest checkpoint', 0, true],
    ['that begins at the oldest checkpoint', -1, false],
  ])('a lost branch %s is undone or refused', async (_, offset, isUndone) => {
    await followWithout();
    const first = (fold.ingestion.firstChangeable ?? 0) + offset;
    const run = { from: asSlot(first), to: asSlot(first + 1) };
    await fold.ingestion.ingest(itemSource([{ kind: 'dropped', ...run }], true), {
      onProblem: (problem) => fold.problems.push(problem),
    });
    const left = facts.filter(({ slot }) => slot < run.from || slot > run.to);
    expectSameAs(isUndone ? await calmFold(left) : calm);
    expectLogOf(isUndone ? left : facts);
    expect(fold.problems.map(({ code }) => code)).toEqual(isUndone ? [] : ['too-late']);
  });

  test('that are reported as missing or skipped before the log change nothing', async () => {
    await followWithout(20);
    const { gaps } = fold.ingestion;
    const before = { from: asSlot(slotAt(0) - 50), to: asSlot(slotAt(0) - 40) };
    const items = [{ kind: 'missing' as const, ...before, reason: 'no node has it' }];
    await fold.ingestion.ingest(itemSource(items, true));
    expect(fold.ingestion.gaps).toEqual(gaps);
  });
});

describe('damage that all stored states have once old slots were dropped', () => {
  /** Changes a bit in every so many bytes of the segments that are older than all checkpoints. */
  async function damaged(every: number) {
    await fold.open(MEMORY);
    await followParts(0, 2);
    const segments = fold.files('segment-');
    await followParts(2, PARTS - 1);
    // Nothing is in memory afterwards: the state is read from its files.
    await reopen();
    expect(fold.ingestion.logStart).not.toBeNull();
    for (const segment of segments) flipBits(segment, { from: 10, every });
    return fold.files('checkpoint-');
  }

  /** Errors of reading all wallets of the first part. */
  const refused = () =>
    part(0)
      .flatMap(({ transactions }) => transactions.map(({ feePayer }) => feePayer))
      .flatMap((wallet) => {
        try {
          fold.ingestion.engine.wallet(wallet);
          return [];
        } catch (error) {
          return [error];
        }
      });

  test('stays where answers alone need it: they are refused, it is said once, and slots go on', async () => {
    const checkpoints = await damaged(6_000);
    expect(refused()[0]).toMatchObject({ name: 'StoreError', isTransient: true });
    const blockTimeMs = part(PARTS - 2).at(-1)?.blockTimeMs ?? null;
    const quiet = part(PARTS - 1).map((each) => ({ ...each, blockTimeMs, transactions: [] }));
    await fold.follow(quiet);
    expect(fold.ingestion.engine.lastSlot).toBe(quiet.at(-1)?.slot);
    expect(fold.sentences).toEqual([expect.stringMatching(/is damaged.*Restore a backup/s)]);
    expect(fold.files('checkpoint-')).toEqual(expect.arrayContaining(checkpoints.slice(1)));
    expect(refused().length).toBeGreaterThan(0);
  });

  test('ends the fold with what can be done when a slot meets it, and removes none of them', async () => {
    const checkpoints = await damaged(40);
    await expect(fold.follow(part(PARTS - 1))).rejects.toThrow(WAY_OUT);
    expect(fold.files('checkpoint-')).toEqual(checkpoints);
  });
});

describe('a log of which old slots were dropped is not folded as a whole', () => {
  async function dropped() {
    await fold.open(MEMORY);
    await followParts(0, PARTS);
    await fold.ingestion.close();
    return fold.rows.visibleRows();
  }

  /** The same folder serves again as it was. */
  async function expectUnchanged(rows: Record<string, string[]>): Promise<void> {
    await fold.open(MEMORY);
    expect(fold.rows.visibleRows()).toEqual(rows);
    expectSameAs(calm);
  }

  test('under other rules, and nothing is lost by the attempt', async () => {
    const rows = await dropped();
    fold.rules = 'other rules';
    await expect(fold.open(MEMORY)).rejects.toThrow(WAY_OUT);
    await expect(fold.open(MEMORY)).rejects.toThrow('by other rules (rules; now other rules)');
    fold.rules = 'rules';
    await expectUnchanged(rows);
  });

  test('when rows were lost', async () => {
    await dropped();
    const { cursor } = fold.rows.open();
    cursor.write({ ...cursor.read(), isDirty: true });
    await expect(fold.open(MEMORY)).rejects.toThrow(WAY_OUT);
  });

  test('without a stored state', async () => {
    const rows = await dropped();
    const state = join(fold.path, 'fold-1');
    for (const name of readdirSync(state)) rmSync(join(state, name));
    await expect(fold.open(MEMORY)).rejects.toThrow(WAY_OUT);
    expect(fold.rows.visibleRows()).toEqual(rows);
  });
});

describe('states of an earlier version of the decoders', () => {
  /** States as a version with other decoders described them. */
  class EarlierStates extends EngineStates {
    override headOf(...described: Parameters<EngineStates['headOf']>) {
      const head = super.headOf(...described);
      return { ...head, rules: head.rules.replace(/, decoders \d+, /, ', decoders 1, ') };
    }
  }

  async function followEarlier() {
    fold.createStates = (surroundings) => new EarlierStates(surroundings);
    const left = facts.slice(-30, -29);
    await fold.open(MEMORY);
    await followParts(0, PARTS, left);
    fold.createStates = (surroundings) => new EngineStates(surroundings);
    await reopen();
    return left;
  }

  test('are continued where slots were dropped from the log, for late slots too', async () => {
    const left = await followEarlier();
    expect(fold.ingestion.logStart).not.toBeNull();
    expect(fold.sentences).toEqual([]);
    expect(fold.ingestion.olderSlots).toBe(facts.length - 1);
    expectSameAs(await calmFold(facts.filter((each) => !left.includes(each))));
    await fold.ingest(left);
    expectSameAs(calm);
    expectLogOf(facts);
    expect(fold.problems).toEqual([]);
  });

  test('are computed again from a log that is whole', async () => {
    fold.logRetentionMs = null;
    await followEarlier();
    expect(fold.sentences.join()).toContain('it was made under other rules');
    expect(fold.ingestion.olderSlots).toBe(0);
  });
});
