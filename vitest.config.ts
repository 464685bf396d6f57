import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vitest/config';

const SEEDED = fileURLToPath(new URL('tests/support/seeded-properties.ts', import.meta.url));

/** Tests get `fast-check` with its seed set; only the file that sets it gets the package itself. */
const seededProperties: Plugin = {
  name: 'seeded-properties',
  enforce: 'pre',
  resolveId: (source, importer) =>
    source === 'fast-check' && importer !== SEEDED ? SEEDED : undefined,
};

export default defineConfig({
  plugins: [seededProperties],
  test: {
    include: [
      'src/**/*.test.ts',
      'simulator/**/*.test.ts',
      'tests/**/*.test.ts',
      'bench/**/*.test.ts',
    ],
    // chDB binds one data folder per process, so every file that opens a store gets its own.
    pool: 'forks',
    // Many files wait for processes that they start, so that two keep two cores busy.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
