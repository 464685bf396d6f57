import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { playAttack } from '../../../tests/support/attack-runs.ts';
import { buildRule, ruleContent } from '../../../tests/support/build-rule.ts';
import { named } from '../../../tests/support/made-up-units.ts';
import { fallbackSolUsd } from '../../../tests/support/master-fixture.ts';
import { aBuy, aCase, aFunding, sol, supplyShare } from '../../../tests/support/mint-case.ts';
import { firstDifference, stateImage } from '../../../tests/support/state-image.ts';
import { storedEngine } from '../../../tests/support/stored-engine.ts';
import { createReading } from '../../fraud/detect/inspect-case.ts';
import { AddressIds } from '../../lib/address-ids.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import type { RuleChange } from '../../model/rule-change.ts';
import { HIT_LINKS_MAX, HIT_WALLETS_MAX, type RuleHit } from '../../model/rule-hit.ts';
import type { SlotFacts } from '../../model/slot-facts.ts';
import { type Address, asSlot } from '../../model/units.ts';
import { compileRuleText } from '../../rules/compile-rule.ts';
import { judgedCase } from '../../rules/features/case/judged-case.ts';
import type { RuleFile } from '../../rules/file/rule-file.ts';
import { runRuleTests } from '../../rules/run-tests.ts';
import { Engine } from '../engine.ts';
import { RuleWatch } from './rule-watch.ts';

const options = { fallbackSolUsd };

function clusterRule(given: Partial<RuleFile> & { readonly name: string }): RuleChange {
  const defaults = { kind: 'fraud', scope: 'cluster', cool_down_minutes: 0 } as const;
  const content = ruleContent({
    ...defaults,
    when: 'cluster.wallets >= 2',
    evidence: [],
    ...given,
  });
  return { author: 'a', name: given.name, content };
}

const every = clusterRule({
  name: 'every-cluster',
  confidence: 'cluster.strength',
  evidence: ['cluster.wallets', 'cluster.strength', 'case.trades'],
});
const ofCase = {
  ...clusterRule({ name: 'of-case', scope: 'case', when: 'case.trades > 0' }),
};
const { record, label } = playAttack('traditional_bundle', 'easy', 'training-1');
const ruled = record.slots.map((facts, place) =>
  place === 0 ? { ...facts, ruleChanges: [every, ofCase] } : facts,
);
const hitsOf = (slots: readonly SlotFacts[], engine = new Engine(options)) =>
  slots.flatMap((facts) => engine.apply(facts).ruleHits);
const all = hitsOf(ruled);
const hits = all.filter(({ name }) => name === 'every-cluster');

describe('rules of clusters in the fold', () => {
  test('pass for the wallets of the crew, joined by links to one whole', () => {
    const own = hits.filter(({ mint }) => mint === label.mint);
    expect(own.length).toBeGreaterThan(0);
    const last = own.at(-1);
    if (last === undefined) throw new Error('no hit');
    const crew = new Set<string>(label.roles.keys());
    const found = last.wallets.filter((wallet) => crew.has(wallet));
    expect(found.length).toBeGreaterThanOrEqual(3);
    // A tree joins all members with one link less.
    expect(last.links).toHaveLength(last.wallets.length - 1);
    const joined = new Set(last.links.flatMap(({ one, other }) => [one, other]));
    expect([...joined].toSorted()).toEqual([...last.wallets].toSorted());
    expect(last.evidence[0]).toEqual({ name: 'cluster.wallets', value: last.wallets.length });
    expect(last.evidence[1]?.value).toBe(last.confidence);
  });

  test('name transactions of the members', () => {
    const signers = new Map(
      record.transactions.map(({ signature, signers }) => [signature, signers] as const),
    );
    for (const { signatures, wallets } of hits) {
      expect(signatures.length).toBeGreaterThan(0);
      for (const signature of signatures) {
        const named = signers.get(signature) ?? [];
        expect(wallets.some((wallet) => named.includes(wallet))).toBe(true);
      }
    }
  });

  test('are numbered with rules of cases, in order of rule', () => {
    expect(all.map(({ rowId }) => rowId)).toEqual(all.map((_, place) => place + 1));
    for (const own of Map.groupBy(all, ({ slot, mint }) => `${slot} ${mint}`).values()) {
      const names = own.map(({ name }) => name);
      expect(names).toEqual(names.length === 2 ? ['every-cluster', 'of-case'] : names);
    }
  });

  test('are taken back by a fork and given again equal, and after a restart', () => {
    const at = ruled.findIndex(({ slot }) => slot === hits[0]?.slot);
    const { engine, restored } = storedEngine(options);
    for (const facts of ruled.slice(0, at)) engine.apply(facts);
    const again = restored();
    const before = stateImage(again);
    const fork = ruled.slice(at, at + 4);
    for (const facts of fork) again.apply(facts, { isFinal: false });
    for (const _ of fork) again.undo();
    expect(firstDifference(before, stateImage(again))).toBeNull();
    const since = all.filter(({ slot }) => slot >= (ruled[at]?.slot ?? 0));
    expect(hitsOf(ruled.slice(at), again)).toEqual(since);
  });
});

describe('of the clusters of a case', () => {
  function judgeCase(
    change: RuleChange,
    clusters: Readonly<Record<string, readonly string[]>>,
    funders: Readonly<Record<string, string | undefined>> = {},
  ) {
    const undo = new UndoLog();
    const watch = new RuleWatch(undo, new AddressIds<Address>(undo));
    watch.apply([change]);
    const members = Object.entries(clusters);
    const mintCase = aCase({
      trades: members.flatMap(([, wallets], place) =>
        wallets.map((wallet, at) =>
          aBuy(wallet, {
            ...{ slot: 1_000 + 200 * place + 7 * at, baseRaw: supplyShare(0.001 * (place + 1)) },
            lamports: sol(0.1 + 0.01 * at + 0.3 * place),
          }),
        ),
      ),
      wallets: Object.fromEntries(
        members.flatMap(([funder, wallets]) =>
          wallets.map((wallet) => [wallet, { fundings: [aFunding(funders[wallet] ?? funder)] }]),
        ),
      ),
    });
    const at = { slot: asSlot(5_000), timeMs: 3_600_000, isTimeKnown: true };
    return watch.cases.judge(judgedCase(createReading(mintCase), []), at, () => null);
  }
  const wallets = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, at) => `${prefix} ${String(at).padStart(3, '0')}`);
  const membersOf = (found: readonly RuleHit[]) => found.map((hit) => hit.wallets);

  test('the one that the rule is most confident in is the hit, and one hit is given', () => {
    const clusters = { first: wallets('a', 4), second: wallets('b', 3), third: wallets('c', 3) };
    const confidence = '1.0 - double(cluster.wallets) / 10.0 + 10.0 * cluster.bought_share';
    const found = judgeCase(clusterRule({ name: 'small', confidence }), clusters);
    // The smaller ones first, and of these the one that bought more.
    expect(found).toHaveLength(1);
    expect(membersOf(found)[0]).toEqual(expect.arrayContaining(wallets('c', 3).map(named)));
    const largest = judgeCase(
      clusterRule({ name: 'large', confidence: 'double(cluster.wallets) / 10.0' }),
      clusters,
    );
    expect(membersOf(largest)[0]).toEqual(expect.arrayContaining(wallets('a', 4).map(named)));
  });

  test('one that does not pass is no hit, whatever the others', () => {
    const clusters = { first: wallets('a', 5), second: wallets('b', 3) };
    const found = judgeCase(clusterRule({ name: 'few', when: 'cluster.buyers < 4' }), clusters);
    expect(membersOf(found)[0]).toEqual(expect.arrayContaining(wallets('b', 3).map(named)));
    expect(judgeCase(clusterRule({ name: 'none', when: 'cluster.buyers > 5' }), clusters)).toEqual(
      [],
    );
  });

  test('a huge one names at most 100 wallets and 100 links', () => {
    // Each was paid by the one before: one that pays hundreds would be a service.
    const names = wallets('a', 300);
    const funders = Object.fromEntries(names.map((name, at) => [name, names[at - 1]]));
    const [found] = judgeCase(clusterRule({ name: 'huge' }), { first: names }, funders);
    expect(found?.wallets).toHaveLength(HIT_WALLETS_MAX);
    expect(found?.links).toHaveLength(HIT_LINKS_MAX);
  });
});

test('rules of clusters are refused for other kinds, and what clusters do not have is named', () => {
  const text = (given: Partial<RuleFile>) => ruleContent({ scope: 'cluster', ...given });
  const alert = compileRuleText(text({ kind: 'alert', when: 'cluster.wallets > 2' }));
  expect(alert.problems[0]?.message).toContain('Rules of kind fraud have the scope');
  const wrong = compileRuleText(text({ kind: 'fraud', when: 'cluster.walets > 2', evidence: [] }));
  expect(wrong.problems[0]?.message).toContain('cluster.wallets');
  const minute = compileRuleText(text({ kind: 'fraud', when: 'pool.swaps > 2', evidence: [] }));
  expect(minute.problems[0]?.message).toContain('pool.swaps');
  const never = compileRuleText(
    text({ kind: 'fraud', when: 'cluster.strength > 1.5', evidence: [] }),
  );
  expect(never.value).toBeNull();
  expect(
    buildRule({ kind: 'fraud', scope: 'cluster', when: 'cluster.wallets > 2', evidence: [] })
      .features,
  ).toHaveLength(1);
});

const FOLDER = 'docs/rules/clusters';

test.each(readdirSync(FOLDER))('%s passes the tests by features that it carries', (file) => {
  const { value, problems } = compileRuleText(readFileSync(join(FOLDER, file), 'utf8'));
  expect(problems).toEqual([]);
  const results = value === null ? [] : runRuleTests(value);
  expect(results.length).toBeGreaterThanOrEqual(3);
  expect(results.filter(({ problem }) => problem !== null)).toEqual([]);
});
