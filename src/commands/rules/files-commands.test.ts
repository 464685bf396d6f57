import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { buildRule, buildRuleFile } from '../../../tests/support/build-rule.ts';
import { helpOf, printCommand } from '../../../tests/support/printed-command.ts';
import { UsageError } from '../../model/errors.ts';
import type { RuleFile } from '../../rules/file/rule-file.ts';
import { lintCommand } from './lint.ts';
import { testCommand } from './test.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mintscope-rules-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const rule = (name: string, given: Partial<RuleFile> = {}) =>
  write(`${name}.yaml`, JSON.stringify(buildRuleFile({ name, ...given })));
const lint = (...args: readonly string[]) => printCommand(lintCommand(), ...args);
const runTests = (...args: readonly string[]) => printCommand(testCommand(), ...args);
const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('rules lint', () => {
  test('prints the id and cost of each rule of a folder, by file name', async () => {
    const [one, two] = [rule('one'), rule('two')];
    mkdirSync(join(folder, 'beside'));
    write('notes.txt', 'no rule');
    const { stdout, exitCode } = await lint(folder);
    const [idOne, idTwo] = ['one', 'two'].map((name) => buildRule({ name }).id);
    expect(stdout).toMatch(
      new RegExp(`^${one}: ${plain(idOne)}, cost \\d+\n${two}: ${plain(idTwo)}`),
    );
    expect(exitCode).toBe(0);
  });

  test('prints one object for each file with --json', async () => {
    const good = rule('good');
    const bad = write('bad.yaml', 'name: bad');
    const { stdout, exitCode } = await lint(good, bad, '--json');
    const { id, cost } = buildRule({ name: 'good' });
    expect(linesOf(stdout)).toEqual([
      { file: good, rule_id: id, cost, problems: [] },
      {
        file: bad,
        rule_id: null,
        cost: null,
        problems: expect.arrayContaining([expect.any(String)]),
      },
    ]);
    expect(exitCode).toBe(1);
  });

  test('is shown with examples', () => {
    expect(helpOf(lintCommand())).toMatch(/Examples:\n {2}mintscope rules lint rules\/\n/);
  });

  test.each<[string, Partial<RuleFile>, string]>([
    [
      'contradictory condition',
      { when: 'pool.buys > 5 && pool.buys < 3' },
      'when: The condition can never be true: no value of pool.buys passes all that is asked of it.',
    ],
    [
      'unknown feature',
      { when: 'pool.liquidity > 5' },
      'when: There is no feature pool.liquidity for the scope pool_minute. Did you mean pool.liquidity_usd?',
    ],
    [
      'regular expression that explodes',
      { when: 'token.name.matches("(a+)+$")' },
      'when: Regular expressions are not allowed, because some take forever. Use contains, startsWith, endsWith or in.',
    ],
    [
      'list that explodes',
      {
        when: 'window.closes_15m.all(a, window.closes_15m.all(b, window.closes_15m.all(c, a + b > c)))',
      },
      'operations, at most 400 are allowed. Ask less of each element of a list, or split the rule.',
    ],
    [
      'division by 0',
      { when: 'pool.buys > 3 && pool.buys / 0 > 5' },
      'when: A division by 0 is never known: divide by a feature, or by another number. (line 1',
    ],
    [
      'remainder of 0 within a list',
      { when: '[1, 2].exists(one, one % -0 == 1) && pool.buys > 3' },
      'when: A division by 0 is never known',
    ],
    [
      'division by 0 of the confidence',
      { confidence: 'double(pool.buys) / 0.0' },
      'confidence: A division by 0 is never known',
    ],
    ['label of an alert', { label: 'calm' }, 'label: A label belongs to a rule of kind label'],
  ])('says of a %s what is wrong, and where', async (_, given, sentence) => {
    const { stdout, exitCode } = await lint(rule('bad', given));
    expect(stdout).toContain(sentence);
    expect(stdout).toMatch(/\(line \d+, column \d+\)\n$/);
    expect(exitCode).toBe(1);
  });

  test('refuses a huge file by its size, without reading it', async () => {
    const huge = write('huge.yaml', `name: ${'a'.repeat(300_000)}`);
    const { stdout, exitCode } = await lint(huge);
    expect(stdout).toBe(`${huge}: The rule has 300006 bytes, at most 65536 are allowed.\n`);
    expect(exitCode).toBe(1);
  });

  test('refuses YAML that is nested too deep, also 30,000 levels', async () => {
    const deep = write('deep.yaml', `name: ${'['.repeat(30)}${']'.repeat(30)}`);
    expect((await lint(deep)).stdout).toMatch(
      /nested 3\d levels deep, at most 16 are allowed\.\n$/,
    );
    const deeper = write('deeper.yaml', '['.repeat(30_000));
    expect((await lint(deeper)).stdout).toMatch(/levels deep, at most 16 are allowed\.\n$/);
  });

  test('refuses two rules of one name in different files, and reads one that is named twice once', async () => {
    const [one, two] = [rule('one'), rule('two')];
    write('two.yaml', JSON.stringify(buildRuleFile({ name: 'one', version: 2 })));
    const { stdout, exitCode } = await lint(folder);
    expect(stdout.split('\n')[1]).toBe(
      `${two}: ${one} has a rule of the name one too: rename one of them.`,
    );
    expect(exitCode).toBe(1);
    expect((await lint(one, one)).exitCode).toBe(0);
  });

  test('shows control characters of a file name as escapes', async () => {
    const { stdout } = await lint(
      rule('a', { when: 'pool.swaps > 0' }),
      write('b\u001b[2J.yaml', 'x'),
    );
    expect(stdout).toContain('b\\u001b[2J.yaml');
    expect(stdout).not.toContain('\u001b');
  });

  test('ends with a sentence where there is no rule', async () => {
    await expect(lint(join(folder, 'nowhere'))).rejects.toThrow(
      new UsageError(`There is no file or folder ${join(folder, 'nowhere')}.`),
    );
    await expect(lint(folder)).rejects.toThrow(
      new UsageError('There is no rule there: name files, or folders with *.yaml files.'),
    );
  });
});

describe('rules test', () => {
  const tests: RuleFile['tests'] = [
    { name: 'one swap', features: { 'pool.swaps': 1 }, expect: 'pass' },
    { name: 'no swap', features: { 'pool.swaps': 0 }, expect: 'pass' },
  ];

  test('prints each test with its outcome, and ends with 1 if one fails', async () => {
    const file = rule('tested', { tests });
    const { stdout, exitCode } = await runTests(file);
    expect(stdout).toBe(
      `passed  ${file}: one swap\nFAILED  ${file}: no swap: It should pass and is fail.\n`,
    );
    expect(exitCode).toBe(1);
    const passing = rule('passing', { tests: tests.slice(0, 1) });
    expect(await runTests(passing)).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test('prints one object for each test with --json', async () => {
    const file = rule('tested', { tests });
    expect(linesOf((await runTests(file, '--json')).stdout)).toEqual([
      { file, name: 'one swap', problem: null },
      { file, name: 'no swap', problem: 'It should pass and is fail.' },
    ]);
  });

  test('plays scenarios, and says what a division by zero makes of a condition', async () => {
    const file = rule('burst', {
      when: 'pool.wallets >= 30',
      cool_down_minutes: 0,
      tests: [
        { name: 'a call', scenario: { name: 'N4', seed: 'one' }, expect: { tokens: ['subject'] } },
        { name: 'no such', scenario: { name: 'N45', seed: 'one' }, expect: 'none' },
      ],
    });
    const zero = rule('zero', {
      when: 'pool.buys / pool.sells > 2',
      tests: [
        { name: 'no sale', features: { 'pool.buys': 4, 'pool.sells': 0 }, expect: 'unknown' },
        { name: 'no sale passes', features: { 'pool.buys': 4, 'pool.sells': 0 }, expect: 'pass' },
      ],
    });
    const { stdout, exitCode } = await runTests(file, zero);
    expect(stdout.split('\n')).toEqual([
      `passed  ${file}: a call`,
      `FAILED  ${file}: no such: There is no scenario N45. Did you mean N4?`,
      `passed  ${zero}: no sale`,
      `FAILED  ${zero}: no sale passes: It should pass and is unknown (unknown: division by zero).`,
      '',
    ]);
    expect(exitCode).toBe(1);
  });

  test('fails for a rule without a test, and for a file that is no rule', async () => {
    const bare = rule('bare');
    const bad = write('bad.yaml', 'when: [');
    const { stdout, exitCode } = await runTests(bare, bad);
    expect(stdout).toMatch(new RegExp(`^FAILED {2}${bare}: It has no test\\.\nFAILED {2}${bad}: `));
    expect(exitCode).toBe(1);
  });

  test('is shown with examples', () => {
    expect(helpOf(testCommand())).toMatch(/Examples:\n {2}mintscope rules test rules\/\n/);
  });
});

function plain(text = ''): string {
  return text.replaceAll('+', '\\+');
}
