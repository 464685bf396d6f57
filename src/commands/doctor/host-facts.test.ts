import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../tests/support/command-line.ts';
import { lockFolder } from '../../store/control/folder-lock.ts';
import { dataFolderAt } from '../../store/data-folder.ts';
import { openKeys } from '../../store/open-keys.ts';
import { readHostFacts } from './host-facts.ts';

const stateOf = (path: string) => readHostFacts(path).folder;

describe('a data folder', () => {
  test('that does not exist can be created, and is not created', () => {
    const parent = temporaryFolder();
    expect(stateOf(join(parent, 'deep', 'below'))).toBe('new');
    expect(readdirSync(parent)).toEqual([]);
  });

  test('is recognised as empty, foreign, ours and in use', () => {
    const folder = temporaryFolder();
    expect(stateOf(folder)).toBe('empty');
    const foreign = temporaryFolder();
    writeFileSync(join(foreign, 'holiday.jpg'), '');
    expect(stateOf(foreign)).toBe('foreign');
    openKeys(folder).close();
    expect(stateOf(folder)).toBe('ours');
    const lock = lockFolder(folder, dataFolderAt(folder).lockFile);
    expect(stateOf(folder)).toBe('used');
    lock.release();
    expect(stateOf(folder)).toBe('ours');
  });

  test('at the path of a file cannot be written', () => {
    const path = join(temporaryFolder(), 'file');
    writeFileSync(path, '');
    expect(stateOf(path)).toBe('unwritable');
    expect(stateOf(join(path, 'below'))).toBe('unwritable');
  });

  // Root may write everywhere.
  test.skipIf(process.getuid?.() === 0)('without the right to write cannot be written', () => {
    const path = join(temporaryFolder(), 'locked');
    mkdirSync(path);
    chmodSync(path, 0o500);
    expect(stateOf(path)).toBe('unwritable');
  });
});

test('memory, disk and open files of the machine are known', () => {
  const { freeBytes, memoryBytes, nodeVersion } = readHostFacts(temporaryFolder());
  expect(freeBytes).toBeGreaterThan(0);
  expect(memoryBytes).toBeGreaterThan(2 ** 28);
  expect(`v${nodeVersion}`).toBe(process.version);
});
