import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fallbackSolUsd } from '../../../tests/support/master-fixture.ts';
import { signalSlots } from '../../../tests/support/signal-stage.ts';
import { Engine } from '../../engine/engine.ts';
import { BACKTEST_DEFAULTS } from '../../model/backtest.ts';
import type { SlotFacts } from '../../model/slot-facts.ts';
import { type CompiledRule, compileRuleText } from '../../rules/compile-rule.ts';
import { canonicalRule } from '../../rules/rule-id.ts';
import { TAPE_FEATURES, testedRule } from './compiled-tested-rule.ts';
import { judgeTape } from './judge-tape.ts';
import { TapeRecorder } from './tape-recorder.ts';

const options = { ...BACKTEST_DEFAULTS, fromMs: 0, toMs: Number.MAX_SAFE_INTEGER };

function ruleText(name: string, lines: readonly string[]): string {
  return `
name: ${name}
version: 1
kind: signal
scope: pool_minute
title: A rule of a test.
pattern: Any.
rationale: None.
look_alikes: [None.]
confidence: 0.5
evidence: [pool.swaps]
cool_down_minutes: 3
${lines.join('\n')}
`;
}

function compiled(text: string): CompiledRule {
  const { value, problems } = compileRuleText(text);
  if (value === null) throw new Error(JSON.stringify(problems));
  return value;
}

const RULES = [
  compiled(ruleText('often', ['when: pool.swaps >= 1'])),
  compiled(ruleText('selling', ['when: pool.buy_share < 0.9'])),
  compiled(
    ruleText('sequence', [
      'when: pool.swaps >= 1',
      'sequence: [{ when: pool.swaps >= 2, within_minutes: 1440 }]',
    ]),
  ),
];

/** The hits of the fold itself, with the rules published in its first slot. */
function foldedHits(slots: readonly SlotFacts[]) {
  const engine = new Engine({ fallbackSolUsd, models: [] });
  const ruleChanges = RULES.map(({ file }) => ({
    ...{ author: 'account', name: file.name, content: canonicalRule(file) },
  }));
  return slots.flatMap((facts, at) => {
    const { ruleHits } = engine.apply(at === 0 ? { ...facts, ruleChanges } : facts);
    return ruleHits.map(({ name, mint, slot, createdAtMs }) => ({ name, mint, slot, createdAtMs }));
  });
}

function tapedHits(slots: readonly SlotFacts[]) {
  const recorder = new TapeRecorder(TAPE_FEATURES, 0);
  const engine = new Engine({ fallbackSolUsd, models: [recorder.model] });
  for (const facts of slots) {
    const { solUsd } = engine;
    recorder.endSlot(engine.apply(facts), solUsd, engine.solUsd);
  }
  const { hits } = judgeTape(recorder.finish(), RULES.map(testedRule), options);
  return hits.flatMap((found, at) =>
    found.map(({ hit }) => ({
      ...{ name: RULES[at]?.file.name, mint: hit.mint },
      ...{ slot: hit.slot, createdAtMs: hit.timeMs },
    })),
  );
}

const sorted = (hits: readonly object[]) => hits.map((hit) => JSON.stringify(hit)).sort();

describe('rules that are judged on a tape', () => {
  test('hit when and where the fold gives their signals', () => {
    const counts = new Map<string, number>();
    fc.assert(
      fc.property(signalSlots({ minLength: 20, maxLength: 60 }), (slots) => {
        const folded = foldedHits(slots);
        for (const { name } of folded) counts.set(name, (counts.get(name) ?? 0) + 1);
        expect(sorted(tapedHits(slots))).toEqual(sorted(folded));
      }),
      { numRuns: 25 },
    );
    expect([...counts.keys()].sort()).toEqual(['often', 'selling', 'sequence']);
    expect(Math.min(...counts.values())).toBeGreaterThan(10);
  });

  test('are judged in the range only, with nothing of it drawn twice', () => {
    const [slots = []] = fc.sample(signalSlots({ minLength: 80, maxLength: 80 }), {
      ...{ seed: 3, numRuns: 1 },
    });
    const recorder = new TapeRecorder(TAPE_FEATURES, 0);
    const engine = new Engine({ fallbackSolUsd, models: [recorder.model] });
    for (const facts of slots) {
      const { solUsd } = engine;
      recorder.endSlot(engine.apply(facts), solUsd, engine.solUsd);
    }
    const tape = recorder.finish();
    const middle = tape.rows[tape.rows.length >> 1]?.at.minuteMs ?? 0;
    const judgedIn = (fromMs: number, toMs: number) =>
      judgeTape(tape, RULES.map(testedRule), { ...options, fromMs, toMs, controlShare: 1 });
    const [before, after] = [judgedIn(0, middle), judgedIn(middle, Number.MAX_SAFE_INTEGER)];
    expect(before.minutes + after.minutes).toBe(tape.rows.length);
    expect(before.controls.every(({ hit }) => hit.minuteMs < middle)).toBe(true);
    expect(after.hits.flat().every(({ hit }) => hit.minuteMs >= middle)).toBe(true);
    expect(after.hits.flat().length).toBeGreaterThan(0);
  });
});
