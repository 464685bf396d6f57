import { expect, test } from 'vitest';
import { toChainBlock } from '../../simulator/faces/to-chain-block.ts';
import { decodeBlock } from '../../src/decoders/decode-block.ts';
import { Engine } from '../../src/engine/engine.ts';
import type { Classification } from '../../src/model/fraud.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import { fallbackSolUsd } from '../support/master-fixture.ts';
import { runAttack } from '../support/scenario-stage.ts';

/** The slots up to the one that tells of the bundle. */
function bundledLaunch(): { slots: SlotFacts[]; told: Classification } {
  const run = runAttack('traditional_bundle', 'easy', 'a fork with a bundle');
  const engine = new Engine({ fallbackSolUsd });
  const slots: SlotFacts[] = [];
  for (const block of run.blocks) {
    const facts = decodeBlock(toChainBlock(block));
    slots.push(facts);
    const [told] = engine.apply(facts).classifications.filter(({ state, finding }) => {
      return state === 'active' && finding.fraudType === 'traditional_bundle';
    });
    if (told !== undefined) return { slots, told };
  }
  throw new Error('the bundle was not found');
}

test('a fork that takes a bundle out of its slot takes the finding back, and another one brings it again', () => {
  const { slots, told } = bundledLaunch();
  const before = slots.slice(0, -1);
  const last = slots.at(-1) as SlotFacts;
  const wallets = new Set(told.finding.wallets.map(({ address }) => address));
  const others = last.transactions.filter(
    ({ signers }) => !signers.some((one) => wallets.has(one)),
  );
  expect(others.length).toBeLessThan(last.transactions.length);

  const engine = new Engine({ fallbackSolUsd, undoSlotsMax: 4 });
  for (const facts of before) engine.apply(facts);
  const digest = engine.digest();
  expect(engine.apply(last, { isFinal: false }).classifications).toContainEqual(told);
  engine.undo();
  expect(engine.digest()).toBe(digest);

  const without = engine.apply({ ...last, transactions: others }, { isFinal: false });
  expect(without.classifications.map(({ id }) => id)).not.toContain(told.id);
  engine.undo();
  expect(engine.apply(last, { isFinal: false }).classifications).toContainEqual(told);
});
