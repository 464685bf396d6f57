import { toChainBlock } from '../../simulator/faces/to-chain-block.ts';
import type { SourceItem } from '../../src/chain/source.ts';
import type { ChainBlock } from '../../src/model/transaction.ts';
import { PeopleMarket } from './people-market.ts';

/** Blocks after which a slot is final: more than a losing branch ever has. */
const FINAL_AFTER = 32;

/** A simulated market with forks: every block that was produced, and the canonical ones. */
export function forkingMarket(seed: string, slots: number) {
  const market = new PeopleMarket(seed, undefined, { keepsBlocks: false, forkRate: 0.2 });
  market.planLaunches(12, slots / 2);
  const made: ChainBlock[] = [];
  const stayed: ChainBlock[] = [];
  for (let passed = 0; passed < slots; passed++) {
    const step = market.world.step();
    if (step === null) continue;
    const block = toChainBlock(step.block);
    made.push(block);
    if (step.isCanonical) stayed.push(block);
  }
  // The last branch may be one that loses to a block that was not produced.
  const newest = stayed.at(-1);
  return { made: newest === undefined ? [] : made.slice(0, made.indexOf(newest) + 1), stayed };
}

/** The items of a source that follows the chain. */
export function followedBlocks(made: readonly ChainBlock[]): SourceItem[] {
  const items: SourceItem[] = [];
  let branch: ChainBlock[] = [];
  for (const block of made) {
    const parent = branch.findLast(({ blockhash }) => blockhash === block.previousBlockhash);
    if (parent !== undefined && parent !== branch.at(-1)) {
      const { slot, blockhash } = parent;
      branch = branch.slice(0, branch.indexOf(parent) + 1);
      items.push({ kind: 'undo', toSlot: slot, toBlockhash: String(blockhash) });
    }
    branch.push(block);
    items.push({ kind: 'block', block });
    const final = branch.at(-1 - FINAL_AFTER);
    if (final !== undefined) items.push({ kind: 'final', slot: final.slot });
  }
  const newest = branch.at(-1);
  if (newest !== undefined) items.push({ kind: 'final', slot: newest.slot });
  return items;
}
