import { describe, expect, test } from 'vitest';
import { buildSwap } from '../../tests/support/build-records.ts';
import { address } from '../../tests/support/build-transaction.ts';
import { fakeToken, MINT, WALLET } from '../../tests/support/fake-api-deps.ts';
import type { FirstBuyPage } from '../model/first-buyers.ts';
import { asSlot } from '../model/units.ts';
import { type FirstBuyerSources, firstBuyers } from './first-buyers.ts';

const BUY = { rank: 1, wallet: WALLET, swap: buildSwap(address('pool'), 'first') };
const STANDING = {
  walletClass: 'bot',
  judgements: [],
  labels: [],
  cluster: WALLET,
  position: null,
} as const;
const query = { mint: MINT, afterRank: 0, limit: 5 };

/** Purchases as of one slot after the other, and standings as of slot 9. */
function sourcesWith(slots: readonly number[], next: FirstBuyPage['next'] = null) {
  let reads = 0;
  const sources: FirstBuyerSources = {
    page: async () => {
      const slot = asSlot(slots[Math.min(reads++, slots.length - 1)] ?? 0);
      return { slot, timeMs: null, data: { buys: [BUY], next } };
    },
    standings: (mint, wallets) => ({
      ...{ slot: asSlot(9), timeMs: 900 },
      data: mint === MINT ? { token: fakeToken(), standings: wallets.map(() => STANDING) } : null,
    }),
  };
  return { sources, reads: () => reads };
}

describe('first buyers', () => {
  test('have their standing, as of the same slot', async () => {
    const { sources, reads } = sourcesWith([8, 8, 9]);
    const { slot, data } = await firstBuyers(sources, query);
    expect([slot, reads()]).toEqual([9, 3]);
    expect(data?.buyers).toEqual([{ ...BUY, standing: STANDING }]);
  });

  test('of a full page are not read again: later purchases are on later pages', async () => {
    const { sources, reads } = sourcesWith([8], 1);
    expect((await firstBuyers(sources, query)).data?.next).toBe(1);
    expect(reads()).toBe(1);
  });

  test('are read four times at most', async () => {
    const { sources, reads } = sourcesWith([8]);
    expect((await firstBuyers(sources, query)).slot).toBe(9);
    expect(reads()).toBe(4);
  });

  test('of an unknown token are null', async () => {
    const { sources } = sourcesWith([9]);
    expect((await firstBuyers(sources, { ...query, mint: WALLET })).data).toBeNull();
  });
});
