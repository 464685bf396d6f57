import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { UnreliableFiles } from '../../../tests/support/unreliable-files.ts';
import { DamagedRecordError } from '../../model/record-store.ts';
import { asSlot } from '../../model/units.ts';
import type { FileRecordStore } from './file-record-store.ts';
import { openRecords } from './open-records.ts';

const RULES = 'rules 1';
const contentOf = (id: number, version: number) => Buffer.from(`record ${id}, version ${version}`);

function openedFrom(files: UnreliableFiles, maxSlot?: number, rules = RULES) {
  const opened = openRecords(files, {
    rules,
    sizes: { segmentBytes: 4_096 },
    ...(maxSlot === undefined ? {} : { maxSlot: asSlot(maxSlot) }),
  });
  if (opened.kind !== 'opened') throw new Error(opened.reason);
  return opened;
}

async function commit(store: FileRecordStore, slot: number, rules = RULES): Promise<void> {
  store.begin();
  const head = Buffer.from(`head ${slot}`);
  const timeMs = slot * 60_000;
  expect(await store.commit({ slot: asSlot(slot), blockhash: 'hash', timeMs, rules, head })).toBe(
    true,
  );
}

/** Three checkpoints of 600 records: two leaves. Each replaces the first hundred. */
async function threeCheckpoints(): Promise<UnreliableFiles> {
  const files = new UnreliableFiles();
  const { store } = openedFrom(files);
  for (let id = 0; id < 600; id++) store.put(1, id, contentOf(id, 1));
  for (const slot of [10, 20, 30]) {
    for (let id = 0; id < 100; id++) store.put(1, id, contentOf(id, slot));
    await commit(store, slot);
  }
  store.close();
  return files;
}

const manifestsOf = (files: UnreliableFiles) =>
  files
    .list()
    .filter((name) => name.startsWith('checkpoint-'))
    .sort();
const segmentsOf = (files: UnreliableFiles) =>
  files
    .list()
    .filter((name) => name.startsWith('segment-'))
    .sort();
const flip = (at: number) => (bytes: Buffer) => {
  bytes[at] = (bytes[at] ?? 0) ^ 0x10;
  return bytes;
};
const findingsOf = (store: FileRecordStore) =>
  [...store.check()].flatMap((each) => (each.kind === 'finding' ? [each.sentence] : []));

/** Reads all records; those that can be read must be right. */
function damagedReads(store: FileRecordStore): DamagedRecordError[] {
  const errors: DamagedRecordError[] = [];
  for (let id = 0; id < 600; id++) {
    const content = contentOf(id, id < 100 ? 30 : 1);
    try {
      if (!content.equals(store.read(1, id) ?? Buffer.alloc(0)))
        expect.fail(`record ${id} differs`);
    } catch (error) {
      if (!(error instanceof DamagedRecordError)) throw error;
      errors.push(error);
    }
  }
  return errors;
}

describe('an intact folder', () => {
  test('has a checkpoint with the head it was committed with, and nothing to find', async () => {
    const files = await threeCheckpoints();
    const { store, checkpoint, passedOver } = openedFrom(files);
    expect(checkpoint).toEqual({
      ...{ slot: 30, blockhash: 'hash', timeMs: 30 * 60_000, rules: RULES },
      head: new Uint8Array(Buffer.from('head 30')),
    });
    expect(passedOver).toEqual([]);
    const steps = [...store.check()];
    expect(steps.map(({ kind }) => kind)).toEqual(['progress', 'progress']);
    expect(steps.at(-1)).toEqual({ kind: 'progress', recordsChecked: 600, recordCount: 600 });
  });

  test('is not changed by being opened and read', async () => {
    const files = await threeCheckpoints();
    const { steps } = files;
    const { store } = openedFrom(files, 20);
    expect(findingsOf(store)).toEqual([]);
    expect(files.steps).toBe(steps);
  });

  test('opens the newest checkpoint at or before a slot', async () => {
    const files = await threeCheckpoints();
    for (const [maxSlot, slot] of [
      [31, 30],
      [30, 30],
      [29, 20],
      [20, 20],
      [19, 10],
    ] as const) {
      const { store, checkpoint } = openedFrom(files, maxSlot);
      expect(checkpoint?.slot).toBe(slot);
      expect(Buffer.from(store.read(1, 5) ?? [])).toEqual(contentOf(5, slot));
    }
    const { store, checkpoint, passedOver } = openedFrom(files, 9);
    expect([checkpoint, store.read(1, 5)]).toEqual([null, null]);
    expect(passedOver).toEqual(
      ['checkpoint-30-3.bin', 'checkpoint-20-2.bin', 'checkpoint-10-1.bin'].map(
        (name) => `The checkpoint ${name} is not used: it is newer than slot 9.`,
      ),
    );
  });
});

describe('a damaged record', () => {
  test('is named with its file and byte, never served, and found by a check', async () => {
    const files = await threeCheckpoints();
    let found = 0;
    for (const name of segmentsOf(files)) {
      for (let at = 0; at < (files.sizeOf(name) ?? 0); at += 397) {
        files.damage(name, flip(at));
        const { store } = openedFrom(files);
        const findings = findingsOf(store);
        found += findings.length;
        for (const error of damagedReads(store)) {
          expect(error.segment).toBe(name);
          expect(error.offsetBytes).toBeLessThanOrEqual(at);
          expect(findings).toContain(error.message);
        }
        files.damage(name, flip(at));
      }
    }
    expect(found).toBeGreaterThan(40);
  });

  test('is a StoreError that does not pass', async () => {
    const files = await threeCheckpoints();
    files.damage('segment-00000002.bin', (bytes) => bytes.fill(0));
    const { store } = openedFrom(files);
    expect(() => store.read(1, 150)).toThrow(
      /^Record 150 \(content\) of space 1 is damaged: byte \d+ of segment-00000002\.bin and those/,
    );
    expect(() => store.read(1, 150)).toThrow(expect.objectContaining({ isTransient: false }));
  });

  test('in a segment to be emptied stays where it is', async () => {
    const files = await threeCheckpoints();
    files.damage('segment-00000001.bin', flip(20));
    const { store } = openedFrom(files);
    for (let id = 100; id < 600; id++) if (id % 4 > 0) store.put(1, id, contentOf(id, 40));
    while (store.compact(1_000) > 0);
    for (let id = 101; id < 600; id++) {
      if (id % 4 > 0) expect(Buffer.from(store.read(1, id) ?? [])).toEqual(contentOf(id, 40));
    }
  });
});

describe('a damaged checkpoint', () => {
  test('is passed over with a sentence, whichever byte is damaged', async () => {
    const files = await threeCheckpoints();
    const name = 'checkpoint-30-3.bin';
    for (let at = 0; at < (files.sizeOf(name) ?? 0); at++) {
      files.damage(name, flip(at));
      const { checkpoint, passedOver, store } = openedFrom(files);
      expect(checkpoint?.slot, `byte ${at}`).toBe(20);
      expect(passedOver).toEqual([
        `The checkpoint ${name} is not used: it differs from what was written.`,
      ]);
      expect(Buffer.from(store.read(1, 5) ?? [])).toEqual(contentOf(5, 20));
      files.damage(name, flip(at));
    }
  });

  test('is passed over when it or a segment it needs is cut off, missing or renamed', async () => {
    const files = await threeCheckpoints();
    files.damage('checkpoint-30-3.bin', (bytes) => bytes.subarray(0, -1));
    expect(openedFrom(files).checkpoint?.slot).toBe(20);
    const last = segmentsOf(files).at(-1) ?? '';
    const whole = await threeCheckpoints();
    whole.damage(last, (bytes) => bytes.subarray(0, -8));
    expect(openedFrom(whole).passedOver).toEqual([
      `The checkpoint checkpoint-30-3.bin is not used: ${last} is missing or cut off.`,
    ]);
    whole.remove('segment-00000001.bin');
    expect(openedFrom(whole).passedOver).toHaveLength(3);
    const renamed = await threeCheckpoints();
    renamed.rename('checkpoint-10-1.bin', 'checkpoint-40-4.bin');
    expect(openedFrom(renamed).checkpoint?.slot).toBe(30);
  });

  test('is removed by the next commit, with segments that nothing needs any more', async () => {
    const files = await threeCheckpoints();
    files.damage('checkpoint-30-3.bin', flip(60));
    const { store } = openedFrom(files);
    await commit(store, 40);
    expect(manifestsOf(files)).toEqual([
      'checkpoint-10-1.bin',
      'checkpoint-20-2.bin',
      'checkpoint-40-4.bin',
    ]);
  });
});

describe('checkpoints that were made under other rules', () => {
  test('are passed over and replaced', async () => {
    const files = await threeCheckpoints();
    const { store, checkpoint, passedOver } = openedFrom(files, 99, 'rules 2');
    expect(checkpoint).toBe(null);
    expect(passedOver).toHaveLength(3);
    expect(passedOver[0]).toMatch(/: it was made under other rules\.$/);
    store.put(1, 0, contentOf(0, 2));
    await commit(store, 5, 'rules 2');
    expect(manifestsOf(files)).toEqual(['checkpoint-5-4.bin']);
    expect(segmentsOf(files)).toHaveLength(1);
  });

  test('are refused with the way out if they have another layout', async () => {
    const files = await threeCheckpoints();
    files.damage('checkpoint-10-1.bin', (bytes) => {
      const layout = Buffer.from('MINTCKP2');
      const lengths = bytes.subarray(8, 16);
      const text = bytes.subarray(48, 48 + bytes.readUInt32LE(8));
      const hash = createHash('sha256').update(layout).update(lengths).update(text).digest();
      return Buffer.concat([layout, lengths, hash, bytes.subarray(48)]);
    });
    expect(openRecords(files, { rules: RULES })).toEqual({
      kind: 'refused',
      reason:
        'The checkpoints in /checkpoints have layout 2, which this version does not read. Start ' +
        'the version that made them, or remove the folder: the state is then computed again from ' +
        'the log.',
    });
  });
});
