import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vitest/config';
import { SLOWEST_TESTS, SlowestFirst } from './scripts/slowest-first.ts';
import { testsOfTheirOwn } from './scripts/test-projects.ts';

const ROOT = fileURLToPath(new URL('.', import.meta.url));
const SEEDED = fileURLToPath(new URL('tests/support/seeded-properties.ts', import.meta.url));

/** Tests get `fast-check` with its seed set; only the file that sets it gets the package itself. */
const seededProperties: Plugin = {
  name: 'seeded-properties',
  enforce: 'pre',
  resolveId: (source, importer) =>
    source === 'fast-check' && importer !== SEEDED ? SEEDED : undefined,
};

const testsIn = (...folders: readonly string[]) =>
  folders.map((folder) => `${folder}/**/*.test.ts`);
const OF_ROUTES = testsIn('src/api/routes');
const OF_API = testsIn('src/api');
const OF_FOLD = testsIn(
  ...['src/engine', 'src/fold', 'src/fraud', 'src/signals', 'src/rules', 'src/backtest'],
);
const OF_PRODUCT = testsIn('src');
const OF_OTHERS = testsIn('simulator', 'site', 'tests', 'bench', 'web', 'clients');
const ALL = [...OF_PRODUCT, ...OF_OTHERS];
const OWN = testsOfTheirOwn(ROOT, globSync(ALL, { cwd: ROOT }));

/** Test processes, and all threads and processes that they start, find modules compiled. */
process.env.NODE_COMPILE_CACHE ??= `${ROOT}node_modules/.cache/compiled`;

const limits = {
  runner: `${ROOT}scripts/runner-in-time.ts`,
  setupFiles: [
    `${ROOT}tests/support/patient-waits.ts`,
    `${ROOT}tests/support/end-left-processes.ts`,
  ],
  testTimeout: 600_000,
  hookTimeout: 600_000,
  // What happens in the background takes more than the second of the default on a busy machine.
  expect: { poll: { timeout: 120_000 } },
  // `scripts/repeated-tests.ts` names the tests that needed it.
  retry: 1,
};

/**
 * Tests that share two threads, each of which keeps what it has loaded until all tests of its
 * project are over: in one project of all, a thread reaches the limit of its heap.
 */
const onThreads = (
  name: string,
  groupOrder: number,
  include: readonly string[],
  elsewhere: readonly string[] = [],
) => ({
  extends: true as const,
  test: {
    ...limits,
    name,
    include: [...include],
    exclude: [...OWN, ...SLOWEST_TESTS, ...elsewhere],
    pool: 'threads' as const,
    isolate: false,
    maxWorkers: 2,
    sequence: { groupOrder },
  },
});

const inProcesses = (name: string, groupOrder: number, include: readonly string[]) => ({
  extends: true as const,
  test: {
    ...limits,
    name,
    include: [...include],
    pool: 'forks' as const,
    // Many of them wait for processes that they start, so that four keep two cores busy.
    maxWorkers: 4,
    sequence: { groupOrder },
  },
});

export default defineConfig({
  plugins: [seededProperties],
  test: {
    sequence: { sequencer: SlowestFirst },
    projects: [
      onThreads('threads', 0, OF_PRODUCT, [...OF_API, ...OF_FOLD]),
      onThreads('threads of routes', 1, OF_ROUTES),
      onThreads('threads of the API', 2, OF_API, OF_ROUTES),
      onThreads('threads of the fold', 3, OF_FOLD),
      onThreads('threads of others', 4, OF_OTHERS),
      inProcesses(
        'processes',
        5,
        OWN.filter((path) => !SLOWEST_TESTS.includes(path)),
      ),
      inProcesses('slow processes', 6, SLOWEST_TESTS),
    ],
  },
});
