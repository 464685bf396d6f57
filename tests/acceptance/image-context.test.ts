import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join, matchesGlob } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/command-line.ts';

/** Files of the repository that the build of the image gets, as .dockerignore says. */
function contextFiles(): readonly string[] {
  const lines = readFileSync('.dockerignore', 'utf8')
    .split('\n')
    .filter((line) => /^[!*]/.test(line));
  const included = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  const excluded = lines.filter((line) => line.startsWith('**/'));
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const names = execFileSync('git', args, { maxBuffer: 2 ** 26 })
    .toString()
    .split('\0');
  return names.filter(
    (name) =>
      existsSync(name) &&
      included.some((path) => name === path || name.startsWith(`${path}/`)) &&
      !excluded.some((pattern) => matchesGlob(name, pattern) || matchesGlob(name, `${pattern}/**`)),
  );
}

test('the dashboard and the documentation are built of what the image gets', () => {
  const folder = temporaryFolder();
  const files = contextFiles();
  expect(files).toContain('package.json');
  expect(files.filter((name) => name.startsWith('tests/'))).toEqual([]);
  for (const name of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    copyFileSync(name, join(folder, name));
  }
  symlinkSync(realpathSync('node_modules'), join(folder, 'node_modules'));
  for (const script of ['scripts/build-web.ts', 'scripts/build-site.ts']) {
    const args = ['--disable-warning=ExperimentalWarning', script];
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    expect(status, stderr).toBe(0);
  }
  expect(existsSync(join(folder, 'web/dist/index.html'))).toBe(true);
  expect(existsSync(join(folder, 'docs/dist/index.html'))).toBe(true);
});
