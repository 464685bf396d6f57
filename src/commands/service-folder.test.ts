import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../tests/support/command-line.ts';
import { lockFolder } from '../store/control/folder-lock.ts';
import { dataFolderAt } from '../store/data-folder.ts';
import { openKeys } from '../store/open-keys.ts';
import { serviceFolder, simulatedFolder } from './service-folder.ts';

test('a folder in use comes before one with data, and that before one without', () => {
  const real = join(temporaryFolder(), 'data');
  const simulated = simulatedFolder(real);
  expect(serviceFolder(real)).toBe(real);
  openKeys(simulated).close();
  expect(serviceFolder(real)).toBe(simulated);
  openKeys(real).close();
  expect(serviceFolder(real)).toBe(real);
  const lock = lockFolder(simulated, dataFolderAt(simulated).lockFile);
  expect(serviceFolder(real)).toBe(simulated);
  lock.release();
  expect(serviceFolder(real)).toBe(real);
});
