import { describe, expect, test } from 'vitest';
import { buildChanges, buildSwap } from '../../tests/support/build-records.ts';
import { address } from '../../tests/support/build-transaction.ts';
import type { PricedSwap } from '../model/derived.ts';
import { FIRST_BUYERS_MAX } from '../model/first-buyers.ts';
import type { TradedSwap } from '../model/trade.ts';
import { type Address, asSlot } from '../model/units.ts';
import { CurrentFirstBuys } from './current-first-buys.ts';
import { UnwrittenRows } from './unwritten-rows.ts';

const MINT = address('mint');

const buy = (
  wallet: Address,
  slot: number,
  given: Partial<PricedSwap['swap']> = {},
): PricedSwap => {
  const base = buildSwap(address('pool'), `${wallet} ${slot}`, {
    slot: asSlot(slot),
    timeMs: slot,
  });
  const swap = { ...base.swap, baseMint: MINT, trader: wallet, side: 'buy' as const, ...given };
  return { ...base, swap };
};

const [ann, bob, cid] = [address('ann'), address('bob'), address('cid')];
const storedOf = (buys: readonly TradedSwap[]) => ({
  of: async (_mint: Address, limit: number) => buys.slice(0, limit),
});
const unwrittenOf = (...slots: PricedSwap[][]) => {
  const frozen = slots.map((swaps) => ({
    changes: buildChanges(swaps[0]?.slot ?? 0, { swaps }),
  }));
  return new UnwrittenRows(() => frozen);
};
const query = { mint: MINT, afterRank: 0, limit: 10 };

describe('first purchases', () => {
  test('are the stored ones, then those of unwritten slots, each wallet once', async () => {
    const unwritten = unwrittenOf(
      [buy(bob, 5), buy(ann, 5, { outerIx: 2 })],
      [buy(cid, 6), buy(bob, 6, { outerIx: 3 })],
    );
    const current = new CurrentFirstBuys(storedOf([buy(ann, 1)]), unwritten);
    const { buys, next } = await current.page(query);
    expect(buys.map(({ rank, wallet, swap }) => [rank, wallet, swap.slot])).toEqual([
      [1, ann, 1],
      [2, bob, 5],
      [3, cid, 6],
    ]);
    expect(next).toBeNull();
  });

  test('are neither sales, hops, quarantined swaps nor purchases of other mints', async () => {
    const unwritten = unwrittenOf([
      buy(ann, 5, { side: 'sell' }),
      buy(ann, 5, { isIntermediateHop: true, outerIx: 1 }),
      { ...buy(bob, 5, { outerIx: 2 }), exclusion: 'quarantined' },
      buy(cid, 5, { baseMint: address('other'), outerIx: 3 }),
      buy(cid, 5, { trader: null, outerIx: 4 }),
    ]);
    expect(await new CurrentFirstBuys(storedOf([]), unwritten).page(query)).toEqual({
      buys: [],
      next: null,
    });
  });

  test('keep their ranks from page to page', async () => {
    const current = new CurrentFirstBuys(
      storedOf([buy(ann, 1), buy(bob, 2)]),
      unwrittenOf([buy(cid, 5)]),
    );
    const listed: [number, Address][] = [];
    let after: number | null = 0;
    while (after !== null) {
      const page = await current.page({ mint: MINT, afterRank: after, limit: 2 });
      listed.push(...page.buys.map(({ rank, wallet }): [number, Address] => [rank, wallet]));
      after = page.next;
    }
    expect(listed).toEqual([
      [1, ann],
      [2, bob],
      [3, cid],
    ]);
  });

  test('are listed up to a maximum', async () => {
    const asked: number[] = [];
    const many = {
      of: async (_mint: Address, limit: number) => {
        asked.push(limit);
        return Array.from({ length: limit }, (_none, at) => buy(address(`w${at}`), at + 1));
      },
    };
    const current = new CurrentFirstBuys(many, unwrittenOf());
    const last = await current.page({ ...query, afterRank: FIRST_BUYERS_MAX - 3 });
    expect(last.buys.map(({ rank }) => rank)).toEqual([4_998, 4_999, 5_000]);
    expect(last.next).toBeNull();
    expect(asked).toEqual([FIRST_BUYERS_MAX + 1]);
  });
});
