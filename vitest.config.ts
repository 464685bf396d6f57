import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vitest/config';
import { SlowestFirst } from './scripts/slowest-first.ts';
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

const ALL = ['src', 'simulator', 'site', 'tests', 'bench', 'web', 'clients'].map(
  (folder) => `${folder}/**/*.test.ts`,
);
const OWN = testsOfTheirOwn(ROOT, globSync(ALL, { cwd: ROOT }));

/** Test processes, and all threads and processes that they start, find modules compiled. */
process.env.NODE_COMPILE_CACHE ??= `${ROOT}node_modules/.cache/compiled`;

const limits = { testTimeout: 180_000, hookTimeout: 180_000 };

export default defineConfig({
  plugins: [seededProperties],
  test: {
    sequence: { sequencer: SlowestFirst },
    projects: [
      {
        extends: true,
        test: {
          ...limits,
          name: 'threads',
          include: ALL,
          exclude: [...OWN],
          pool: 'threads',
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          ...limits,
          name: 'processes',
          include: [...OWN],
          pool: 'forks',
          // Many of them wait for processes that they start, so that four keep two cores busy.
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
