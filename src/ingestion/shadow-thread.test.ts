import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  createTrader,
  fallbackSolUsd,
  launch,
  SOL,
  second,
} from '../../tests/support/master-fixture.ts';
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

const start = (base: string | null = null, bounds = {}) => ({
  ...{ folder, base, spillFolder: folder, engine: { fallbackSolUsd, bounds }, rules: 'rules' },
  epoch: 1,
});

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

  test('keeps profiles that it has no room for in a file of its own while it runs', async () => {
    const trade = createTrader();
    const slots = [
      second(0, launch()),
      second(1, trade('x', 'buy', 10n * SOL, 1_000_000n)),
      second(2, trade('v', 'buy', 2n * SOL, 100_000n)),
    ];
    const thread = new ShadowThread(start(null, { profiles: 1 }));
    await thread.ready();
    await thread.fold(slots.map(encodeSlotFacts));
    expect(readdirSync(folder)).toEqual(['spill-shadow.bin']);
    const draft = await thread.write();
    expect(readdirSync(folder)).toEqual(['shadow.tmp']);
    await thread.close();
    const snapshots = new Snapshots(folder);
    const name = await snapshots.keep(draft);
    const direct = new Engine(engine);
    for (const facts of slots) direct.apply(facts);
    const restored = new Engine(engine, snapshots.open(name).chunks);
    expect(restored.digest()).toBe(direct.digest());
    expect(restored.stateSize.spilledProfiles).toBeGreaterThan(0);
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
