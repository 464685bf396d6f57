import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { StoreError } from '../../src/model/errors.ts';
import { openControlPlane } from '../../src/store/control/control-plane.ts';
import { WriterFence } from '../../src/store/control/writer-fence.ts';
import { openStore } from '../../src/store/store.ts';
import { buildFacts } from '../support/build-records.ts';
import { startClickHouseHttp } from '../support/clickhouse-http.ts';
import { RunningCommand } from '../support/command-line.ts';

const HOLDER = fileURLToPath(new URL('../support/hold-store.ts', import.meta.url));

describe('two writers (F-19)', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'two-writers-'));
  });

  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  test('a second start on the same folder is refused in one sentence', async () => {
    const first = new RunningCommand([
      'start',
      '--no-simulate',
      '--port',
      '0',
      '--data-dir',
      folder,
    ]);
    await first.shows(/listening/);
    const second = new RunningCommand([
      'start',
      '--no-simulate',
      '--port',
      '0',
      '--data-dir',
      folder,
    ]);
    const { exitCode, stderr } = await second.finished;
    first.process.kill('SIGTERM');
    await first.finished;
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^mintscope: The data folder .* is in use by another process: .*\n$/);
  });

  test('a process that lost the folder to another can no longer write', async () => {
    const child = spawn(process.execPath, [HOLDER, folder], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, NODE_NO_WARNINGS: '1' },
    });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const nextLine = async () => (await lines.next()).value as string;
    expect(await nextLine()).toBe('open');
    child.stdin.write('write\n');
    expect(await nextLine()).toBe('wrote');
    // Takes the folder as an opener does where file locks have no effect.
    const control = openControlPlane(join(folder, 'control.sqlite'));
    WriterFence.take(control);
    control.close();
    child.stdin.write('write\n');
    expect(await nextLine()).toContain('Another process writes to this data folder');
    child.stdin.write('write\n');
    expect(await nextLine()).toContain('Another process writes to this data folder');
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('exit', resolve));
    const store = await openStore({ dataDir: folder });
    expect(await store.log.find(1)).toEqual(buildFacts(1));
    expect(await store.log.find(2)).toBeNull();
    await store.close();
  });

  test('a database on a server belongs to the folder that claimed it first', async () => {
    const server = await startClickHouseHttp(join(folder, 'server'));
    const location = { url: server.url, username: 'default', password: '' };
    const open = (name: string) => openStore({ dataDir: join(folder, name), server: location });
    const first = await open('one');
    const opening = open('two');
    await expect(opening).rejects.toThrow(StoreError);
    await expect(opening).rejects.toThrow(/belongs to another data folder .*name another server/);
    await first.writer.writeBatch({ slots: [buildFacts(1)], changes: [], epoch: 1 });
    await first.close();
    await expect(open('two')).rejects.toThrow('belongs to another data folder');
    const again = await open('one');
    expect(await again.log.find(1)).toEqual(buildFacts(1));
    await again.close();
    await server.close();
  });
});
