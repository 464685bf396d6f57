import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Meetings, type MeetingTrade } from './meetings.ts';

const WALLETS = 5;

const trade = fc.record({
  wallet: fc.nat(WALLETS - 1),
  mint: fc.nat(3),
  slot: fc.nat(3),
  isSell: fc.nat(1),
});

/**
 * Compares each pair directly: mints with a trade of both in the same slot and direction.
 */
function pairsByPair(trades: readonly MeetingTrade[], mintsMin: number): string[] {
  const found: string[] = [];
  for (let one = 0; one < WALLETS; one++) {
    for (let other = one + 1; other < WALLETS; other++) {
      const ofOther = trades.filter(({ wallet }) => wallet === other);
      const shared = trades.filter(
        ({ wallet, mint, slot, isSell }) =>
          wallet === one &&
          ofOther.some(
            (each) => each.mint === mint && each.slot === slot && each.isSell === isSell,
          ),
      );
      const mints = new Set(shared.map(({ mint }) => mint)).size;
      if (mints >= mintsMin) found.push(`${one} ${other} ${mints}`);
    }
  }
  return found;
}

function meetingsOf(trades: readonly MeetingTrade[]): Meetings {
  const meetings = new Meetings();
  for (const each of trades) meetings.note(each);
  return meetings;
}

describe('meetings', () => {
  it('count each mint once that both wallets traded in one slot and direction', () => {
    const meetings = meetingsOf([
      { wallet: 0, mint: 7, slot: 1, isSell: 0 },
      { wallet: 0, mint: 7, slot: 2, isSell: 0 },
      { wallet: 0, mint: 8, slot: 1, isSell: 0 },
      { wallet: 1, mint: 7, slot: 1, isSell: 0 },
      { wallet: 1, mint: 7, slot: 2, isSell: 0 },
      { wallet: 1, mint: 8, slot: 1, isSell: 1 },
    ]);
    expect(meetings.pairs(2, 1)).toEqual([{ one: 0, other: 1, mints: 1 }]);
    expect(meetings.pairs(2, 2)).toEqual([]);
  });

  it('equal a direct comparison of all pairs, for any minimum of mints', () => {
    const trades = fc.uniqueArray(trade, {
      maxLength: 40,
      selector: ({ wallet, mint, slot, isSell }) => `${wallet} ${mint} ${slot} ${isSell}`,
    });
    fc.assert(
      fc.property(trades, fc.integer({ min: 1, max: 4 }), (all, mintsMin) => {
        const inOrder = all.toSorted((one, other) => one.wallet - other.wallet);
        const pairs = meetingsOf(inOrder).pairs(WALLETS, mintsMin);
        const found = pairs.map(({ one, other, mints }) => `${one} ${other} ${mints}`);
        expect(found.sort()).toEqual(pairsByPair(all, mintsMin).sort());
      }),
    );
  });
});
