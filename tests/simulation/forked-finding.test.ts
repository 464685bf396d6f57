import { expect, test } from 'vitest';
import { toChainBlock } from '../../simulator/faces/to-chain-block.ts';
import { decodeBlock } from '../../src/decoders/decode-block.ts';
import { Engine } from '../../src/engine/engine.ts';
import type { Classification, FraudType } from '../../src/model/fraud.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import { fallbackSolUsd } from '../support/master-fixture.ts';
import { runAttack } from '../support/scenario-stage.ts';

/** The slots up to the one that reports a finding of the type. */
function slotsUpTo(type: FraudType): { slots: SlotFacts[]; reported: Classification } {
  const run = runAttack(type, 'easy', 'a fork with a bundle');
  const engine = new Engine({ fallbackSolUsd });
  const slots: SlotFacts[] = [];
  for (const block of run.blocks) {
    const facts = decodeBlock(toChainBlock(block));
    slots.push(facts);
    const [reported] = engine.apply(facts).classifications.filter(({ state, finding }) => {
      return state === 'active' && finding.fraudType === type;
    });
    if (reported !== undefined) return { slots, reported };
  }
  throw new Error(`no ${type} was found`);
}

test('a fork that reverts a bundle retracts the finding, and a fork that applies it again restores it', () => {
  const { slots, reported } = slotsUpTo('traditional_bundle');
  const before = slots.slice(0, -1);
  const last = slots.at(-1) as SlotFacts;
  const wallets = new Set(reported.finding.wallets.map(({ address }) => address));
  const others = last.transactions.filter(
    ({ signers }) => !signers.some((one) => wallets.has(one)),
  );
  expect(others.length).toBeLessThan(last.transactions.length);

  const engine = new Engine({ fallbackSolUsd, undoSlotsMax: 4 });
  for (const facts of before) engine.apply(facts);
  const digest = engine.digest();
  expect(engine.apply(last, { isFinal: false }).classifications).toContainEqual(reported);
  engine.undo();
  expect(engine.digest()).toBe(digest);

  const without = engine.apply({ ...last, transactions: others }, { isFinal: false });
  expect(without.classifications.map(({ id }) => id)).not.toContain(reported.id);
  engine.undo();
  expect(engine.apply(last, { isFinal: false }).classifications).toContainEqual(reported);
});

/** Slots of a fork: those that lead to the finding, and the one that reports it. */
const FORK_SLOTS = 3;

test.each<FraudType>(['wash_volume', 'coordinated_exit'])(
  'a fork across the slot of a %s retracts it, and the same slots later report it as if undisturbed',
  (type) => {
    const { slots, reported } = slotsUpTo(type);
    const [before, fork] = [slots.slice(0, -FORK_SLOTS), slots.slice(-FORK_SLOTS)];
    const wallets = new Set(reported.finding.wallets.map(({ address }) => address));
    const withoutCrew = fork.map((facts) => ({
      ...facts,
      transactions: facts.transactions.filter(
        ({ signers }) => !signers.some((one) => wallets.has(one)),
      ),
    }));
    const removed = fork.flatMap(({ transactions }) => transactions).length;
    expect(withoutCrew.flatMap(({ transactions }) => transactions).length).toBeLessThan(removed);

    const undisturbed = new Engine({ fallbackSolUsd, undoSlotsMax: 8 });
    const engine = new Engine({ fallbackSolUsd, undoSlotsMax: 8 });
    for (const facts of before) for (const one of [undisturbed, engine]) one.apply(facts);
    const digest = engine.digest();
    const applyTo = (one: Engine, facts: readonly SlotFacts[]) =>
      facts.flatMap((slot) => one.apply(slot, { isFinal: false }).classifications);
    const undoAll = () => {
      for (let left = FORK_SLOTS; left > 0; left--) engine.undo();
      expect(engine.digest()).toBe(digest);
    };

    const expected = applyTo(undisturbed, fork);
    expect(expected).toContainEqual(reported);
    expect(applyTo(engine, fork)).toEqual(expected);
    undoAll();
    expect(applyTo(engine, withoutCrew)).not.toContainEqual(reported);
    undoAll();
    expect(applyTo(engine, fork)).toEqual(expected);
    expect(engine.digest()).toBe(undisturbed.digest());
  },
);
