import { describe, expect, test } from 'vitest';
import type { ChainBlock } from '../../src/model/transaction.ts';
import { SmallMarket } from '../../tests/support/small-market.ts';
import { createSimulatedSource } from './simulated-source.ts';

const begin = () => new SmallMarket({ seed: 'source', forkRate: 0.2, skipRate: 0.2 });

async function blocksOf(source: ReturnType<typeof createSimulatedSource>): Promise<ChainBlock[]> {
  const blocks: ChainBlock[] = [];
  for await (const item of source) if (item.kind === 'block') blocks.push(item.block);
  return blocks;
}

describe('a simulated source', () => {
  test('yields the canonical blocks, in slot order, and counts them', async () => {
    const source = createSimulatedSource(begin, { slots: 80 });
    const blocks = await blocksOf(source);
    const expected = begin()
      .steps(80)
      .filter(({ isCanonical }) => isCanonical);
    expect(blocks.map(({ slot }) => slot)).toEqual(expected.map(({ block }) => block.slot));
    const transactions = expected.flatMap(({ block }) => block.transactions);
    const votes = transactions.filter(({ isVote }) => isVote).length;
    expect(source.summary).toEqual({
      blocks: expected.length,
      transactions: transactions.length - votes,
      votes,
      duplicates: 0,
      problems: 0,
    });
  });

  test('restarts from the seed when it is iterated again', async () => {
    const source = createSimulatedSource(begin, { slots: 30 });
    const first = await blocksOf(source);
    const { summary } = source;
    const again = await blocksOf(source);
    expect(again.map(({ blockhash }) => blockhash)).toEqual(
      first.map(({ blockhash }) => blockhash),
    );
    expect(source.summary).toEqual(summary);
  });

  test('generates no slot before it is read: the rest is never generated if a reader stops', async () => {
    let slots = 0;
    const market = begin();
    const step = () => {
      slots++;
      return market.step();
    };
    const source = createSimulatedSource(() => ({ step }), { slots: 1_000_000 });
    let blocks = 0;
    for await (const _ of source) if (++blocks === 5) break;
    expect(slots).toBeLessThan(40);
  });

  test('ends between two slots when it is aborted', async () => {
    const stopping = new AbortController();
    const source = createSimulatedSource(begin, { slots: 1_000_000, signal: stopping.signal });
    let blocks = 0;
    for await (const _ of source) if (++blocks === 7) stopping.abort();
    expect(blocks).toBe(7);
  });
});
