import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { decodeBlock } from '../../src/decoders/decode-block.ts';
import { Engine } from '../../src/engine/engine.ts';
import { CurrentFirstBuys } from '../../src/ingestion/current-first-buys.ts';
import { UnwrittenRows } from '../../src/ingestion/unwritten-rows.ts';
import type { ChainBlock } from '../../src/model/transaction.ts';
import type { Address } from '../../src/model/units.ts';
import { fallbackSolUsd } from '../support/master-fixture.ts';
import { readAll } from '../support/recorded-reading.ts';
import { hasTestData, testData } from '../support/test-data.ts';

/** A whole mainnet block. */
const BLOCK = 'chain/ai-nyan-bot+bot/block_326027759.json';
const NOTHING_STORED = { of: async () => [] };

/**
 * Wallets of the block whose tokens of a mint became more, in block order, from the balances alone.
 */
function gainers({ transactions }: ChainBlock, mint: Address): string[] {
  const gained = transactions.flatMap(({ error, tokenBalances }) =>
    (error === null ? tokenBalances : [])
      .filter((balance) => balance.mint === mint && balance.after > balance.before)
      .map(({ owner }) => String(owner)),
  );
  return [...new Set(gained)];
}

describe.skipIf(!hasTestData)('first buyers of a recorded block', () => {
  test('are the wallets whose tokens became more, in block order', async () => {
    const { blocks } = await readAll([join(testData, BLOCK)]);
    const [block] = blocks;
    if (block === undefined) throw new Error('no block');
    const engine = new Engine({ fallbackSolUsd });
    const changes = engine.apply(decodeBlock(block));
    const current = new CurrentFirstBuys(NOTHING_STORED, new UnwrittenRows(() => [{ changes }]));
    const mints = [...new Set(changes.swaps.map(({ swap }) => swap.baseMint))];
    let compared = 0;
    for (const mint of mints) {
      const { buys } = await current.page({ mint, afterRank: 0, limit: 500 });
      if (buys.length < 2) continue;
      const wallets = buys.map(({ wallet }) => String(wallet));
      const order = gainers(block, mint).filter((owner) => wallets.includes(owner));
      const bought = wallets.filter((wallet) => order.includes(wallet));
      expect(bought).toEqual(order);
      for (const { wallet } of buys) expect(engine.wallet(wallet)).not.toBeNull();
      compared += order.length;
    }
    expect(compared).toBeGreaterThan(20);
  });
});
