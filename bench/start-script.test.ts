import { expect, test } from 'vitest';
import { startScript } from './start-script.ts';

test('the start script is parsed like a shell command', () => {
  const { environment, options } = startScript();
  expect(environment).toEqual({
    NODE_COMPILE_CACHE: 'node_modules/.cache/compiled',
    UV_THREADPOOL_SIZE: '16',
    MALLOC_ARENA_MAX: '2',
  });
  expect(options).toContain('--max-semi-space-size=64');
});
