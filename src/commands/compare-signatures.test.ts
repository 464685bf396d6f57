import { describe, expect, test } from 'vitest';
import type { SlotFacts } from '../model/slot-facts.ts';
import { compareSignatures } from './compare-signatures.ts';

/** A stored slot: `votes` is the number of votes, the letters are signatures at their positions. */
function stored(places: Readonly<Record<number, string>>, voteCount: number, hash = 'hash') {
  const transactions = Object.entries(places).map(([txIndex, signature]) => ({
    signature,
    txIndex: Number(txIndex),
    isIndexKnown: true,
  }));
  return { blockhash: hash, voteCount, transactions } as unknown as SlotFacts;
}

const BLOCK = { blockhash: 'hash', signatures: ['v1', 'a', 'v2', 'b', 'c'] };

describe('comparing a stored slot with the signatures of a block', () => {
  test('finds no difference if all are stored and the rest equals the number of votes', () => {
    expect(compareSignatures(stored({ 1: 'a', 3: 'b', 4: 'c' }, 2), BLOCK)).toBeNull();
  });

  test('counts missing signatures beyond the votes', () => {
    const difference = compareSignatures(stored({ 1: 'a', 4: 'c' }, 2), BLOCK);
    expect(difference).toMatchObject({ missingCount: 1, extra: [], surplusVotes: 0 });
  });

  test('reports stored signatures that the block does not have', () => {
    const difference = compareSignatures(stored({ 1: 'a', 3: 'x', 4: 'c' }, 2), BLOCK);
    expect(difference).toMatchObject({ extra: ['x'], missingCount: 1 });
  });

  test('detects a vote too many, another block, and another order', () => {
    const all = { 1: 'a', 3: 'b', 4: 'c' };
    expect(compareSignatures(stored(all, 3), BLOCK)).toMatchObject({ surplusVotes: 1 });
    expect(compareSignatures(stored(all, 2, 'other'), BLOCK)).toMatchObject({ isOtherBlock: true });
    const swapped = stored({ 1: 'b', 3: 'a', 4: 'c' }, 2);
    expect(compareSignatures(swapped, BLOCK)).toMatchObject({
      isOtherOrder: true,
      missingCount: 0,
      extra: [],
    });
  });
});
