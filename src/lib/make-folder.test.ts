import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../tests/support/command-line.ts';
import { makeFolder } from './make-folder.ts';

describe('making a folder', () => {
  test('makes those above it, all with the given mode, and accepts one that exists', () => {
    const root = temporaryFolder();
    makeFolder(join(root, 'a/b/c'), 0o700);
    expect(readdirSync(join(root, 'a/b'))).toEqual(['c']);
    for (const name of ['a', 'a/b', 'a/b/c']) {
      expect(statSync(join(root, name)).mode & 0o777).toBe(0o700);
    }
    expect(() => makeFolder(join(root, 'a/b/c'))).not.toThrow();
  });

  test('says that a file is in the way', () => {
    const root = temporaryFolder();
    mkdirSync(join(root, 'a'));
    writeFileSync(join(root, 'a/file'), '');
    expect(() => makeFolder(join(root, 'a/file'))).toThrow('EEXIST');
    expect(() => makeFolder(join(root, 'a/file/b'))).toThrow('ENOTDIR');
  });

  test.skipIf(process.platform !== 'linux')('ends where no folder can be made', () => {
    expect(() => makeFolder('/proc/no-such-folder')).toThrow('ENOENT');
    expect(() => makeFolder('/proc/no-such-folder/below')).toThrow('ENOENT');
  });
});
