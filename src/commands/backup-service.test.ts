import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { RunningCommand, runCommand, temporaryFolder } from '../../tests/support/command-line.ts';
import { FolderBlobs } from '../store/blobs/folder-blobs.ts';
import { beginWithBackup } from './begin-with-backup.ts';

const START_MS = 300_000;
let service: RunningCommand | null = null;

afterEach(() => {
  service?.process.kill('SIGKILL');
});

test('a service stores a backup by itself, which is listed, begun with and pruned', async () => {
  const dataDir = temporaryFolder();
  const place = join(temporaryFolder(), 'backups');
  const store = ['--backup-store', place];
  service = new RunningCommand([
    ...['start', '--no-simulate', '--port', '0', '--data-dir', dataDir],
    ...[...store, '--backup-every', '6h'],
  ]);
  await service.shows(/"msg":"a backup was stored"/, START_MS);
  // Beside the service that may store its own.
  const again = await runCommand([
    'backup',
    '--to-store',
    '--data-dir',
    dataDir,
    ...store,
    '--json',
  ]);
  expect(again.exitCode).toBe(0);
  expect(JSON.parse(again.stdout).sent.files).toBeLessThan(JSON.parse(again.stdout).files);
  service.process.kill('SIGTERM');
  await service.finished;
  expect(readdirSync(dataDir).filter((name) => name.startsWith('backup-upload'))).toEqual([]);
  // What was announced while it was stored is taken back.
  for (const kind of ['writing', 'pruning', 'beats']) {
    expect(await new FolderBlobs(place).list(`${kind}/`)).toEqual([]);
  }

  const listed = await runCommand(['backup', 'list', ...store, '--verify', '--json']);
  const lines = listed.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map(({ problem, lost }) => [problem, lost])).toEqual([
    [null, []],
    [null, []],
  ]);
  expect(listed.exitCode).toBe(0);

  const pruned = await runCommand(['backup', 'prune', ...store, '--backup-keep', '1', '--json']);
  expect(pruned.stderr).toBe('');
  expect(JSON.parse(pruned.stdout)).toMatchObject({
    ...{ is_trial: false, kept: [lines[0].key], removed: { backups: [lines[1].key] } },
  });
  const sentences: string[] = [];
  const begun = join(temporaryFolder(), 'new');
  await beginWithBackup(new FolderBlobs(place), begun, (sentence) => sentences.push(sentence));
  expect(sentences.at(-1)).toMatch(/was restored\.$/);
});

test('a service that cannot store backups says so before it begins', async () => {
  const { exitCode, stderr } = await runCommand([
    ...['start', '--no-simulate', '--port', '0', '--data-dir', temporaryFolder()],
    ...['--backup-every', '6h'],
  ]);
  expect([exitCode, stderr]).toEqual([
    2,
    expect.stringContaining('--backup-every needs --backup-store'),
  ]);
});
