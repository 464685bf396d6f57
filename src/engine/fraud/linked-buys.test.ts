import { describe, expect, test } from 'vitest';
import { named } from '../../../tests/support/made-up-units.ts';
import {
  aBuy,
  aCase,
  aFunding,
  aSell,
  type CaseDraft,
  LAUNCH_SLOT,
} from '../../../tests/support/mint-case.ts';
import { createReading } from '../../fraud/detect/inspect-case.ts';
import { contentHash } from '../../lib/content-hash.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import { LinkedBuys } from './linked-buys.ts';

const SLOT = LAUNCH_SLOT + 50;
/** Three wallets of one fresh funder, which buy within two slots. */
const wallets = Object.fromEntries(
  ['a', 'b', 'c'].map((name) => [name, { firstFunding: aFunding('funder') }]),
);
const buys = [
  aBuy('a', { slot: SLOT, txIndex: 7 }),
  aBuy('b', { slot: SLOT, txIndex: 9 }),
  aBuy('c', { slot: SLOT + 1, txIndex: 2 }),
];

function take(linked: LinkedBuys, draft: CaseDraft) {
  return linked
    .take(createReading(aCase({ wallets, ...draft })))
    .map(({ owner, slot, txIndex, level, certainty }) => [owner, slot, txIndex, level, certainty]);
}

describe('linked buys', () => {
  test('are buys of linked wallets within two slots, at level L3', () => {
    expect(take(new LinkedBuys(new UndoLog()), { trades: buys })).toEqual([
      ['a', SLOT, 7, 'L3', 0.75],
      ['b', SLOT, 9, 'L3', 0.75],
      ['c', SLOT + 1, 2, 'L3', 0.75],
    ]);
  });

  test.each<[string, CaseDraft]>([
    ['two wallets', { trades: buys.slice(0, 2) }],
    ['unlinked wallets', { trades: buys, wallets: {} }],
    ['buys over more slots', { trades: [...buys.slice(0, 2), aBuy('c', { slot: SLOT + 2 })] }],
    ['sales', { trades: ['a', 'b', 'c'].map((name) => aSell(name, { slot: SLOT })) }],
  ])('are not: %s', (_, draft) => {
    expect(take(new LinkedBuys(new UndoLog()), draft)).toEqual([]);
  });

  test('are returned once, also when a link is found later', () => {
    const linked = new LinkedBuys(new UndoLog());
    expect(take(linked, { trades: buys, wallets: {} })).toEqual([]);
    expect(take(linked, { trades: buys })).toHaveLength(3);
    const later = [...buys, aBuy('a', { slot: SLOT + 1, txIndex: 5 })];
    expect(take(linked, { trades: later })).toEqual([['a', SLOT + 1, 5, 'L3', 0.75]]);
  });

  test('leave out buys with a more certain level', () => {
    const [first, ...rest] = buys;
    const placed = { ...first, group: { id: 'g', level: 'L2' as const } } as (typeof buys)[0];
    const owners = take(new LinkedBuys(new UndoLog()), { trades: [placed, ...rest] });
    expect(owners.map(([owner]) => owner)).toEqual(['b', 'c']);
  });

  test('are remembered for two thousand mints, and can be undone', () => {
    const undo = new UndoLog(1);
    const linked = new LinkedBuys(undo);
    const mintOf = (index: number) => ({ trades: buys, mint: named(`mint ${index}`) });
    for (let index = 0; index < 2_000; index++) take(linked, mintOf(index));
    const before = contentHash([...linked.digestRows()]);
    undo.open();
    expect(take(linked, mintOf(2_000))).toHaveLength(3);
    undo.close();
    undo.undo();
    expect(contentHash([...linked.digestRows()])).toBe(before);
    expect(take(linked, mintOf(0))).toEqual([]);
    take(linked, mintOf(2_000));
    expect(take(linked, mintOf(1))).toEqual([]);
    expect(take(linked, mintOf(0))).toHaveLength(3);
  });
});
