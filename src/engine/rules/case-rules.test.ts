import { describe, expect, test } from 'vitest';
import { playAttack } from '../../../tests/support/attack-runs.ts';
import { aFinding, anEvidence, anInvolvedWallet } from '../../../tests/support/build-finding.ts';
import { ruleContent } from '../../../tests/support/build-rule.ts';
import { named, signatureNamed } from '../../../tests/support/made-up-units.ts';
import { fallbackSolUsd } from '../../../tests/support/master-fixture.ts';
import { aBuy, aCase, HOUR_MS } from '../../../tests/support/mint-case.ts';
import { firstDifference, stateImage } from '../../../tests/support/state-image.ts';
import { storedEngine } from '../../../tests/support/stored-engine.ts';
import { createReading } from '../../fraud/detect/inspect-case.ts';
import { AddressIds } from '../../lib/address-ids.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import type { Finding } from '../../model/fraud.ts';
import type { RuleChange } from '../../model/rule-change.ts';
import { HIT_SIGNATURES_MAX, HIT_WALLETS_MAX, type RuleHit } from '../../model/rule-hit.ts';
import type { SlotFacts } from '../../model/slot-facts.ts';
import { type Address, asSlot } from '../../model/units.ts';
import { judgedCase } from '../../rules/features/case/judged-case.ts';
import type { RuleFile } from '../../rules/file/rule-file.ts';
import { Engine } from '../engine.ts';
import { CASE_HITS_PER_HOUR_MAX } from './case-rules.ts';
import { RuleWatch } from './rule-watch.ts';

const options = { fallbackSolUsd };
const NOT_FINAL = { isFinal: false };

function fraudRule(given: Partial<RuleFile> & { readonly name: string }): RuleChange {
  const defaults = { kind: 'fraud', scope: 'case', cool_down_minutes: 0 } as const;
  const content = ruleContent({ ...defaults, when: 'case.trades > 0', evidence: [], ...given });
  return { author: 'a', name: given.name, content };
}

const washing = fraudRule({
  name: 'washing',
  when: 'wash_volume.confidence >= 0.5 && case.trades >= 20',
  confidence: 'wash_volume.share',
  reasons: [{ when: 'wash_volume.members > 2', add: 0.1, reason: 'Several wash together.' }],
  evidence: ['wash_volume.share', 'wash_volume.members', 'case.trades', 'fake_dump.drop'],
});
const everything = fraudRule({ name: 'everything', evidence: ['case.trades'] });
const hourly = fraudRule({ name: 'hourly', cool_down_minutes: 60 });
const ALL = [washing, everything, hourly];

const { record, label } = playAttack('wash_volume', 'easy', 'training-1');

function published(rules: readonly RuleChange[], at = 0): SlotFacts[] {
  return record.slots.map((facts, place) =>
    place === at ? { ...facts, ruleChanges: rules } : facts,
  );
}

function hitsOf(slots: readonly SlotFacts[], engine = new Engine(options)): RuleHit[] {
  return slots.flatMap((facts) => engine.apply(facts).ruleHits);
}

const ruled = published(ALL);
const hits = hitsOf(ruled);
const hitsNamed = (name: string) => hits.filter((hit) => hit.name === name);

describe('rules of cases in the fold', () => {
  test('pass in the slots in which the detector publishes the same case, with its figures', () => {
    const engine = new Engine(options);
    const publishedFindings = ruled.flatMap((facts) => engine.apply(facts).classifications);
    const own = hitsNamed('washing');
    expect(own.length).toBeGreaterThan(3);
    let compared = 0;
    for (const { slot, mint, confidence, evidence, wallets } of own) {
      const finding = publishedFindings.find(
        (one) => one.slot === slot && one.finding.fraudType === 'wash_volume',
      )?.finding;
      if (finding === undefined) continue;
      compared++;
      const share = finding.features.find(({ name }) => name === 'share')?.measured ?? -1;
      expect(mint).toBe(label.mint);
      expect(evidence.map(({ value }) => value)).toEqual([
        share,
        finding.wallets.length,
        expect.any(Number),
        null,
      ]);
      expect(confidence).toBeCloseTo(Math.min(1, share + 0.1), 12);
      expect(wallets).toEqual(finding.wallets.map(({ address }) => address));
    }
    expect(compared).toBeGreaterThan(0);
  });

  test('name transactions of the group, and neither them nor wallets when they read no group', () => {
    const traded = new Set(record.transactions.map(({ signature }) => signature));
    for (const { signatures } of hitsNamed('washing')) {
      expect(signatures.length).toBeGreaterThan(0);
      expect(signatures.length).toBeLessThanOrEqual(HIT_SIGNATURES_MAX);
      expect(signatures.every((signature) => traded.has(signature))).toBe(true);
    }
    expect(hitsNamed('everything').every(({ wallets }) => wallets.length === 0)).toBe(true);
    expect(hitsNamed('everything').every(({ signatures }) => signatures.length === 0)).toBe(true);
  });

  test('are judged once for each evaluation, as of the same slot, and numbered in order', () => {
    const engine = new Engine(options);
    for (const facts of ruled) engine.apply(facts);
    expect(hitsNamed('everything')).toHaveLength(engine.fraudWatch.evaluations);
    expect(hits.map(({ rowId }) => rowId)).toEqual(hits.map((_, place) => place + 1));
    expect(hits.every(({ slot, asOfSlot, kind }) => slot === asOfSlot && kind === 'fraud')).toBe(
      true,
    );
  });

  test('wait for their cool-down, by token', () => {
    const times = hitsNamed('hourly').map(({ mint, createdAtMs }) => ({ mint, createdAtMs }));
    for (const own of Map.groupBy(times, ({ mint }) => mint).values()) {
      for (const [place, { createdAtMs }] of own.slice(1).entries()) {
        expect(createdAtMs - (own[place]?.createdAtMs ?? 0)).toBeGreaterThanOrEqual(HOUR_MS);
      }
    }
    expect(times.length).toBeLessThan(hitsNamed('everything').length);
  });

  test('are judged from the slot after their publication on', () => {
    const at = record.slots.findIndex(({ slot }) => slot === hitsNamed('everything')[10]?.slot);
    const later = hitsOf(published([everything], at));
    const since = hitsNamed('everything').filter(
      ({ slot }) => slot > (record.slots[at]?.slot ?? 0),
    );
    const bare = ({ rowId: _, ...hit }: RuleHit) => hit;
    expect(later.map(bare)).toEqual(since.map(bare));
  });

  test('change no finding', () => {
    const [withRules, without] = [new Engine(options), new Engine(options)];
    expect(ruled.map((facts) => withRules.apply(facts).classifications)).toEqual(
      record.slots.map((facts) => without.apply(facts).classifications),
    );
  });

  test('are retracted by a fork in the slot of a hit, and given again equal', () => {
    const at = ruled.findIndex(({ slot }) => slot === hitsNamed('washing')[2]?.slot);
    const [forking, straight] = [new Engine(options), new Engine(options)];
    const applied = ruled.map((facts) => straight.apply(facts));
    for (const facts of ruled.slice(0, at)) forking.apply(facts);
    const before = stateImage(forking);
    const fork = ruled.slice(at, at + 5);
    // The slot on another fork has no transaction: the hit is not given there.
    const other = { ...(ruled[at] as SlotFacts), transactions: [], blockhash: 'other' };
    expect(forking.apply(other, NOT_FINAL).ruleHits).toEqual([]);
    forking.undo();
    for (const facts of fork) forking.apply(facts, NOT_FINAL);
    for (const _ of fork) forking.undo();
    expect(firstDifference(before, stateImage(forking))).toBeNull();
    expect(ruled.slice(at).map((facts) => forking.apply(facts).ruleHits)).toEqual(
      applied.slice(at).map(({ ruleHits }) => ruleHits),
    );
    expect(applied[at]?.ruleHits.length).toBeGreaterThan(0);
    expect(forking.digest()).toBe(straight.digest());
  });

  test('continue unchanged after a restart in the middle', () => {
    const at = ruled.findIndex(({ slot }) => slot === hitsNamed('washing')[4]?.slot);
    const { engine, restored } = storedEngine(options);
    for (const facts of ruled.slice(0, at)) engine.apply(facts);
    const again = restored();
    expect(hitsOf(ruled.slice(at), again)).toEqual(
      hits.filter(({ slot }) => slot >= (ruled[at]?.slot ?? 0)),
    );
  });
});

describe('what rules of cases give is bounded', () => {
  const at = (timeMs: number) => ({ slot: asSlot(5), timeMs, isTimeKnown: true });
  const caseOf = (mint: string, groups: readonly Finding[] = []) => {
    const mintCase = aCase({
      trades: [aBuy('a'), aBuy('b', { txIndex: 1 }), aBuy('c', { txIndex: 2 })],
    });
    return judgedCase(createReading({ ...mintCase, mint: named(mint) }), groups);
  };
  function watching(change: RuleChange): RuleWatch {
    const undo = new UndoLog();
    const watch = new RuleWatch(undo, new AddressIds<Address>(undo));
    watch.apply([change]);
    return watch;
  }
  const noPrice = () => null;

  test('for a rule that flags everything: 500 hits an hour, and further ones in the next', () => {
    const { cases } = watching(hourly);
    const flag = (from: number, count: number, timeMs: number) =>
      Array.from({ length: count }, (_, place) => caseOf(`mint ${from + place}`)).flatMap((one) =>
        cases.judge(one, at(timeMs), noPrice),
      );
    expect(flag(0, 600, HOUR_MS)).toHaveLength(CASE_HITS_PER_HOUR_MAX);
    // What was beyond the bound has no cool-down: it is a hit as soon as there is room.
    expect(flag(0, 600, 2 * HOUR_MS - 1)).toHaveLength(0);
    expect(flag(550, 10, 2 * HOUR_MS)).toHaveLength(10);
  });

  test('for a group of many wallets and transactions', () => {
    const many = aFinding({
      fraudType: 'wash_volume',
      wallets: Array.from({ length: 300 }, (_, place) => anInvolvedWallet(`w${place}`)),
      evidence: [
        anEvidence({
          payload: {
            kind: 'transaction',
            signatures: Array.from({ length: 80 }, (_, place) => signatureNamed(`s${place}`)),
            ...{ slot: asSlot(1), wallets: [], usd: null, isBundled: false },
            lamports: 0n as never,
          },
        }),
      ],
    });
    const { cases } = watching(fraudRule({ name: 'ring', when: 'wash_volume.groups > 0' }));
    const [hit] = cases.judge(caseOf('mint', [many]), at(HOUR_MS), noPrice);
    expect(hit?.wallets).toEqual(
      many.wallets.slice(0, HIT_WALLETS_MAX).map(({ address }) => address),
    );
    expect(hit?.signatures).toHaveLength(HIT_SIGNATURES_MAX);
  });

  test('to nothing while the time is not known, and for rules of minutes', () => {
    const { cases } = watching(everything);
    expect(cases.judge(caseOf('mint'), { ...at(0), isTimeKnown: false }, noPrice)).toEqual([]);
    const minutes = watching({ author: 'a', name: 'any-trade', content: ruleContent({}) });
    expect(minutes.cases.isEmpty).toBe(true);
    expect(minutes.cases.judge(caseOf('mint'), at(HOUR_MS), noPrice)).toEqual([]);
  });
});
