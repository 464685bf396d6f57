import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ruleLibraryPage } from './rule-library.ts';

test('the page of the library has every file as it is', () => {
  const { markdown } = ruleLibraryPage('.');
  const files = globSync('docs/rules/library/*.yaml');
  expect(files).toHaveLength(10);
  for (const file of files) expect(markdown).toContain(readFileSync(file, 'utf8').trimEnd());
  expect(markdown).toContain('(/docs/quality/rule-library.md)');
});
