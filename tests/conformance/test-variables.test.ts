import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';

test('what a test starts accepts each variable that a run of tests sets or reads', () => {
  const files = globSync(['scripts/**/*.ts', 'tests/**/*.ts', 'bench/**/*.ts', 'vitest.config.ts']);
  const names = new Set(files.flatMap(variablesOf));
  expect(names).toContain('MINTSCOPE_TEST_BEGIN_UNTIL_MS');
  for (const name of names) expect(() => readConfig({ [name]: '1' }, {}), name).not.toThrow();
});

/** The variables of Mintscope that a file reads of its environment, or passes on with it. */
function variablesOf(path: string): string[] {
  const text = readFileSync(path, 'utf8');
  const read = text.matchAll(/process\.env\.(MINTSCOPE_[A-Z_]+)/g);
  const passed = text.matchAll(/\.\.\.process\.env, (MINTSCOPE_[A-Z_]+)/g);
  return [...read, ...passed].map(([, name]) => name as string);
}
