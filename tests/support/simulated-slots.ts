import { toChainBlock } from '../../simulator/faces/to-chain-block.ts';
import { decodeBlock } from '../../src/decoders/decode-block.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import { PeopleMarket } from './people-market.ts';

/** Canonical blocks of a busy market, launches and migrations included, decoded. */
export function simulatedSlots(seed: string, slots: number): SlotFacts[] {
  const market = new PeopleMarket(seed, undefined, { keepsBlocks: false });
  market.planLaunches(12, slots / 2);
  const made: SlotFacts[] = [];
  for (let passed = 0; passed < slots; passed++) {
    const step = market.world.step();
    if (step?.isCanonical) made.push(decodeBlock(toChainBlock(step.block)));
  }
  return made;
}
