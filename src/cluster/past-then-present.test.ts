import { describe, expect, it } from 'vitest';
import { FollowedChain, QUICK } from '../../tests/support/followed-chain.ts';
import { linkFacts } from '../../tests/support/ingester-lives.ts';
import type { ChainPoint } from '../chain/block-link.ts';
import { createRangeSource } from '../chain/rpc/range-source.ts';
import type { SourceItem } from '../chain/source.ts';
import { asSlot } from '../model/units.ts';
import { pastThenPresent } from './past-then-present.ts';

async function* inTurn(items: readonly SourceItem[]): AsyncGenerator<SourceItem> {
  yield* items;
}

async function all(items: AsyncIterable<SourceItem>): Promise<readonly SourceItem[]> {
  const found: SourceItem[] = [];
  for await (const item of items) found.push(item);
  return found;
}

function blockAt(slot: number): SourceItem {
  const hash = (of: number) => `block ${of}`;
  const link = { parentSlot: asSlot(slot - 1), previousBlockhash: hash(slot - 1) };
  return {
    kind: 'facts',
    facts: linkFacts({ slot: asSlot(slot), blockhash: hash(slot), ...link }),
  };
}

const finalSlots = (items: readonly SourceItem[]) =>
  items.flatMap((item) => (item.kind === 'final' ? [item.slot] : []));

describe('a log that begins in the past', () => {
  it('has every block once, final before the chain is followed after the last', async () => {
    const anchors: (ChainPoint | null)[] = [];
    const past = Array.from({ length: 70 }, (_, at) => blockAt(100 + at));
    const items = await all(
      pastThenPresent(inTurn(past), (anchor) => {
        anchors.push(anchor);
        return inTurn([blockAt(170)]);
      }),
    );
    expect(items.filter(({ kind }) => kind === 'facts')).toEqual([...past, blockAt(170)]);
    expect(finalSlots(items)).toEqual([131, 163, 169]);
    expect(anchors).toEqual([{ slot: 169, blockhash: 'block 169' }]);
  });

  it('passes on what is skipped and missing, and follows without an anchor if nothing is there', async () => {
    const anchors: (ChainPoint | null)[] = [];
    const gone: SourceItem[] = [
      { kind: 'skipped', from: asSlot(1), to: asSlot(2) },
      { kind: 'missing', from: asSlot(3), to: asSlot(9), reason: 'nobody has them' },
    ];
    const items = await all(
      pastThenPresent(inTurn(gone), (anchor) => {
        anchors.push(anchor);
        return inTurn([]);
      }),
    );
    expect(items).toEqual(gone);
    expect(anchors).toEqual([null]);
  });

  it('is fetched from nodes with many requests at once, in the order of the chain', async () => {
    await using chain = await FollowedChain.start({ slots: 160, market: { skipRate: 0.2 } });
    const runs = [{ from: asSlot(1_010), to: asSlot(1_090) }];
    const past = createRangeSource({ endpoints: chain.endpoints, runs, tuning: QUICK });
    const anchors: (ChainPoint | null)[] = [];
    const items = await all(
      pastThenPresent(past, (anchor) => {
        anchors.push(anchor);
        return inTurn([]);
      }),
    );
    const slots = items.flatMap((item) => (item.kind === 'block' ? [item.block.slot] : []));
    const wanted = chain.canonical
      .map(({ block }) => block.slot)
      .filter((slot) => slot >= 1_010 && slot <= 1_090);
    expect(slots).toEqual(wanted);
    expect(anchors[0]?.slot).toBe(wanted.at(-1));
    expect(finalSlots(items).at(-1)).toBe(wanted.at(-1));
  });
});
