import { afterEach, describe, expect, it } from 'vitest';
import {
  type ChainOptions,
  type Followed,
  FollowedChain,
  followUntil,
} from '../../../tests/support/followed-chain.ts';

const open: FollowedChain[] = [];
afterEach(async () => {
  for (const chain of open.splice(0)) await chain.close();
});

async function startChain(options: ChainOptions = {}): Promise<FollowedChain> {
  const chain = await FollowedChain.start(options);
  open.push(chain);
  return chain;
}

/** True once this many slots after the log's first are final. */
function finalFor(slots: number) {
  return ({ reader }: Followed) => {
    const [first] = reader.blocks;
    return first !== undefined && reader.finalSlot >= first.slot + slots;
  };
}

/** The log up to its last final slot is the simulator's own chain, block by block. */
function expectCanonical(chain: FollowedChain, { reader }: Followed): void {
  const [first] = reader.blocks;
  const isFinal = (slot: number) => slot >= (first?.slot ?? 0) && slot <= reader.finalSlot;
  const expected = chain.canonical.filter(({ block }) => isFinal(block.slot));
  expect(
    reader.blocks.filter(({ slot }) => isFinal(slot)).map(({ blockhash }) => blockhash),
  ).toEqual(expected.map(({ block }) => block.blockhash));
  expect(reader.missing).toEqual([]);
  const blocked = new Set(expected.map(({ block }) => block.slot));
  for (const slot of reader.skipped) expect(blocked).not.toContain(slot);
}

describe('following a chain through RPC nodes', () => {
  it('begins at the newest final slot and yields the chain as it grows', async () => {
    const chain = await startChain({ market: { skipRate: 0.1 } });
    chain.run(10);
    const followed = await followUntil(chain, finalFor(60));
    expectCanonical(chain, followed);
    expect(followed.reader.blocks[0]?.slot).toBeGreaterThan(1_010);
    expect(followed.problems).toEqual([]);
    expect(followed.source.status?.finality).toBe('confirmed + 32 slots');
  });
});
