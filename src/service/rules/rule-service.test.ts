import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { buildFacts } from '../../../tests/support/build-records.ts';
import { buildRuleFile, ruleContent } from '../../../tests/support/build-rule.ts';
import { RuleChanges } from '../../ingestion/rule-changes.ts';
import type { PublishedRule } from '../../model/rule-change.ts';
import { openControlPlane } from '../../store/control/control-plane.ts';
import { StoredRules } from '../../store/control/rules.ts';
import { type ControlWrites, OWN_WRITES } from '../shared/control-writes.ts';
import { RuleService, wantedRules } from './rule-service.ts';
import { operatorRules } from './rules-folder.ts';

let folder: string;
let database: DatabaseSync;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rules-'));
  database = openControlPlane(join(folder, 'control.sqlite'));
});

afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

function open(operator: readonly PublishedRule[] = [], control: ControlWrites | null = OWN_WRITES) {
  const limits = { perAccountMax: 3, rulesMax: 4, contentMax: 100_000 };
  const stored = new StoredRules(database, () => 1_000, limits);
  const changes = new RuleChanges(wantedRules(stored, operator));
  const judged: PublishedRule[] = [];
  const service = new RuleService({
    stored,
    operator,
    changes,
    judged: () => ({ publishedRules: () => judged }),
    control,
  });
  /** What the next slot gets, as if the fold judged it from then on. */
  const attached = () => {
    const fold = { finalSlot: -1, engine: { publishedRules: () => judged } };
    return changes.attach(buildFacts(10), fold).ruleChanges ?? [];
  };
  return { service, judged, attached };
}

const text = (given: Parameters<typeof buildRuleFile>[0] = {}) =>
  JSON.stringify(buildRuleFile(given));

describe('rules of an account', () => {
  test('are refused by a replica until it agrees with others on what is published', async () => {
    const { service } = open([], null);
    const request = { accountId: 'a', text: text() };
    await expect(service.publish(request)).rejects.toMatchObject({ status: 503 });
    expect(await service.list('a')).toEqual([]);
    service.share(OWN_WRITES);
    expect(await service.publish(request)).toMatchObject({ kind: 'changed' });
  });

  test('are published with the next slot, listed, and judged when the fold has them', async () => {
    const { service, judged, attached } = open();
    const outcome = await service.publish({ accountId: 'a', text: text() });
    expect(outcome).toMatchObject({ kind: 'changed', rule: { author: 'a', isJudged: false } });
    const change = { author: 'a', name: 'any-trade', content: ruleContent() };
    expect(attached()).toEqual([change]);
    judged.push(change);
    expect(await service.list('a')).toMatchObject([{ name: 'any-trade', isJudged: true }]);
    expect(await service.list('b')).toEqual([]);
    expect(await service.publish({ accountId: 'a', text: text() })).toMatchObject({ kind: 'same' });
  });

  test('are changed by a higher version only', async () => {
    const { service } = open();
    const publish = (version: number, title: string) =>
      service.publish({ accountId: 'a', text: text({ version, title }) });
    await publish(2, 'first');
    expect(await publish(2, 'second')).toEqual({ kind: 'old', version: 2 });
    expect(await publish(1, 'second')).toEqual({ kind: 'old', version: 2 });
    expect(await publish(3, 'second')).toMatchObject({ kind: 'changed', rule: { version: 3 } });
  });

  test('are bounded for an account and for all, in number and in size', async () => {
    const { service } = open();
    const publish = (accountId: string, name: string) =>
      service.publish({ accountId, text: text({ name }) });
    for (const name of ['one', 'two', 'three']) await publish('a', name);
    expect(await publish('a', 'four')).toEqual({ kind: 'full', rulesMax: 3 });
    expect(await publish('b', 'one')).toMatchObject({ kind: 'changed' });
    expect(await publish('c', 'one')).toMatchObject({ kind: 'full' });
  });

  test('that do not compile are refused with all their problems, and change nothing', async () => {
    const { service, attached } = open();
    const outcome = await service.publish({ accountId: 'a', text: text({ when: 'pool.bys > 1' }) });
    expect(outcome).toMatchObject({
      kind: 'refused',
      problems: [expect.stringContaining('Did you mean pool.buys?')],
    });
    expect([await service.list('a'), attached()]).toEqual([[], []]);
  });

  test('are withdrawn by their account alone', async () => {
    const { service, judged, attached } = open();
    await service.publish({ accountId: 'a', text: text() });
    judged.push(...attached().map((change) => ({ ...change, content: change.content ?? '' })));
    expect(await service.withdraw({ accountId: 'b', name: 'any-trade' })).toBeNull();
    expect(await service.withdraw({ accountId: 'a', name: 'any-trade' })).toMatchObject({
      version: 1,
    });
    expect(attached()).toEqual([{ author: 'a', name: 'any-trade', content: null }]);
  });

  test('are published again after a restart that came before the next slot', async () => {
    await open().service.publish({ accountId: 'a', text: text() });
    expect(open().attached()).toEqual([{ author: 'a', name: 'any-trade', content: ruleContent() }]);
  });
});

describe('the folder of the operator', () => {
  const write = (name: string, content: string) => {
    mkdirSync(join(folder, 'rules'), { recursive: true });
    writeFileSync(join(folder, 'rules', name), content);
    return join(folder, 'rules');
  };

  test('has rules for all accounts, beside rules of accounts of the same name', async () => {
    const rules = operatorRules(write('any.yaml', text()));
    write('notes.txt', 'no rule');
    const { service, attached } = open(rules);
    await service.publish({ accountId: 'a', text: text() });
    expect((await service.list('a')).map(({ author }) => author)).toEqual(['a', 'operator']);
    expect((await service.list('b')).map(({ author }) => author)).toEqual(['operator']);
    expect(attached().map(({ author }) => author)).toEqual(['operator', 'a']);
  });

  test('is refused with the file of a problem, of two rules of one name, or if it is missing', () => {
    write('one.yaml', text());
    expect(() => operatorRules(write('two.yaml', text()))).toThrow(
      'two.yaml: one.yaml has a rule of the name any-trade too',
    );
    expect(() => operatorRules(write('two.yaml', '{'))).toThrow('two.yaml: The file is not YAML');
    expect(() => operatorRules(join(folder, 'none'))).toThrow('cannot be read');
    expect(operatorRules(null)).toEqual([]);
  });
});
