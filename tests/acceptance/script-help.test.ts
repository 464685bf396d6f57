import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Chains of other scripts, and tools of others, which answer for themselves. */
const OF_OTHERS = [
  'start',
  'mintscope',
  'test',
  'check',
  'lint',
  'format',
  'types',
  'layers',
  'prepare',
];

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};
const names = Object.keys(scripts).filter((name) => !OF_OTHERS.includes(name));

test('there are scripts to ask', () => {
  expect(names).toContain('bench:state');
});

test.each(names)(
  'npm run %s -- --help says what it does, with an example',
  (name) => {
    const { status, stdout, stderr } = spawnSync('sh', ['-c', `${scripts[name]} --help`], {
      encoding: 'utf8',
      env: { ...process.env, PATH: `node_modules/.bin:${process.env.PATH}` },
    });
    expect(stderr).not.toMatch(/^\s+at .*:\d+:\d+\)?$/m);
    expect(status, stderr).toBe(0);
    expect(stdout).toMatch(/^Examples?\b/m);
    expect(stdout).toContain(`npm run ${name}`.replace(/ (bench:state)$/, ' -s $1'));
  },
  400_000,
);
