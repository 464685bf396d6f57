import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { toChainBlock } from '../../simulator/faces/to-chain-block.ts';
import { createRecordedSource } from '../../src/chain/recorded/recorded-source.ts';
import { decodeBlock } from '../../src/decoders/decode-block.ts';
import { Engine } from '../../src/engine/engine.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import type { PriceE18, Slot } from '../../src/model/units.ts';
import { PeopleMarket } from '../support/people-market.ts';
import { firstDifference, type StateImage, stateImage } from '../support/state-image.ts';
import { hasTestData, testData } from '../support/test-data.ts';

const NOT_FINAL = { isFinal: false };
const newEngine = () => new Engine({ fallbackSolUsd: (150n * 10n ** 18n) as PriceE18 });

interface SimulatedSlot {
  readonly facts: SlotFacts;
  readonly isCanonical: boolean;
}

/**
 * Blocks of all branches of a busy market in order of production; one slot in five starts a branch.
 */
function simulatedSlots(seed: string, slots: number): SimulatedSlot[] {
  const market = new PeopleMarket(seed, undefined, { keepsBlocks: false, forkRate: 0.2 });
  market.planLaunches(12, slots / 2);
  const made: SimulatedSlot[] = [];
  for (let passed = 0; passed < slots; passed++) {
    const step = market.world.step();
    if (step === null) continue;
    const facts = decodeBlock(toChainBlock(step.block));
    made.push({ facts, isCanonical: step.isCanonical });
  }
  return made;
}

/** Reverts slots until the parent of the next one is the newest, as a live chain requires. */
class FollowingEngine {
  readonly engine = newEngine();
  forks = 0;
  private readonly hashes: (string | null)[] = [null];

  follow(facts: SlotFacts): void {
    const parent = this.hashes.lastIndexOf(facts.previousBlockhash);
    if (this.hashes.length > 1 && parent < 1) throw new Error(`no parent of slot ${facts.slot}`);
    while (this.hashes.length > 1 && this.hashes.length - 1 > parent) {
      this.engine.undo();
      this.hashes.pop();
      this.forks++;
    }
    this.engine.apply(facts, NOT_FINAL);
    this.hashes.push(facts.blockhash);
  }
}

describe('reverting slots', () => {
  test('follows every branch of a simulated market to the state of the canonical one', () => {
    const slots = simulatedSlots('undo', 300);
    const following = new FollowingEngine();
    const calm = newEngine();
    for (const { facts, isCanonical } of slots) {
      following.follow(facts);
      if (!isCanonical) continue;
      calm.apply(facts);
      expect(following.engine.digest()).toBe(calm.digest());
    }
    const { swap, launch } = calm.counters.events;
    const { forks } = following;
    process.stdout.write(`simulated: ${JSON.stringify({ slots: slots.length, forks, swap })}\n`);
    expect(Math.min(forks, launch)).toBeGreaterThanOrEqual(10);
    expect(swap).toBeGreaterThan(500);
    const last = slots.at(-1)?.facts.slot as Slot;
    following.engine.forget(last);
    expect(firstDifference(stateImage(following.engine), stateImage(calm))).toBeNull();
  });

  test('restores a simulated market, 64 slots deep', () => {
    const slots = simulatedSlots('depth', 200).filter(({ isCanonical }) => isCanonical);
    const engine = newEngine();
    for (const { facts } of slots.slice(0, -64)) engine.apply(facts);
    const images: StateImage[] = [];
    for (const { facts } of slots.slice(-64)) {
      images.push(stateImage(engine));
      engine.apply(facts, NOT_FINAL);
    }
    while (engine.undoableSlots > 0) {
      engine.undo();
      expect(firstDifference(images.pop() as StateImage, stateImage(engine))).toBeNull();
    }
  });

  test.skipIf(!hasTestData)(
    'restores the state before each slot of recorded mainnet data',
    async () => {
      const engine = newEngine();
      let swaps = 0;
      for await (const item of createRecordedSource([resolve(testData, 'chain')])) {
        if (item.kind !== 'block') continue;
        const facts = decodeBlock(item.block);
        const before = stateImage(engine);
        const first = engine.apply(facts, NOT_FINAL);
        engine.undo();
        expect(firstDifference(before, stateImage(engine))).toBeNull();
        expect(engine.apply(facts)).toEqual(first);
        swaps += first.swaps.length;
      }
      process.stdout.write(`recorded: ${JSON.stringify({ swaps })}\n`);
      expect(swaps).toBeGreaterThan(200);
    },
    400_000,
  );
});

if (!hasTestData) process.stdout.write(`SKIPPED undo over recorded data: ${testData} is absent\n`);
