import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { shellWord } from './shell-word.ts';

test.each(['/var/lib/mintscope', 'my data', "it's here", '$HOME `id` "x" \\ *', ''])(
  'a shell reads %j back as one word',
  (text) => {
    const words = execFileSync('/bin/sh', ['-c', `printf '<%s>' ${shellWord(text)}`]);
    expect(String(words)).toBe(`<${text}>`);
  },
);

test('a plain path stays as it is', () => {
  expect(shellWord('/var/lib/mintscope-1.2')).toBe('/var/lib/mintscope-1.2');
});
