import { beforeAll, describe, expect, test } from 'vitest';
import { buildChanges, buildSwap } from '../../../tests/support/build-records.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import { transports, useDataPlane } from '../../../tests/support/data-planes.ts';
import type { PricedSwap } from '../../model/derived.ts';
import { type Address, asSlot } from '../../model/units.ts';
import { rowVersion } from '../sql/row-version.ts';
import { StoredFirstBuys } from './first-buys.ts';

const MINT = address('first buys mint');
const [ann, bob, cid] = [address('ann'), address('bob'), address('cid')];
const DAY_MS = 86_400_000;

/** Slots are a day apart, to span partitions. */
function swapOf(
  wallet: Address | null,
  slot: number,
  given: Partial<PricedSwap['swap']> = {},
): PricedSwap {
  const name = `${wallet} ${slot} ${given.outerIx ?? 0}`;
  const place = { slot: asSlot(slot), timeMs: 1_700_000_000_000 + slot * DAY_MS };
  const base = buildSwap(address(`pool of ${slot}`), name, place);
  return { ...base, swap: { ...base.swap, baseMint: MINT, trader: wallet, side: 'buy', ...given } };
}

describe.each(transports)('stored first purchases %s', (_, open) => {
  const opened = useDataPlane(open);
  const namesIn = async (epoch: number, limit = 10, layers?: StoredLayers) => {
    const visible = layers === undefined ? { epoch } : { epoch, layers };
    const found = await new StoredFirstBuys(opened.plane.fast, visible).of(MINT, limit);
    return found.map(({ swap, slot }) => [swap.trader, slot]);
  };
  type StoredLayers = NonNullable<ConstructorParameters<typeof StoredFirstBuys>[1]['layers']>;
  const write = (slot: number, swaps: readonly PricedSwap[], epoch: number) =>
    opened.writer.writeBatch({ slots: [], changes: [buildChanges(slot, { swaps })], epoch });

  beforeAll(async () => {
    await write(
      10,
      [
        swapOf(bob, 10, { side: 'sell' }),
        swapOf(cid, 10, { isIntermediateHop: true, outerIx: 1 }),
        { ...swapOf(cid, 10, { outerIx: 2 }), exclusion: 'quarantined' },
        swapOf(null, 10, { outerIx: 3 }),
        swapOf(ann, 10, { outerIx: 4 }),
        swapOf(bob, 10, { baseMint: address('another mint'), outerIx: 5 }),
      ],
      1,
    );
    // Twice, as after a crash; and later than another wallet in the order of the chain.
    for (const _attempt of [1, 2]) {
      await write(40, [swapOf(ann, 40), swapOf(cid, 40, { outerIx: 1 })], 1);
    }
    await write(50, [swapOf(bob, 50)], 1);
    await write(30, [swapOf(bob, 30)], 2);
  });

  test('are each wallet once, in the order of the chain, at most as many as asked', async () => {
    expect(await namesIn(1)).toEqual([
      [ann, 10],
      [cid, 40],
      [bob, 50],
    ]);
    expect(await namesIn(1, 2)).toHaveLength(2);
    expect(await namesIn(3)).toEqual([]);
  });

  test('of two layers are the earlier of both', async () => {
    const base = { epoch: 1, through: rowVersion(1, 45) };
    expect(await namesIn(2, 10, { top: 2, base })).toEqual([
      [ann, 10],
      [bob, 30],
      [cid, 40],
    ]);
  });
});
