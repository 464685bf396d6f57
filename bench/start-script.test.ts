import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { startScript } from './start-script.ts';

test('benches run the service with the options and variables of the start command', () => {
  const { environment, options } = startScript();
  expect(environment).toEqual({
    NODE_COMPILE_CACHE: resolve('node_modules/.cache/compiled'),
    UV_THREADPOOL_SIZE: '16',
    MALLOC_ARENA_MAX: '2',
    MALLOC_MMAP_THRESHOLD_: '1048576',
    MALLOC_TRIM_THRESHOLD_: '1048576',
  });
  expect(options).toContain('--max-semi-space-size=64');
  expect(options).toContain('--heap-growing-percent=60');
});

test('benches that fold in their own process have the options of the start command', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  for (const name of ['bench', 'bench:state']) {
    expect(scripts[name].split(' '), name).toEqual(
      expect.arrayContaining([...startScript().options]),
    );
  }
});
