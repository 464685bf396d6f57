import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { codeThat, TEST_DETECTOR } from '../../../tests/support/detector-package.ts';
import { UsageError } from '../../model/errors.ts';
import { readPackage } from './read-package.ts';
import { readPackages } from './read-packages.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mintscope-detectors-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

const manifest = (given: object = {}) =>
  JSON.stringify({ name: TEST_DETECTOR, version: '1.2.3', ...given });

function writePackage(place = 'one', given: object = {}): void {
  write(`${place}/package.json`, manifest(given));
  write(`${place}/index.js`, codeThat('return []'));
}

const read = (place = './one') => readPackage(place, folder);

describe('a package', () => {
  test('is read from a folder, or by its name from where npm installs it', () => {
    writePackage();
    writePackage(`node_modules/${TEST_DETECTOR}`);
    const byPath = read();
    expect(byPath).toMatchObject({
      name: TEST_DETECTOR,
      packageVersion: '1.2.3',
      main: 'index.js',
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(byPath.files.map(({ path }) => path)).toEqual(['index.js', 'package.json']);
    expect(read(TEST_DETECTOR)).toEqual(byPath);
    expect(read(join(folder, 'one'))).toEqual(byPath);
  });

  test('has another hash when any file is changed, renamed or added, and no other', () => {
    writePackage();
    write('one/README.md', 'one');
    const hashes = new Set([read().hash]);
    write('one/README.md', 'two');
    hashes.add(read().hash);
    write('one/notes.md', '');
    hashes.add(read().hash);
    write('one/README.md', 'one');
    hashes.add(read().hash);
    expect(hashes.size).toBe(4);
    rmSync(join(folder, 'one/notes.md'));
    expect(hashes).toContain(read().hash);
    expect([...hashes][0]).toBe(read().hash);
  });

  test('has the same hash whatever its bytes are split into', () => {
    writePackage();
    write('one/a', 'xb 1 y');
    const one = read().hash;
    rmSync(join(folder, 'one/a'));
    write('one/a', 'x');
    write('one/b', 'y');
    expect(read().hash).not.toBe(one);
  });
});

describe('a package that cannot be used', () => {
  test.each<[string, () => void, string]>([
    ['is not there', () => undefined, 'is not at'],
    ['has no package.json', () => write('one/index.js', ''), 'it has no package.json'],
    [
      'has a package.json that is none',
      () => {
        writePackage();
        write('one/package.json', '{');
      },
      'is no JSON',
    ],
    [
      'has a package.json that is null',
      () => {
        writePackage();
        write('one/package.json', 'null');
      },
      'its name in package.json is not mintscope-detector-',
    ],
    ['has another name', () => writePackage('one', { name: 'left-pad' }), 'is not mintscope-det'],
    [
      'has a name with a path',
      () => writePackage('one', { name: 'mintscope-detector-../x' }),
      'is not mintscope-detector-',
    ],
    ['has no version', () => writePackage('one', { version: 1 }), 'has no version'],
    ['has no code', () => writePackage('one', { main: 'dist/index.js' }), 'no file dist/index.js'],
    ['has a main outside', () => writePackage('one', { main: '../x.js' }), 'no file ../x.js'],
    [
      'has dependencies',
      () => writePackage('one', { dependencies: { 'left-pad': '1' } }),
      'bundle them',
    ],
    [
      'has packages in it',
      () => {
        writePackage();
        write('one/node_modules/left-pad/index.js', '');
      },
      'packages of its own',
    ],
    [
      'has a link out of its folder',
      () => {
        writePackage();
        write('secret', 'secret');
        symlinkSync(join(folder, 'secret'), join(folder, 'one/data.json'));
      },
      'data.json is a link',
    ],
    [
      'has a link to a folder',
      () => {
        writePackage();
        symlinkSync(folder, join(folder, 'one/lib'));
      },
      'lib is a link',
    ],
    [
      'has a pipe',
      () => {
        writePackage();
        execFileSync('mkfifo', [join(folder, 'one/pipe')]);
      },
      'pipe is no file',
    ],
    [
      'is too large',
      () => {
        writePackage();
        write('one/big.bin', 'x'.repeat(2 * 1_024 * 1_024));
      },
      'more than 2097152 bytes',
    ],
    [
      'has too many files',
      () => {
        writePackage();
        for (let at = 0; at < 200; at++) write(`one/${at}.txt`, '');
      },
      'more than 200 files',
    ],
    [
      'is too deep',
      () => {
        writePackage();
        write(`one/${'a/'.repeat(18)}b.js`, '');
      },
      'is too deep',
    ],
  ])('because it %s is refused', (_, prepare, sentence) => {
    prepare();
    expect(() => read()).toThrow(UsageError);
    expect(() => read()).toThrow(sentence);
  });

  test('by a name that is no path and no package of a detector is refused', () => {
    expect(() => read('left-pad')).toThrow('"left-pad" is no detector');
  });
});

test('two packages of one name are refused, and both are named', () => {
  writePackage('one');
  writePackage('two');
  const readBoth = () => readPackages(['./one', './two'], folder);
  expect(readBoth).toThrow(`./one and ./two are both detectors named ${TEST_DETECTOR}: name one.`);
  writePackage('two', { name: 'mintscope-detector-another' });
  expect(readBoth().map(({ name }) => name)).toEqual(['mintscope-detector-another', TEST_DETECTOR]);
});
