import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

type Environment = Readonly<Record<string, string>>;

interface StartCommand {
  callersFolder(environment: Environment): string | null;
  unsuitableRuntime(version: string, platform: string, isClone: boolean): string | null;
  runtimeOf(environment: Environment): { readonly environment: Environment };
}

const FILE = resolve('bin/mintscope.cjs');
const { callersFolder, unsuitableRuntime, runtimeOf } = createRequire(import.meta.url)(
  FILE,
) as StartCommand;

test('Node 24 and newer are suitable, on Linux and macOS', () => {
  expect(unsuitableRuntime('24.0.0', 'linux', false)).toBeNull();
  expect(unsuitableRuntime('26.1.0', 'darwin', true)).toBeNull();
  expect(unsuitableRuntime('22.21.0', 'linux', false)).toMatch(
    /needs Node 24 or newer .* 22\.21\.0 .*install a newer one/,
  );
  expect(unsuitableRuntime('22.21.0', 'linux', true)).toMatch(/"npm ci" .*"npm rebuild node"\.$/);
  expect(unsuitableRuntime('24.0.0', 'win32', false)).toMatch(/WSL 2/);
});

test('what is read by an old Node has no syntax or module name newer than Node 12', () => {
  for (const file of [FILE, resolve('bin/healthcheck.cjs')]) {
    const code = readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
    expect(code).not.toMatch(/\?\.|\?\?|node:|\bawait\b|#\w+[ (=]|\.at\(|replaceAll/);
  }
});

test('a variable that is set is left as it is', () => {
  const { environment } = runtimeOf({ UV_THREADPOOL_SIZE: '4', NODE_COMPILE_CACHE: '/cache' });
  expect(environment).toMatchObject({
    UV_THREADPOOL_SIZE: '4',
    MALLOC_ARENA_MAX: '2',
    MALLOC_MMAP_THRESHOLD_: '1048576',
    MALLOC_TRIM_THRESHOLD_: '1048576',
    NODE_COMPILE_CACHE: '/cache',
  });
});

test('relative paths mean the folder in which npm was called, if npm runs this command', () => {
  const called = {
    npm_package_json: resolve('package.json'),
    npm_lifecycle_event: 'start',
    INIT_CWD: '/home/person',
  };
  expect(callersFolder(called)).toBe('/home/person');
  // A test that is run by npm starts the command itself.
  expect(callersFolder({ ...called, npm_lifecycle_event: 'test' })).toBeNull();
  expect(callersFolder({ ...called, npm_package_json: '/other/package.json' })).toBeNull();
  expect(callersFolder({})).toBeNull();
});
