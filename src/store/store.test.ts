import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  buildBundle,
  buildCandle,
  buildChanges,
  buildFacts,
  buildToken,
} from '../../tests/support/build-records.ts';
import { address } from '../../tests/support/build-transaction.ts';
import { StoreError } from '../model/errors.ts';
import { asSlot } from '../model/units.ts';
import { openKeys } from './open-keys.ts';
import { openStore } from './store.ts';

describe('a store', () => {
  let dataDir: string;

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'store-'));
  });

  afterEach(() => {
    rmSync(dataDir, { recursive: true });
  });

  test('contains everything after it was closed and opened again', async () => {
    const mint = address('mint');
    const changes = buildChanges(7, {
      candles: [buildCandle(mint, 0)],
      tokens: [buildToken(mint)],
      bundles: [buildBundle(mint, 'one')],
    });
    const first = await openStore({ dataDir });
    await first.writer.writeBatch({ slots: [buildFacts(7)], changes: [changes], epoch: 1 });
    first.cursor.write({ epoch: 1, slot: asSlot(7), isDirty: false });
    first.keys.installBootstrap('bootstrap secret');
    await first.close();

    const second = await openStore({ dataDir });
    expect(await second.health()).toEqual({ isWritable: true, isReadable: true, detail: 'ok' });
    expect(second.cursor.read()).toEqual({ epoch: 1, slot: 7, isDirty: false });
    expect(await second.log.find(7)).toEqual(buildFacts(7));
    expect(await second.candles.lastBefore(mint, 1)).toEqual(buildCandle(mint, 0));
    expect(await second.records.token(mint)).toEqual(buildToken(mint));
    expect(second.keys.authenticate('bootstrap secret')?.accountId).toBe('default');
    await second.close();
  });

  test('reads the epoch of the cursor', async () => {
    const mint = address('mint');
    const store = await openStore({ dataDir });
    const write = (epoch: number, symbol: string) =>
      store.writer.writeBatch({
        slots: [],
        changes: [buildChanges(7, { tokens: [buildToken(mint, { symbol })] })],
        epoch,
      });
    await write(1, 'OLD');
    await write(2, 'NEW');
    expect((await store.records.token(mint))?.symbol).toBe('OLD');
    store.cursor.write({ epoch: 2, slot: asSlot(7), isDirty: false });
    expect((await store.records.token(mint))?.symbol).toBe('NEW');
    await store.close();
  });

  test('reports that it is not writable after a failed write', async () => {
    const store = await openStore({ dataDir });
    const candle = buildCandle(address('mint'), 0, { volumeUsd: (2n ** 127n) as never });
    const changes = [buildChanges(7, { candles: [candle] })];
    await expect(store.writer.writeBatch({ slots: [], changes, epoch: 1 })).rejects.toThrow();
    expect(await store.health()).toMatchObject({ isWritable: false, isReadable: true });
    await store.close();
  });

  test('is refused to a second opener, of this process or another', async () => {
    const store = await openStore({ dataDir });
    const taken = `The data folder ${dataDir} is in use by another process`;
    await expect(openStore({ dataDir })).rejects.toThrow(taken);
    const source = new URL('store.ts', import.meta.url).href;
    const child = spawn(process.execPath, [
      '--input-type=module',
      '--eval',
      `const { openStore } = await import(${JSON.stringify(source)});
       await openStore({ dataDir: ${JSON.stringify(dataDir)} }).catch((error) => {
         process.stdout.write(error.name + ': ' + error.message);
       });`,
    ]);
    let said = '';
    child.stdout.on('data', (chunk) => {
      said += chunk;
    });
    await once(child, 'close');
    expect(said).toContain(`StoreError: ${taken}`);
    await store.close();
    await (await openStore({ dataDir })).close();
  });

  test('lets another connection create and revoke keys', async () => {
    let nowMs = 0;
    const store = await openStore({ dataDir, keys: { nowMs: () => nowMs } });
    const opened = openKeys(dataDir);
    const request = { accountId: 'a', scopes: ['read'] as const, label: '', expiresAtMs: null };
    const { text, key } = opened.keys.create(request);
    expect(store.keys.authenticate(text)?.keyId).toBe(key.keyId);
    opened.keys.revoke(key.keyId);
    nowMs += 5_000;
    expect(store.keys.authenticate(text)).toBeNull();
    opened.close();
    await store.close();
  });

  test('refuses a folder with foreign files', async () => {
    writeFileSync(join(dataDir, 'thesis.txt'), 'precious');
    const opening = openStore({ dataDir });
    await expect(opening).rejects.toThrow(StoreError);
    await expect(opening).rejects.toThrow('holds something else (thesis.txt)');
    expect(readdirSync(dataDir)).toEqual(['thesis.txt']);
  });

  test('refuses a path that cannot be a folder', async () => {
    const file = join(dataDir, 'file');
    writeFileSync(file, '');
    await expect(openStore({ dataDir: join(file, 'data') })).rejects.toThrow(StoreError);
  });

  test('does not start on a damaged control database', async () => {
    await (await openStore({ dataDir })).close();
    writeFileSync(join(dataDir, 'control.sqlite'), 'x'.repeat(5_000));
    await expect(openStore({ dataDir })).rejects.toThrow('file is not a database');
    // The failed start released the folder.
    rmSync(join(dataDir, 'control.sqlite'));
    await (await openStore({ dataDir })).close();
  });

  test('starts on damaged rows, and reports what is lost until it is repaired', async () => {
    const slot = asSlot(7);
    const store = await openStore({ dataDir });
    await store.writer.writeBatch({ slots: [buildFacts(slot)], changes: [], epoch: 1 });
    const held = { state: 'held', from: slot, to: slot } as const;
    store.cursor.write({ epoch: 1, slot, isDirty: false }, [held]);
    await store.close();
    const damaged = readdirSync(join(dataDir, 'clickhouse'), { recursive: true })
      .map(String)
      .find((path) => /\/0_1_1_\d\/data\.bin$/.test(path));
    expect(damaged).toBeDefined();
    truncateSync(join(dataDir, 'clickhouse', String(damaged)), 10);
    for (let attempt = 0; attempt < 2; attempt++) {
      const opened = await openStore({ dataDir });
      const { findings } = await opened.verification.verify({ budgetMs: null, nowMs: Date.now });
      await opened.close();
      expect(findings).toMatchObject([
        { kind: 'rows-lost', table: 'slot_log' },
        { kind: 'slots-lost', from: slot, to: slot },
      ]);
    }
  });

  test('refuses an invalid engine folder', async () => {
    mkdirSync(join(dataDir, 'clickhouse'), { recursive: true });
    writeFileSync(join(dataDir, 'clickhouse', 'metadata'), 'a file where a folder belongs');
    const opening = openStore({ dataDir });
    await expect(opening).rejects.toThrow(StoreError);
    await expect(opening).rejects.toThrow('name an empty folder');
  });
});
