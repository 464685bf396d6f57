import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fallbackSolUsd, second } from '../../tests/support/master-fixture.ts';
import { Engine } from '../engine/engine.ts';
import { encodeSlotFacts } from '../store/facts-codec.ts';
import { Snapshots } from '../store/snapshots.ts';
import { ShadowError, ShadowThread } from './shadow-thread.ts';

const engine = { fallbackSolUsd };
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'shadow-thread-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

const start = (base: string | null = null) => ({ folder, base, engine, rules: 'rules', epoch: 1 });

describe('the thread of a shadow fold', () => {
  test('folds what it is given and answers with the draft of the state', async () => {
    const thread = new ShadowThread(start());
    await thread.ready();
    await thread.fold([second(0), second(1)].map(encodeSlotFacts));
    await thread.fold([encodeSlotFacts(second(2))]);
    const draft = await thread.write();
    await thread.close();
    const snapshots = new Snapshots(folder);
    const name = await snapshots.keep(draft);
    const direct = new Engine(engine);
    for (const t of [0, 1, 2]) direct.apply(second(t));
    const restored = new Engine(engine, snapshots.open(name).chunks);
    expect(restored.digest()).toBe(direct.digest());
  });

  test('says that the snapshot it is to go on from cannot be read', async () => {
    const thread = new ShadowThread(start('snapshot-7-no-such-file.bin'));
    await expect(thread.ready()).rejects.toMatchObject({ isBaseUnreadable: true });
    await thread.close();
  });

  test('fails with the reason for slots out of order, which no retry would fold', async () => {
    const thread = new ShadowThread(start());
    await thread.ready();
    await thread.fold([encodeSlotFacts(second(1))]);
    await expect(thread.fold([encodeSlotFacts(second(0))])).rejects.toBeInstanceOf(ShadowError);
    await thread.close();
  });

  test('rejects what is asked when it is closed, and whatever comes later', async () => {
    const thread = new ShadowThread(start());
    const ready = thread.ready();
    await Promise.all([expect(ready).rejects.toBeInstanceOf(ShadowError), thread.close()]);
    await expect(thread.write()).rejects.toBeInstanceOf(ShadowError);
  });

  test('rejects with the reason when its thread cannot start', async () => {
    const thread = new ShadowThread(start(), new URL('./no-such-worker.ts', import.meta.url));
    await expect(thread.ready()).rejects.toThrow(/Cannot find module .*no-such-worker/);
  });
});
