import { expect, test } from 'vitest';
import { toChainBlock } from '../../simulator/faces/to-chain-block.ts';
import { createSimulation } from '../../simulator/simulation.ts';
import { PRESETS } from '../../simulator/simulation-presets.ts';
import { decodeBlock } from '../../src/decoders/decode-block.ts';
import { Engine } from '../../src/engine/engine.ts';
import type { SlotChanges } from '../../src/model/derived.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import { MODELS } from '../../src/signals/registry.ts';
import { expectOutcomeAsPrices, lastPublished } from '../support/naive-outcomes.ts';
import { TALKATIVE_MODELS } from '../support/signal-stage.ts';

/** Three minutes, of which the control draws one for that seed. */
const SLOTS = 500;
const SEED = 'x';
const DOLLARS = 10n ** 9n;

function demoSlots(): SlotFacts[] {
  const simulation = createSimulation({ ...PRESETS.demo, seed: SEED });
  const slots: SlotFacts[] = [];
  for (let passed = 0; passed < SLOTS; passed++) {
    const step = simulation.step();
    if (step?.isCanonical) slots.push(decodeBlock(toChainBlock(step.block)));
  }
  return slots;
}

/** Mints with an active finding of at least 0.7, by the slots up to one. */
function suspects(changes: readonly SlotChanges[], before: number): Set<string> {
  const found = new Map<string, number>();
  for (const { slot, classifications } of changes) {
    if (slot >= before) break;
    for (const { id, state, finding } of classifications) {
      if (state === 'archived') found.delete(`${finding.mint} ${id}`);
      else found.set(`${finding.mint} ${id}`, finding.confidence);
    }
  }
  const strong = [...found].filter(([, confidence]) => confidence >= 0.7);
  return new Set(strong.map(([key]) => key.split(' ')[0] ?? ''));
}

test('two engines give the same signals of a simulated market, the control signals, and outcomes match the prices', () => {
  const models = [...MODELS, ...TALKATIVE_MODELS.slice(0, 1)];
  const [one, other] = [0, 1].map(() => new Engine({ fallbackSolUsd: null, models }));
  const changes: SlotChanges[] = [];
  for (const facts of demoSlots()) {
    const change = one?.apply(facts);
    if (change === undefined) throw new Error('no engine');
    expect(other?.apply(facts)).toEqual(change);
    changes.push(change);
  }
  expect(other?.digest()).toBe(one?.digest());

  const signals = changes.flatMap((change) => change.signals);
  expect(signals.map(({ model }) => model)).toContain('random_minute');
  expect(signals.length).toBeGreaterThanOrEqual(5);
  const published = lastPublished(changes);
  expect([...published.keys()].sort((a, b) => a - b)).toEqual(signals.map(({ rowId }) => rowId));
  for (const signal of signals) {
    expectOutcomeAsPrices(signal, published.get(signal.rowId), changes);
    expect(suspects(changes, signal.slot).has(signal.mint)).toBe(false);
    expect(signal.liquidityUsd).toBeGreaterThanOrEqual(10_000n * DOLLARS);
    expect(one?.token(signal.mint)?.freezeAuthority).toBeNull();
  }
});
