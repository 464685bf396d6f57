import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectStored } from '../../../tests/support/book-trial.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import { named } from '../../../tests/support/made-up-units.ts';
import {
  aBuy,
  aCase,
  aFunding,
  aSell,
  type CaseDraft,
  LAUNCH_SLOT,
  sol,
} from '../../../tests/support/mint-case.ts';
import { createReading } from '../../fraud/detect/inspect-case.ts';
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

  test('are one for a purchase over two pools by one transaction, with what was paid in both', () => {
    const first = { slot: SLOT, txIndex: 7, signature: 's' };
    const trades = [
      aBuy('a', { ...first, pool: named('pool'), lamports: sol(3) }),
      aBuy('a', { ...first, pool: named('pool 2'), lamports: sol(1) }),
      ...buys.slice(1),
    ];
    const found = new LinkedBuys(new UndoLog()).take(createReading(aCase({ wallets, trades })));
    const paid = found.map(({ owner, lamports }) => [owner, lamports]);
    expect(paid[0]).toEqual([named('a'), sol(4)]);
    expect(paid.map(([owner]) => owner)).toEqual(['a', 'b', 'c'].map(named));
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

  test('are remembered however many other mints have some', () => {
    const linked = new LinkedBuys(new UndoLog());
    const mintOf = (index: number) => ({ trades: buys, mint: named(`mint ${index}`) });
    for (let index = 0; index < 3_000; index++) {
      expect(take(linked, mintOf(index))).toHaveLength(3);
    }
    expect(take(linked, mintOf(0))).toEqual([]);
  });

  test('that were returned can be undone, stored and restored', () => {
    const anySlot = fc.record({
      mint: fc.constantFrom(address('one'), address('two')),
      buyers: fc.integer({ min: 3, max: 6 }),
    });
    fc.assert(
      fc.property(fc.array(anySlot, { maxLength: 8 }), fc.nat(7), (slots, stored) => {
        expectStored<LinkedBuys, (typeof slots)[number]>(
          {
            create: (undo) => new LinkedBuys(undo),
            apply(linked, { mint, buyers }) {
              const names = ['a', 'b', 'c', 'd', 'e', 'f'].slice(0, buyers);
              const trades = names.map((name, txIndex) => aBuy(name, { slot: SLOT, txIndex }));
              const funded = names.map((name) => [name, { firstFunding: aFunding('funder') }]);
              return take(linked, { mint, trades, wallets: Object.fromEntries(funded) });
            },
            answers: () => null,
          },
          slots,
          stored,
        );
      }),
      { numRuns: 30 },
    );
  });
});
