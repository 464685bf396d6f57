import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Random } from '../../../simulator/random/random.ts';
import { temporaryFolder } from '../../../tests/support/command-line.ts';
import { MemoryBlobs, sha256Of } from '../../../tests/support/memory-blobs.ts';
import type { Clock } from '../../lib/clock.ts';
import { StoreError } from '../../model/errors.ts';
import { asSlot } from '../../model/units.ts';
import {
  type BackupManifest,
  encodeManifest,
  MANIFEST_FILE,
  readManifest,
} from './backup-manifest.ts';
import { listBackups } from './list-backups.ts';
import type { PlaceUseTiming } from './place-use.ts';
import { pruneBackups } from './prune-backups.ts';
import { fetchBackup, pushBackup } from './stored-backups.ts';

const VERSION = '1.2.3';
const TIMING: PlaceUseTiming = {
  renewMs: 60_000,
  staleMs: 900_000,
  lostMs: 300_000,
  pollMs: 5_000,
  waitMs: 3_600_000,
};
/** Orders of the steps of three processes. */
const SEEDS = 40;
const work = temporaryFolder();

/** Of a process: time passes only while it waits, and what it shows in the background is left out. */
class OwnClock implements Clock {
  private ms = 0;
  private readonly turn: () => Promise<void>;

  constructor(turn: () => Promise<void> = async () => undefined) {
    this.turn = turn;
  }

  nowMs(): number {
    return this.ms;
  }

  pass(ms: number): void {
    this.ms += ms;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (ms === TIMING.renewMs) {
      await new Promise<void>((resolve) => {
        if (signal?.aborted === true) resolve();
        signal?.addEventListener('abort', () => resolve(), { once: true });
      });
      return;
    }
    await this.turn();
    this.ms += ms;
  }
}

/** A backup in a folder: its file `own` is of the slot, the others are those given. */
function backupOf(slot: number, texts: readonly string[]): [string, BackupManifest] {
  const folder = join(work, `backup-${slot}-${texts.join('-')}`);
  const files = [`own ${slot}`, ...texts].map((text, index) => {
    const path = `clickhouse/${index}`;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
    return { path, bytes: Buffer.byteLength(text), sha256: sha256Of(text) };
  });
  const content = {
    ...{ version: VERSION, created_at: '2026-11-27T10:00:00.000Z', slot: asSlot(slot), files },
    ...{ folders: ['clickhouse'], links: [] },
  };
  writeFileSync(join(folder, MANIFEST_FILE), encodeManifest(content));
  return [folder, readManifest(folder, VERSION)];
}

const SHARED: readonly (readonly string[])[] = [
  ['a', 'b'],
  ['b', 'c'],
  ['c', 'd'],
  ['d', 'e'],
];
const objectOf = (text: string) => `files/${sha256Of(text)}`;

/** Backups of slots 1 to 4, each sharing a file with the next, and a file of an interrupted one. */
async function filled(): Promise<Map<string, Buffer>> {
  filledOnce ??= fill();
  return new Map(await filledOnce);
}

let filledOnce: Promise<Map<string, Buffer>> | null = null;

async function fill(): Promise<Map<string, Buffer>> {
  const blobs = new MemoryBlobs();
  for (const [index, texts] of SHARED.entries()) {
    await pushBackup(blobs, ...backupOf(index + 1, texts), { clock: new OwnClock() });
  }
  blobs.objects.set(objectOf('orphan'), Buffer.from('orphan'));
  return blobs.objects;
}

const prune = (blobs: MemoryBlobs, keep: number, clock: Clock = new OwnClock()) =>
  pruneBackups(blobs, { keep, version: VERSION }, { clock, timing: TIMING });

/** Slots of the whole backups by what their files contain, the newest first. */
async function wholeSlots(objects: Map<string, Buffer>) {
  const listed = await listBackups(new MemoryBlobs(objects), {
    version: VERSION,
    isVerified: true,
  });
  expect(listed.map(({ problem }) => problem).filter((problem) => problem !== null)).toEqual([]);
  return listed.map(({ manifest }) => manifest?.slot);
}

const filesIn = (objects: Map<string, Buffer>) =>
  [...objects.keys()].filter((key) => key.startsWith('files/')).sort();

class Killed extends Error {}

describe('pruning a place of backups', () => {
  it('keeps the newest and exactly the files that they name', async () => {
    const objects = await filled();
    const { kept, backups, files } = await prune(new MemoryBlobs(objects), 2);
    expect([kept.length, backups.length]).toEqual([2, 2]);
    expect([...files].sort()).toEqual(['own 1', 'own 2', 'a', 'b', 'orphan'].map(objectOf).sort());
    expect(await wholeSlots(objects)).toEqual([4, 3]);
    expect(filesIn(objects)).toEqual(['own 3', 'own 4', 'c', 'd', 'e'].map(objectOf).sort());
    expect([...objects.keys()].filter((key) => /^(writing|pruning|beats)/.test(key))).toEqual([]);
  });

  it('removes nothing in a trial', async () => {
    const objects = await filled();
    const before = [...objects.keys()];
    const request = { keep: 1, version: VERSION, isTrial: true };
    const { backups } = await pruneBackups(new MemoryBlobs(objects), request);
    expect(backups).toHaveLength(3);
    expect([...objects.keys()]).toEqual(before);
  });

  it('may be killed at each step: kept backups stay whole, and the next pruning ends it', async () => {
    let steps = 0;
    for (let kill = 1; ; kill++) {
      const objects = await filled();
      steps = 0;
      const dying = new MemoryBlobs(objects, () => {
        if (++steps >= kill) throw new Killed();
      });
      const outcome = await prune(dying, 2).catch((error: unknown) => error);
      const isDone = !(outcome instanceof Killed);
      const slots = await wholeSlots(objects);
      expect(slots.slice(0, 2)).toEqual([4, 3]);
      await prune(new MemoryBlobs(objects), 2);
      expect(await wholeSlots(objects)).toEqual([4, 3]);
      expect(filesIn(objects)).toHaveLength(5);
      if (isDone) break;
      // What the killed one announced is taken for dead by the next writer, which waits for that.
      const writer = { clock: new OwnClock(), timing: TIMING };
      await pushBackup(new MemoryBlobs(objects), ...backupOf(5, ['a']), writer);
      expect(await wholeSlots(objects)).toEqual([5, 4, 3]);
      expect([...objects.keys()].filter((key) => key.startsWith('pruning/'))).toEqual([]);
    }
    expect(steps).toBeGreaterThan(10);
  });

  it('waits for a writer that was killed at each step until it is taken for dead', async () => {
    for (let kill = 1; ; kill++) {
      const objects = await filled();
      let steps = 0;
      const dying = new MemoryBlobs(objects, () => {
        if (++steps >= kill) throw new Killed();
      });
      const pushed = pushBackup(dying, ...backupOf(5, ['a', 'new']), { clock: new OwnClock() });
      const outcome = await pushed.catch((error: unknown) => error);
      await prune(new MemoryBlobs(objects), 2);
      const slots = await wholeSlots(objects);
      expect(slots).toHaveLength(2);
      expect([4, 5]).toContain(slots[0]);
      if (!(outcome instanceof Killed)) break;
    }
  });

  it('and two writers leave only whole backups, in whatever order their steps are', async () => {
    for (let seed = 0; seed < SEEDS; seed++) {
      const objects = await filled();
      const random = new Random(`interleaved ${seed}`);
      const waiting: (() => void)[] = [];
      const turn = () => new Promise<void>((resolve) => void waiting.push(resolve));
      const place = () => new MemoryBlobs(objects, turn);
      const options = () => ({ clock: new OwnClock(turn), timing: TIMING });
      let running = 3;
      const ended = Promise.all(
        [
          pushBackup(place(), ...backupOf(5, ['a', 'b', 'new']), options()),
          pushBackup(place(), ...backupOf(6, ['b', 'orphan', 'new']), options()),
          pruneBackups(place(), { keep: 2, version: VERSION }, options()),
        ].map((work) => work.finally(() => running--)),
      );
      while (running > 0) {
        await new Promise((resolve) => setImmediate(resolve));
        const [next] = waiting.splice(random.below(Math.max(waiting.length, 1)), 1);
        next?.();
      }
      await ended;
      const slots = await wholeSlots(objects);
      expect(slots).toContain(5);
      expect(slots).toContain(6);
    }
  });

  it('is ended where it stood still for so long that a writer went on', async () => {
    const objects = await filled();
    const clock = new OwnClock();
    const blobs = new MemoryBlobs(objects, async (step, key) => {
      if (step !== 'delete' || !key.startsWith('backups/') || objects.has('asleep')) return;
      // Stopped right after its first removal was asked for; meanwhile another writes.
      objects.set('asleep', Buffer.from(''));
      await pushBackup(new MemoryBlobs(objects), ...backupOf(5, ['a']), {
        ...{ clock: new OwnClock(), timing: TIMING },
      });
    });
    await expect(prune(blobs, 2, clock)).rejects.toThrow(/stood still for so long/);
    objects.delete('asleep');
    const slots = await wholeSlots(objects);
    expect(slots.slice(0, 3)).toEqual([5, 4, 3]);
  });

  it('is ended by its own clock too', async () => {
    const objects = await filled();
    const clock = new OwnClock();
    const blobs = new MemoryBlobs(objects, (step, key) => {
      if (step === 'list' && key === 'files/') clock.pass(TIMING.lostMs + 1);
    });
    await expect(prune(blobs, 2, clock)).rejects.toThrow(/stood still/);
    expect(await wholeSlots(objects)).toEqual([4, 3, 2, 1]);
  });

  it('a writer that was taken for dead sends again what was removed meanwhile', async () => {
    const objects = await filled();
    let isAsleep = false;
    const blobs = new MemoryBlobs(objects, async (step, key) => {
      if (step !== 'put' || !key.startsWith('backups/') || isAsleep) return;
      isAsleep = true;
      await prune(new MemoryBlobs(objects), 2);
      expect(objects.has(objectOf('a'))).toBe(false);
    });
    await pushBackup(blobs, ...backupOf(5, ['a']), { clock: new OwnClock(), timing: TIMING });
    expect(isAsleep).toBe(true);
    expect(await wholeSlots(objects)).toEqual([5, 4, 3]);
  });

  it('removes nothing where a description is not what was written', async () => {
    const objects = await filled();
    const [first = ''] = [...objects.keys()].filter((key) => key.startsWith('backups/'));
    objects.set(first, Buffer.from(String(objects.get(first)).replace('"slot":1', '"slot":9')));
    const before = [...objects.keys()];
    await expect(prune(new MemoryBlobs(objects), 2)).rejects.toThrow(
      /Nothing was removed from memory: which files backups\/.* needs is unknown/,
    );
    expect([...objects.keys()]).toEqual(before);
  });

  it('counts no backup whose files are gone, and keeps the whole ones before it', async () => {
    const objects = await filled();
    objects.delete(objectOf('e'));
    const { kept } = await prune(new MemoryBlobs(objects), 1);
    expect(kept.map((key) => Number(/backups\/(\d+)-/.exec(key)?.[1]))).toEqual([4, 3]);
    const folder = join(temporaryFolder(), 'fetched');
    const fetched = await fetchBackup(
      new MemoryBlobs(objects),
      { folder, version: VERSION },
      () => undefined,
    );
    expect(fetched?.slot).toBe(3);
  });

  it('removes nothing where no backup is whole', async () => {
    const objects = await filled();
    for (const slot of [1, 2, 3, 4]) objects.delete(objectOf(`own ${slot}`));
    const before = [...objects.keys()];
    await expect(prune(new MemoryBlobs(objects), 1)).rejects.toThrow(
      /none of its 4 backups is whole/,
    );
    expect([...objects.keys()]).toEqual(before);
  });

  it('fails with the reason of the place, and leaves kept backups whole', async () => {
    const objects = await filled();
    let deleted = 0;
    const blobs = new MemoryBlobs(objects, (step) => {
      if (step === 'delete' && ++deleted === 3) throw new StoreError('the place is out of order');
    });
    await expect(prune(blobs, 2)).rejects.toThrow('the place is out of order');
    expect((await wholeSlots(objects)).slice(0, 2)).toEqual([4, 3]);
  });
});

describe('a place that lies', () => {
  it('is found out by reading all files, and by nothing less', async () => {
    const objects = await filled();
    objects.set(objectOf('d'), Buffer.from('x'));
    const blobs = new MemoryBlobs(objects);
    const problems = async (isVerified: boolean) =>
      (await listBackups(blobs, { version: VERSION, isVerified })).map(({ lost }) => lost);
    expect(await problems(false)).toEqual([[], [], [], []]);
    expect(await problems(true)).toEqual([[objectOf('d')], [objectOf('d')], [], []]);
  });
});
