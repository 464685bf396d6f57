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
import { encodeSlotFacts } from '../store/codecs/facts-codec.ts';
import { Snapshots } from '../store/snapshots/snapshots.ts';
import { ShadowError, ShadowProcess } from './shadow-process.ts';

const engine = { fallbackSolUsd };
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'shadow-process-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

const start = (base: string | null = null, bounds = {}) => ({
  ...{ folder, base, spillFolder: folder, engine: { fallbackSolUsd, bounds }, rules: 'rules' },
  epoch: 1,
});

describe('the process of a shadow fold', () => {
  test('folds slots and answers with the draft of the state', async () => {
    const shadow = new ShadowProcess(start());
    await shadow.ready();
    await shadow.fold([second(0), second(1)].map(encodeSlotFacts));
    await shadow.fold([encodeSlotFacts(second(2))]);
    const draft = await shadow.write();
    await shadow.close();
    const snapshots = new Snapshots(folder);
    const name = await snapshots.keep(draft);
    const direct = new Engine(engine);
    for (const t of [0, 1, 2]) direct.apply(second(t));
    const restored = new Engine(engine, snapshots.open(name).chunks);
    expect(restored.digest()).toBe(direct.digest());
  });

  test('keeps profiles beyond its memory bound in its own file while it runs', async () => {
    const trade = createTrader();
    const slots = [
      second(0, launch()),
      second(1, trade('x', 'buy', 10n * SOL, 1_000_000n)),
      second(2, trade('v', 'buy', 2n * SOL, 100_000n)),
    ];
    const shadow = new ShadowProcess(start(null, { profiles: 1 }));
    await shadow.ready();
    await shadow.fold(slots.map(encodeSlotFacts));
    expect(readdirSync(folder)).toEqual(['spill-shadow.bin']);
    const draft = await shadow.write();
    expect(readdirSync(folder)).toEqual(['shadow.tmp']);
    await shadow.close();
    const snapshots = new Snapshots(folder);
    const name = await snapshots.keep(draft);
    const direct = new Engine(engine);
    for (const facts of slots) direct.apply(facts);
    const restored = new Engine(engine, snapshots.open(name).chunks);
    expect(restored.digest()).toBe(direct.digest());
    expect(restored.stateSize.spilledProfiles).toBeGreaterThan(0);
  });

  test('reports that the initial snapshot cannot be read', async () => {
    const shadow = new ShadowProcess(start('snapshot-7-no-such-file.bin'));
    await expect(shadow.ready()).rejects.toMatchObject({ isBaseUnreadable: true });
    await shadow.close();
  });

  test('fails with the reason for slots out of order, which no retry would fold', async () => {
    const shadow = new ShadowProcess(start());
    await shadow.ready();
    await shadow.fold([encodeSlotFacts(second(1))]);
    await expect(shadow.fold([encodeSlotFacts(second(0))])).rejects.toBeInstanceOf(ShadowError);
    await shadow.close();
  });

  test('rejects the pending request when it is closed, and all later ones', async () => {
    const shadow = new ShadowProcess(start());
    const ready = shadow.ready();
    await Promise.all([expect(ready).rejects.toBeInstanceOf(ShadowError), shadow.close()]);
    await expect(shadow.write()).rejects.toBeInstanceOf(ShadowError);
  });

  test('rejects the pending request when it cannot start, and all later ones', async () => {
    const shadow = new ShadowProcess(start(), new URL('./no-such-program.ts', import.meta.url));
    const ended = 'its process ended with code 1';
    await expect(shadow.ready()).rejects.toEqual(new ShadowError(ended));
    await expect(shadow.fold([])).rejects.toEqual(new ShadowError(ended));
    await shadow.close();
  });

  test('rejects requests when the system refuses another process', async () => {
    // No system accepts an argument of this length.
    const shadow = new ShadowProcess(start(), new URL(`file:///${'a'.repeat(2 ** 23)}.ts`));
    const refused = new ShadowError('its process cannot be started: spawn E2BIG');
    await expect(shadow.ready()).rejects.toEqual(refused);
    await shadow.close();
  });

  test('reports its memory from its first answer to its end', async () => {
    const shadow = new ShadowProcess(start());
    expect(shadow.residentBytes).toBe(0);
    await shadow.ready();
    // Node alone uses more than 20 MiB.
    expect(shadow.residentBytes).toBeGreaterThan(20 * 2 ** 20);
    await shadow.close();
    expect(shadow.residentBytes).toBe(0);
  });
});
