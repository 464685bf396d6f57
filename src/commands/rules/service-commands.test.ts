import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { buildRule, buildRuleFile, ruleContent } from '../../../tests/support/build-rule.ts';
import { asOfFakeSlot, READ_KEY, WRITE_KEY } from '../../../tests/support/fake-api-deps.ts';
import { fakeApiServer } from '../../../tests/support/fake-api-server.ts';
import { helpOf, printCommand } from '../../../tests/support/printed-command.ts';
import { ServiceError, UsageError } from '../../model/errors.ts';
import type { ListedRule, RulePublication } from '../../model/rule-listing.ts';
import type { RuleFile } from '../../rules/file/rule-file.ts';
import { diffCommand } from './diff.ts';
import { listCommand } from './list.ts';
import { publishCommand } from './publish.ts';

let folder: string;
let api: FastifyInstance;
let url: string;
/** What the service has, and answers to a publication. */
let listed: ListedRule[];
let publication: (text: string) => RulePublication;
let published: string[];

const listedOf = (given: Partial<RuleFile>, more: Partial<ListedRule> = {}): ListedRule => {
  const { file, hash } = buildRule(given);
  const { name, version, kind, title, scope } = file;
  const content = ruleContent(given);
  const rule = { name, version, kind, title, scope, hash, content };
  return { author: 'account of writer', isJudged: true, ...rule, ...more };
};

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mintscope-rules-'));
  listed = [];
  published = [];
  publication = (text) => ({ kind: 'changed', rule: listedOf(JSON.parse(text)) });
  api = fakeApiServer({
    rules: {
      list: async () => asOfFakeSlot(listed.map((rule) => ({ ...rule, hitCount: 0 }))),
      publish: async ({ text }) => {
        published.push(text);
        return publication(text);
      },
      withdraw: async () => null,
      hits: async () => asOfFakeSlot([]),
      hitPage: async () => asOfFakeSlot({ hits: [], next: null }),
    },
  });
  await api.listen({ port: 0, host: '127.0.0.1' });
  url = `http://127.0.0.1:${(api.server.address() as AddressInfo).port}`;
  process.env.MINTSCOPE_API_KEY = WRITE_KEY;
});

afterEach(async () => {
  delete process.env.MINTSCOPE_API_KEY;
  await api.close();
  rmSync(folder, { recursive: true });
});

function write(name: string, given: Partial<RuleFile> = {}): string {
  const path = join(folder, `${name}.yaml`);
  writeFileSync(path, JSON.stringify(buildRuleFile({ name, ...given })));
  return path;
}

const diff = (...args: string[]) => printCommand(diffCommand(), ...args, '--url', url);
const list = (...args: string[]) => printCommand(listCommand(), ...args, '--url', url);
const publish = (...args: string[]) => printCommand(publishCommand(), ...args, '--url', url);
const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('rules publish', () => {
  test('sends each rule as its canonical content, and prints its id', async () => {
    write('one');
    write('two');
    const { stdout, exitCode } = await publish(folder);
    expect(published).toEqual([ruleContent({ name: 'one' }), ruleContent({ name: 'two' })]);
    const ids = ['one', 'two'].map((name) => buildRule({ name }).id);
    expect(stdout).toBe(`${ids[0]} is published\n${ids[1]} is published\n`);
    expect(exitCode).toBe(0);
  });

  test('prints what the service answers with --json', async () => {
    const { stdout } = await publish(write('one'), '--json');
    expect(JSON.parse(stdout)).toMatchObject({ rule_id: buildRule({ name: 'one' }).id });
  });

  test.each<[string, Partial<RuleFile>, string]>([
    [
      'a test fails',
      { tests: [{ name: 'none', features: { 'pool.swaps': 0 }, expect: 'pass' }] },
      'none: It should pass and is fail.',
    ],
    ['a file is no rule', { when: 'pool.swap > 0' }, 'There is no feature pool.swap'],
  ])('publishes nothing, also of other files, when %s', async (_, given, sentence) => {
    write('a-good-one');
    write('bad', given);
    const refused = publish(folder);
    await expect(refused).rejects.toBeInstanceOf(UsageError);
    await expect(refused).rejects.toThrow(sentence);
    expect(published).toEqual([]);
  });

  test('does not play scenarios, which only rules test does', async () => {
    const scenario = { name: 'no such scenario', seed: 'one' };
    await publish(write('one', { tests: [{ name: 'x', scenario, expect: 'none' }] }));
    expect(published).toHaveLength(1);
  });

  test('says that the version must be raised, and that a key may not publish', async () => {
    publication = () => ({ kind: 'old', version: 3 });
    const file = write('one');
    await expect(publish(file)).rejects.toThrow(
      'The rule has version 3 with another content: raise the version above it.',
    );
    process.env.MINTSCOPE_API_KEY = READ_KEY;
    await expect(publish(file)).rejects.toThrow(/triggers:write/);
  });
});

describe('rules diff', () => {
  test('prints what is the same, new, changed and not among the files, and ends with 1', async () => {
    write('changed', { version: 2 });
    write('new');
    write('same');
    listed = ['changed', 'gone', 'same'].map((name) => listedOf({ name }));
    const id = (given: Partial<RuleFile>) => buildRule(given).id;
    const { stdout, exitCode } = await diff(folder);
    expect(stdout.trimEnd().split('\n')).toEqual([
      `${id({ name: 'changed' })} -> ${id({ name: 'changed', version: 2 })}`,
      `new -> ${id({ name: 'new' })}`,
      `same  ${id({ name: 'same' })}`,
      `${id({ name: 'gone' })} -> not among the files`,
    ]);
    expect(exitCode).toBe(1);
  });

  test('ends with 0 if nothing differs, and leaves rules of the operator aside', async () => {
    listed = [listedOf({ name: 'same' }), listedOf({ name: 'other' }, { author: 'operator' })];
    const { stdout, exitCode } = await diff(write('same'), '--json');
    const { id } = buildRule({ name: 'same' });
    expect(linesOf(stdout)).toEqual([
      { file: join(folder, 'same.yaml'), from: id, to: id, problems: [] },
    ]);
    expect(exitCode).toBe(0);
  });

  test('reports a file that is no rule', async () => {
    const bad = write('bad', { when: 'pool.swap > 0' });
    const { stdout, exitCode } = await diff(bad);
    expect(stdout).toMatch(/bad\.yaml: when: There is no feature pool\.swap/);
    expect(exitCode).toBe(1);
  });
});

describe('rules list', () => {
  test('prints the rules of the account and of the operator, and which are not judged yet', async () => {
    expect((await list()).stdout).toContain('There are no rules.');
    listed = [
      listedOf({ name: 'own' }, { isJudged: false, title: 'A\u001b[2Jtitle' }),
      listedOf({ name: 'theirs' }, { author: 'operator' }),
    ];
    const { stdout } = await list();
    expect(stdout).toContain(
      `${buildRule({ name: 'own' }).id}  account  alert (not judged yet)  A\\u001b[2Jtitle`,
    );
    expect(stdout).toContain(`${buildRule({ name: 'theirs' }).id}  operator  alert  Any trade`);
  });

  test('prints the answer unchanged with --json', async () => {
    listed = [listedOf({ name: 'own' })];
    const answer = await fetch(`${url}/v1/rules`, { headers: { 'x-api-key': WRITE_KEY } });
    expect((await list('--json')).stdout).toBe(`${await answer.text()}\n`);
  });
});

describe.each([
  ['diff', diffCommand, true],
  ['list', listCommand, false],
  ['publish', publishCommand, true],
] as const)('rules %s', (name, command, hasFile) => {
  test('says where it looked for a service that does not answer', async () => {
    const { port } = api.server.address() as AddressInfo;
    await api.close();
    const args = [...(hasFile ? [write('one')] : []), '--url', url];
    const refused = printCommand(command(), ...args);
    await expect(refused).rejects.toBeInstanceOf(ServiceError);
    await expect(refused).rejects.toThrow(
      `No service answers at 127.0.0.1:${port}: start one with "mintscope start", or name its address with --url.`,
    );
  });

  test('is shown with examples, one of them with --json', () => {
    const help = helpOf(command());
    expect(help).toMatch(/\nExamples:\n/);
    expect(help).toMatch(new RegExp(`  mintscope rules ${name}.* --json`));
  });
});
