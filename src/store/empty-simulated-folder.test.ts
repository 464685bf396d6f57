import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../tests/support/command-line.ts';
import { emptySimulatedFolder } from './empty-simulated-folder.ts';
import { openKeys } from './open-keys.ts';

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

test('a folder created by a simulated start is emptied at the next', () => {
  const path = join(temporaryFolder(), 'made');
  emptySimulatedFolder(path);
  openKeys(path).close();
  expect(existsSync(join(path, 'control.sqlite'))).toBe(true);
  emptySimulatedFolder(path);
  expect(existsSync(join(path, 'control.sqlite'))).toBe(false);
});

test('a folder with data and without the mark is refused with a remedy, and kept', () => {
  const path = join(temporaryFolder(), 'kept');
  openKeys(path).close();
  expect(() => emptySimulatedFolder(path)).toThrow(/no mark .* move it away/);
  expect(existsSync(join(path, 'control.sqlite'))).toBe(true);
});

test('a folder with foreign files is refused and not changed', () => {
  const path = temporaryFolder();
  writeFileSync(join(path, 'holiday.jpg'), '');
  expect(() => emptySimulatedFolder(path)).toThrow('holds something else (holiday.jpg)');
  expect(existsSync(join(path, 'holiday.jpg'))).toBe(true);
});

test('a data folder that others can read is restricted when it is opened', () => {
  const path = join(temporaryFolder(), 'open');
  mkdirSync(path, { mode: 0o755 });
  openKeys(path).close();
  chmodSync(path, 0o755);
  chmodSync(join(path, 'control.sqlite'), 0o644);
  openKeys(path).close();
  expect([modeOf(path), modeOf(join(path, 'control.sqlite'))]).toEqual(['700', '600']);
});
