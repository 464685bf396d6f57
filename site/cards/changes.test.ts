import { expect, test } from 'vitest';
import { apiChangesPage } from './changes.ts';

const CHANGELOG = `# Changelog

## 2.0.0

### API

- a parameter

### Dashboard

- a button

### Sections of tomorrow

- a field
`;

test('the changes of the API have sections of any name but those that do not concern its clients', () => {
  const page = { path: 'changelog', group: 'Project', title: '', summary: '' } as const;
  const { markdown } = apiChangesPage({ ...page, markdown: CHANGELOG });
  expect(markdown).toContain('## 2.0.0');
  expect(markdown).toContain('- a parameter');
  expect(markdown).toContain('- a field');
  expect(markdown).not.toContain('- a button');
});
