import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

test('the limit is that reported by the shell', () => {
  const module = fileURLToPath(new URL('open-files.ts', import.meta.url));
  const script = `import(${JSON.stringify(module)}).then((m) => console.log(m.openFilesMax()))`;
  const limit = execFileSync('sh', [
    '-c',
    'ulimit -n 777; exec "$0" -e "$1"',
    process.execPath,
    script,
  ]);
  expect(limit.toString().trim()).toBe('777');
});
