import { existsSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommand, temporaryFolder } from '../../tests/support/command-line.ts';
import { VERSION } from '../config/version.ts';
import { makeBackup } from '../store/backup/make-backup.ts';
import { openStore } from '../store/store.ts';

test('a truncated backup is refused with exit code 1, in one sentence, and nothing is restored', async () => {
  const original = temporaryFolder();
  await (await openStore({ dataDir: original })).close();
  const backup = join(temporaryFolder(), 'backup');
  await makeBackup({ dataDir: original, target: backup, version: VERSION, nowMs: Date.now });
  const file = join(backup, 'control.sqlite');
  const { size } = statSync(file);
  truncateSync(file, size - 1);

  const dataDir = join(temporaryFolder(), 'restored');
  const { exitCode, stdout, stderr } = await runCommand(['restore', backup, '--data-dir', dataDir]);

  expect(exitCode).toBe(1);
  expect(stdout).toBe('');
  const wrong = `control.sqlite has ${size - 1} bytes instead of ${size}`;
  expect(stderr).toMatch(/^mintscope: [^\n]+\.\n$/);
  expect(stderr).toContain(`The backup ${backup} is not complete (${wrong})`);
  expect(existsSync(dataDir)).toBe(false);
});
