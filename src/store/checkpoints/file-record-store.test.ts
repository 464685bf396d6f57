import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyAct, type RecordAct, RecordStory } from '../../../tests/support/record-story.ts';
import {
  CrashError,
  type Survival,
  UnreliableFiles,
} from '../../../tests/support/unreliable-files.ts';
import { LostRecordsError } from '../../model/record-store.ts';
import { asSlot } from '../../model/units.ts';
import { openRecords } from './open-records.ts';

const SURVIVALS: readonly Survival[] = ['nothing', 'everything', 'parts'];
const anyActs = (maxLength: number) => fc.array(anyAct, { maxLength, size: 'max' });
const act = (kind: RecordAct['kind'], id = 0, size = 20): RecordAct => ({
  ...{ kind, space: 7, id, size, filling: (id * 7 + size) % 256 },
});

/** Numbers from 0 to below 1 that look random and are the same in each run. */
function drawsFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Three checkpoints with content of all sizes, an aborted one, moved records and newer content. */
const SCRIPT: readonly RecordAct[] = [
  ...[0, 1, 2, 3, 510, 511, 512].map((id) => act('put', id, 60)),
  ...[act('put', 4, 300), act('begin'), act('putAsOf', 0, 40), act('put', 1, 10), act('put', 0, 9)],
  ...[act('commit'), act('put', 2, 11), act('delete', 3), act('put', 20_000, 64)],
  ...[act('begin'), act('putAsOf', 513, 200), act('abort'), act('put', 4, 200)],
  ...[act('begin'), act('delete', 513), act('put', 5, 5), act('commit'), act('settle')],
  ...Array.from({ length: 20 }, (_, at) => act('put', at % 4, 50 + at)),
  ...[act('compact'), act('compact'), act('compact'), act('begin'), act('putAsOf', 6, 512)],
  ...[act('put', 6, 20), act('commit'), act('compact'), act('put', 7, 7)],
  ...[act('begin'), act('put', 8, 60), act('settle'), act('abort')],
];

describe('a record store', () => {
  test('reads what a Map contains, and opens what it contained at the begin of a checkpoint', async () => {
    await fc.assert(
      fc.asyncProperty(anyActs(80), anyActs(40), async (acts, more) => {
        const files = new UnreliableFiles();
        const story = new RecordStory(files);
        await story.run(acts);
        story.expectContent();
        story.store.close();
        expect(files.openCount).toBe(0);
        const next = new RecordStory(files, story);
        await next.run(more);
        next.expectContent();
        next.store.close();
        const last = new RecordStory(files, next);
        expect(last.committedSlots).toEqual(next.committedSlots);
        // What was counted as in use is what is released.
        await last.clear();
        expect(last.store.sizes().recordCount).toBe(0);
        expect(last.store.retained[0]?.segments).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  test('opens an earlier checkpoint, and removes later ones with the next commit', async () => {
    await fc.assert(
      fc.asyncProperty(anyActs(80), fc.nat(8), anyActs(40), async (acts, maxSlot, more) => {
        const files = new UnreliableFiles();
        const story = new RecordStory(files);
        await story.run(acts);
        const earlier = new RecordStory(files, story, maxSlot);
        const before = new Set(files.list().filter((name) => name.startsWith('checkpoint-')));
        await earlier.run([...more, act('abort'), act('begin'), act('commit')]);
        const names = files.list().filter((name) => name.startsWith('checkpoint-'));
        for (const name of names) {
          if (before.has(name)) expect(Number(name.split('-')[1])).toBeLessThanOrEqual(maxSlot);
        }
        expect(() => new RecordStory(files, earlier)).not.toThrow();
      }),
      { numRuns: 150 },
    );
  });
});

describe('a crash', () => {
  test.each(SURVIVALS)(
    'at any step leaves a checkpoint as of its begin (%s survives)',
    async (survival) => {
      const whole = new UnreliableFiles();
      await new RecordStory(whole).run(SCRIPT);
      expect(whole.steps).toBeGreaterThan(80);
      const opened = new Set<number>();
      for (let step = 1; step <= whole.steps; step++) {
        const files = new UnreliableFiles();
        files.failure = { step, code: 'crash' };
        const story = new RecordStory(files);
        await expect(story.run(SCRIPT), `step ${step}`).rejects.toThrow(CrashError);
        const next = new RecordStory(files.afterCrash(survival, drawsFrom(step)), story);
        opened.add(next.committedSlots.length);
        // What was left does not disturb what follows.
        await next.run(SCRIPT);
        next.expectContent();
      }
      // None, and each of the three.
      expect([...opened].sort()).toEqual([0, 1, 2, 3]);
    },
  );

  test('at any step of any story leaves a checkpoint as of its begin', async () => {
    const anySurvival = fc.constantFrom(...SURVIVALS);
    await fc.assert(
      fc.asyncProperty(anyActs(60), fc.nat(120), anySurvival, async (acts, step, survival) => {
        let files = new UnreliableFiles();
        let story = new RecordStory(files);
        for (let run = 0; run < 3; run++) {
          files.failure = { step: step + 1, code: 'crash' };
          await story.run(acts).catch((error) => {
            if (!(error instanceof CrashError)) throw error;
          });
          files = files.afterCrash(survival, drawsFrom(step + run));
          story = new RecordStory(files, story);
        }
      }),
      { numRuns: 300 },
    );
  });
});

/** What was counted as in use is what is released, also after writes that failed. */
async function expectNothingCounted(story: RecordStory): Promise<void> {
  await story.clear();
  expect(story.store.sizes().recordCount).toBe(0);
  expect(story.store.retained[0]?.segments).toEqual([]);
}

describe('a device that fails', () => {
  test.each(['ENOSPC', 'EIO', 'EROFS', 'EMFILE'])(
    'with %s at any step loses nothing and is used again when it works',
    async (code) => {
      const whole = new UnreliableFiles();
      await new RecordStory(whole).run(SCRIPT);
      let failedCommits = 0;
      for (let step = 1; step <= whole.steps; step++) {
        for (const steps of [1, 7]) {
          const files = new UnreliableFiles();
          files.failure = { step, code, steps };
          const story = new RecordStory(files);
          await story.run(SCRIPT);
          story.expectContent();
          files.failure = null;
          story.store.settle();
          expect(story.store.unwrittenBytes).toBe(0);
          await story.run([act('abort'), act('begin'), act('commit')]);
          expect(story.committedSlots.at(-1)).toBe(story.lastSlot);
          failedCommits += story.failedCommits;
          // Only what was made durable counts.
          const after = files.afterCrash('nothing', () => 0);
          const next = new RecordStory(after, story);
          expect(next.committedSlots.at(-1)).toBe(story.committedSlots.at(-1));
          await expectNothingCounted(story);
        }
      }
      expect(failedCommits).toBeGreaterThan(20);
    },
  );

  test.each(['EACCES', 'ESTALE'])(
    'for good, with %s at any step of a commit: the next one that succeeds counts the same',
    async (code) => {
      let failedCommits = 0;
      const put = (size: number) =>
        Array.from({ length: 12 }, (_, at) => act('put', at * 512, size));
      for (let step = 1; step <= 40; step++) {
        const files = new UnreliableFiles();
        const story = new RecordStory(files);
        for (const size of [24, 25]) {
          await story.run([...put(size), act('begin'), act('commit')]);
        }
        await story.run([...put(26), act('begin')]);
        files.failure = { step: files.steps + step, code };
        await story.run([act('commit')]);
        files.failure = null;
        failedCommits += story.failedCommits;
        for (let round = 0; round < 12; round++) {
          const some = put(27).slice(round % 9, (round % 9) + 3);
          await story.run([...some, act('begin'), act('commit')]);
        }
        story.expectContent();
        await expectNothingCounted(story);
      }
      expect(failedCommits).toBeGreaterThan(10);
    },
  );

  test('at any step of any story loses nothing', async () => {
    const anyCode = fc.constantFrom('ENOSPC', 'EIO', 'EROFS', 'EMFILE');
    const anyFailure = fc.record({ step: fc.nat(100), code: anyCode, steps: fc.nat(30) });
    await fc.assert(
      fc.asyncProperty(anyActs(80), anyFailure, async (acts, failure) => {
        const files = new UnreliableFiles();
        files.failure = failure;
        files.writeMax = 100;
        const story = new RecordStory(files);
        await story.run(acts);
        files.failure = null;
        story.store.settle();
        await story.run([act('abort'), act('begin'), act('commit')]);
        expect(story.committedSlots.at(-1)).toBe(story.lastSlot);
        story.expectContent();
        const next = new RecordStory(
          files.afterCrash('nothing', () => 0),
          story,
        );
        expect(next.committedSlots.at(-1)).toBe(story.committedSlots.at(-1));
        await expectNothingCounted(story);
      }),
      { numRuns: 300 },
    );
  });
});

describe('bytes that a device lost when it failed to make them durable', () => {
  const contentOf = (id: number, version: number) => new Uint8Array(16).fill(id + version * 50);
  const head = { slot: asSlot(1), blockhash: null, timeMs: 0, rules: '', head: new Uint8Array() };

  /**
   * A checkpoint of 40 records, each of 32 bytes, then a failed one of the first twenty of them,
   * which are lost: zeros whose number is a multiple of 16.
   */
  async function storeWithLoss() {
    const files = new UnreliableFiles();
    const opened = openRecords(files, { rules: '' });
    if (opened.kind !== 'opened') throw new Error(opened.reason);
    const { store } = opened;
    for (let id = 0; id < 40; id++) store.put(1, id, contentOf(id, 1));
    store.begin();
    expect(await store.commit(head)).toBe(true);
    const [name = ''] = files.list().filter((each) => each.startsWith('segment-'));
    const durableBytes = files.sizeOf(name) ?? 0;
    for (let id = 0; id < 20; id++) store.put(1, id, contentOf(id, 2));
    return { files, store, name, durableBytes };
  }

  async function expectFirstCheckpoint(files: UnreliableFiles): Promise<void> {
    const opened = openRecords(files, { rules: '' });
    if (opened.kind !== 'opened') throw new Error(opened.reason);
    expect(opened.checkpoint?.slot).toBe(1);
    for (let id = 0; id < 40; id++) expect(opened.store.read(1, id)).toEqual(contentOf(id, 1));
  }

  test('are in no checkpoint: the next one does not begin', async () => {
    const { files, store, name, durableBytes } = await storeWithLoss();
    store.settle();
    expect((files.sizeOf(name) ?? 0) - durableBytes).toBe(20 * 32);
    store.begin();
    files.losingSyncs = 1;
    await expect(store.commit({ ...head, slot: asSlot(2) })).rejects.toThrow(/EIO/);
    expect(() => store.begin()).toThrow(LostRecordsError);
    // Each attempt finds it, and says where it begins.
    expect(() => store.begin()).toThrow(`byte ${durableBytes} of ${name}`);
    await expectFirstCheckpoint(files);
  });

  test('are missed even if they have the form of records out of use', async () => {
    const { files, store, name, durableBytes } = await storeWithLoss();
    store.begin();
    files.losingSyncs = 1;
    await expect(store.commit({ ...head, slot: asSlot(2) })).rejects.toThrow(/EIO/);
    files.damage(name, (bytes) => {
      // A header with the length of all that follows and the number of a record that is not there.
      bytes.writeUInt32LE(bytes.length - durableBytes - 16, durableBytes + 4);
      bytes.writeUInt32LE(4_000, durableBytes + 8);
      return bytes;
    });
    expect(() => store.begin()).toThrow(LostRecordsError);
    await expectFirstCheckpoint(files);
  });

  test('are read again before they count as lost, as a device may fail for a moment', async () => {
    const { files, store, name } = await storeWithLoss();
    store.begin();
    files.failure = { step: files.steps + 2, code: 'EIO' };
    await expect(store.commit({ ...head, slot: asSlot(2) })).rejects.toThrow(/EIO/);
    files.failure = null;
    files.unreadable = { name, from: 0, to: 1, code: 'EIO' };
    expect(() => store.begin()).toThrow(expect.objectContaining({ isTransient: true }));
    expect(() => store.begin()).toThrow(LostRecordsError);
    files.unreadable = null;
    store.begin();
    expect(await store.commit({ ...head, slot: asSlot(3) })).toBe(true);
    for (let id = 0; id < 20; id++) expect(store.read(1, id)).toEqual(contentOf(id, 2));
  });
});
