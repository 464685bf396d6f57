import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { openKeys } from '../../src/store/open-keys.ts';
import { runCommand, temporaryFolder } from '../support/command-line.ts';

const USAGE_EXIT = 2;
const INSTANT = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`;

interface Row {
  readonly key_id: string;
  readonly label: string;
  readonly state: string;
  readonly expires_at: string | null;
}

describe('keys list', () => {
  const dataDir = join(temporaryFolder(), 'made', 'by-create');
  const keys = (...args: string[]) => runCommand(['keys', ...args, '--data-dir', dataDir]);
  let rows: readonly Row[];
  let lines: readonly string[];

  beforeAll(async () => {
    await keys('create', '--label', 'endless');
    await keys('create', '--label', 'a month', '--expires-in-days', '30');
    // Less than half a millisecond: the key expires immediately.
    await keys('create', '--label', 'over', '--expires-in-days', '0.000000001');
    const made = await keys(
      'create',
      '--label',
      'over and revoked',
      '--expires-in-days',
      '1e-9',
      '--json',
    );
    await keys('revoke', (JSON.parse(made.stdout) as Row).key_id);
    rows = JSON.parse((await keys('list', '--json')).stdout) as Row[];
    lines = (await keys('list')).stdout.trimEnd().split('\n');
  });

  const lineOf = (label: string) => lines.find((line) => line.endsWith(`  ${label}`));

  test('lists the keys of a folder that create made', () => {
    expect(lines).toHaveLength(4);
  });

  test('distinguishes live, expired and revoked keys', () => {
    const states = Object.fromEntries(rows.map(({ label, state }) => [label, state]));
    expect(states).toEqual({
      endless: 'live',
      'a month': 'live',
      over: 'expired',
      'over and revoked': 'revoked',
    });
    expect(lineOf('endless')).toMatch(/^\w{11} {2}live {5}/);
    expect(lineOf('over')).toMatch(/^\w{11} {2}expired {2}/);
    expect(lineOf('over and revoked')).toMatch(/^\w{11} {2}revoked {2}/);
  });

  test('shows in the text form when a key expires', () => {
    const month = rows.find(({ label }) => label === 'a month');
    expect(month?.expires_at).toMatch(new RegExp(`^${INSTANT}$`));
    expect(lineOf('a month')).toContain(`  expires ${month?.expires_at}  default  read  `);
    expect(lineOf('endless')).toMatch(new RegExp(`${INSTANT}  never expires +default  read  `));
  });
});

describe.concurrent('keys create', () => {
  test.each([
    ['a line break', 'two\nlines'],
    ['an escape sequence', '\u001b[31mred'],
    ['a C1 control', 'a\u009bb'],
    ['a line separator', 'a\u2028b'],
    ['101 characters', 'x'.repeat(101)],
  ])('refuses a label with %s in one sentence and creates no key', async (_, label) => {
    const dataDir = join(temporaryFolder(), 'data');
    const refused = await runCommand(['keys', 'create', '--label', label, '--data-dir', dataDir]);
    expect(refused).toMatchObject({
      exitCode: USAGE_EXIT,
      stdout: '',
      stderr:
        'mintscope: A label is at most 100 characters, without line breaks and other control characters.\n',
    });
    expect(existsSync(dataDir)).toBe(false);
  });

  test('refuses an account that would speak for the operator, and creates no key', async () => {
    const dataDir = join(temporaryFolder(), 'data');
    const parts = ['--label', 'bot', '--account', 'operator', '--data-dir', dataDir];
    const refused = await runCommand(['keys', 'create', ...parts]);
    expect(refused).toMatchObject({
      exitCode: USAGE_EXIT,
      stdout: '',
      stderr:
        'mintscope: The account "operator" is who runs the service and its rules for all: choose another id.\n',
    });
    expect(existsSync(dataDir)).toBe(false);
  });

  test('accepts a label of 100 characters, also of two code units each', async () => {
    const dataDir = temporaryFolder();
    const label = '🪙'.repeat(100);
    const made = await runCommand([
      'keys',
      'create',
      '--json',
      '--label',
      label,
      '--data-dir',
      dataDir,
    ]);
    expect(made.exitCode).toBe(0);
    expect(JSON.parse(made.stdout)).toMatchObject({ label, state: 'live', expires_at: null });
  });
});

describe('keys of the service that is meant', () => {
  test('an empty list says so, apart from standard output', async () => {
    const dataDir = join(temporaryFolder(), 'data');
    openKeys(dataDir).close();
    const { stdout, stderr } = await runCommand(['keys', 'list', '--data-dir', dataDir]);
    expect(stdout).toBe('');
    expect(stderr).toBe('There are no keys: "mintscope keys create" makes one.\n');
  });

  test('are those of a simulated market if there is no other data', async () => {
    const dataDir = join(temporaryFolder(), 'data');
    openKeys(`${dataDir}-simulated`).close();
    const { stdout, stderr } = await runCommand(['keys', 'create', '--data-dir', dataDir]);
    expect(stderr).toBe(`Keys of the simulated market in ${dataDir}-simulated.\n`);
    const { keys, close } = openKeys(`${dataDir}-simulated`);
    expect([keys.list().length, stdout.trim().startsWith('tik_live_')]).toEqual([1, true]);
    close();
    expect(existsSync(dataDir)).toBe(false);
  });
});

describe.concurrent('keys on a folder that does not exist', () => {
  test.each([['list'], ['revoke', 'k7Jq2bXcT4m']])(
    '%s fails and does not create it',
    async (...args) => {
      const dataDir = join(temporaryFolder(), 'mistyped');
      const refused = await runCommand(['keys', ...args, '--data-dir', dataDir]);
      expect(refused).toMatchObject({
        exitCode: USAGE_EXIT,
        stdout: '',
        stderr: `mintscope: There is no folder ${dataDir}: name the data folder with --data-dir.\n`,
      });
      expect(existsSync(dataDir)).toBe(false);
    },
  );
});

describe('keys with a configuration file', () => {
  test('refuses a dataDir of null and names the setting', async () => {
    const config = join(temporaryFolder(), 'mintscope.json');
    writeFileSync(config, '{"dataDir": null}');
    const refused = await runCommand(['keys', 'list', '--config', config]);
    expect(refused).toMatchObject({
      exitCode: USAGE_EXIT,
      stderr:
        'mintscope: "dataDir" in the configuration file must be a string, a number or a boolean, not null.\n',
    });
  });
});

describe.concurrent('keys help', () => {
  test.each(['create', 'list', 'revoke'])('help of %s has an example', async (name) => {
    const { stdout, exitCode } = await runCommand(['keys', name, '--help']);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(new RegExp(`\nExamples?:\n {2}mintscope keys ${name}\\b`));
  });
});
