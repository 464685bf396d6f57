import { expect, test } from 'vitest';
import { toChainBlock } from '../../simulator/faces/to-chain-block.ts';
import { decodeBlock } from '../../src/decoders/decode-block.ts';
import { Engine } from '../../src/engine/engine.ts';
import type { Classification } from '../../src/model/fraud.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import { fallbackSolUsd } from '../support/master-fixture.ts';
import { runAttack } from '../support/scenario-stage.ts';

/** The slots up to the one that reports the bundle. */
function bundledLaunch(): { slots: SlotFacts[]; reported: Classification } {
  const run = runAttack('traditional_bundle', 'easy', 'a fork with a bundle');
  const engine = new Engine({ fallbackSolUsd });
  const slots: SlotFacts[] = [];
  for (const block of run.blocks) {
    const facts = decodeBlock(toChainBlock(block));
    slots.push(facts);
    const [reported] = engine.apply(facts).classifications.filter(({ state, finding }) => {
      return state === 'active' && finding.fraudType === 'traditional_bundle';
    });
    if (reported !== undefined) return { slots, reported };
  }
  throw new Error('the bundle was not found');
}

test('a fork that reverts a bundle retracts the finding, and a fork that applies it again restores it', () => {
  const { slots, reported } = bundledLaunch();
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
