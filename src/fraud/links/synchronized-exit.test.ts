import { describe, expect, it } from 'vitest';
import { linkBy, numbered, strengthBy } from '../../../tests/support/link-readings.ts';
import { aBuy, aCase, aSell, supplyShare } from '../../../tests/support/mint-case.ts';
import type { CaseTrade } from '../../model/mint-case.ts';

const PAIR = ['ring01', 'ring02'] as const;

interface ExitDraft {
  /** Wallets that buy in slot 1,000, and how many of them sell in slot 5,000. */
  readonly ring?: number;
  readonly leavers?: number;
  /** Others who bought 100 slots later, and how many of these sell in slot 5,003. */
  readonly others?: number;
  readonly running?: number;
  readonly othersShare?: number;
  /** Values of the ring's second wallet. */
  readonly sell?: Parameters<typeof aSell>[1];
  readonly buy?: Parameters<typeof aBuy>[1];
}

/**
 * Four of four is 1.6e-7 at the minimum rate of 2 %, three of four 3.1e-5: surprises of 6.8 and
 * 4.5.
 */
function tradesOf(draft: ExitDraft): CaseTrade[] {
  const { ring = 4, leavers = ring, others = 50, running = 0, othersShare = 0.001 } = draft;
  const members = numbered('ring', ring);
  const strangers = numbered('other', others);
  const size = { baseRaw: supplyShare(othersShare) };
  return [
    ...members.map((name, index) => aBuy(name, index === 1 ? draft.buy : {})),
    ...members
      .slice(0, leavers)
      .map((name, index) => aSell(name, { slot: 5_000, ...(index === 1 ? draft.sell : {}) })),
    ...strangers.map((name) => aBuy(name, { slot: 1_100, ...size })),
    ...strangers.slice(0, running).map((name) => aSell(name, { slot: 5_003, ...size })),
  ];
}

function strengthOf(draft: ExitDraft): number {
  return strengthBy('synchronized-exit', aCase({ trades: tradesOf(draft) }), PAIR);
}

describe('a synchronised exit', () => {
  it('links wallets that entered and left together while others stayed', () => {
    expect(linkBy('synchronized-exit', aCase({ trades: tradesOf({}) }), PAIR)).toEqual({
      one: 'ring01',
      other: 'ring02',
      family: 'synchronized-exit',
      strength: 0.45,
      relationship: 'coordinated_trading',
      via: null,
    });
  });

  it('gives no link in a panic', () => {
    // Four of four at 9 in 100 are 6.6e-5; at 11 in 100 they are 1.46e-4.
    expect(strengthOf({ others: 100, running: 9 })).toBe(0.45);
    expect(strengthOf({ others: 100, running: 11 })).toBe(0);
    expect(strengthOf({ running: 30 })).toBe(0);
  });

  it('counts members of the cohort that stayed', () => {
    // At 2 %: three of four 3.1e-5, three of six 1.5e-4 (20 · 8e-6 · 0.94 and more).
    expect(strengthOf({ ring: 4, leavers: 3 })).toBe(0.45);
    expect(strengthOf({ ring: 6, leavers: 3 })).toBe(0);
  });

  it('counts them even if one of them is a service', () => {
    const trades = tradesOf({ ring: 6, leavers: 3 });
    const mintCase = aCase({ trades, wallets: { ring06: { class: 'hub' } } });
    expect(strengthBy('synchronized-exit', mintCase, PAIR)).toBe(0);
  });

  it('of two is never surprising', () => {
    // 0.02² = 4e-4.
    expect(strengthOf({ ring: 2 })).toBe(0);
    expect(strengthOf({ ring: 3 })).toBe(0.45);
  });

  it('is within five slots of first sells', () => {
    expect(strengthOf({ ring: 6, sell: { slot: 5_005 } })).toBe(0.45);
    expect(strengthOf({ ring: 6, sell: { slot: 5_006 } })).toBe(0);
  });

  it('needs wallets that sold eight tenths', () => {
    expect(strengthOf({ ring: 6, sell: { baseRaw: supplyShare(0.0008) } })).toBe(0.45);
    expect(strengthOf({ ring: 6, sell: { baseRaw: supplyShare(0.000_799_999) } })).toBe(0);
  });

  it('needs wallets that entered within ten slots', () => {
    expect(strengthOf({ ring: 6, buy: { slot: 1_010 } })).toBe(0.45);
    expect(strengthOf({ ring: 6, buy: { slot: 1_011 } })).toBe(0);
  });

  it('gives no link with too few other holders', () => {
    expect(strengthOf({ others: 10 })).toBe(0.45);
    expect(strengthOf({ others: 9 })).toBe(0);
  });

  it('compares with others of similar size, and with all if those are too few', () => {
    const small = numbered('small', 20).flatMap((name) => [
      aBuy(name, { slot: 1_200, baseRaw: supplyShare(0.000_1) }),
      aSell(name, { slot: 5_001, baseRaw: supplyShare(0.000_1) }),
    ]);
    const strength = (others: number) =>
      strengthBy('synchronized-exit', aCase({ trades: [...tradesOf({ others }), ...small] }), PAIR);
    // Twenty small holders sell: of ten similar ones none does, of nine plus twenty two thirds do.
    expect(strength(10)).toBe(0.45);
    expect(strength(9)).toBe(0);
  });

  it('counts half and twice the size as similar', () => {
    const running = { others: 20, running: 20 };
    const calm = numbered('calm', 30).map((name) =>
      aBuy(name, { slot: 1_200, baseRaw: supplyShare(0.001) }),
    );
    const strength = (othersShare: number) =>
      strengthBy(
        'synchronized-exit',
        aCase({ trades: [...tradesOf({ ...running, othersShare }), ...calm] }),
        PAIR,
      );
    expect(strength(0.000_5)).toBe(0);
    expect(strength(0.000_499_999)).toBe(0.45);
    expect(strength(0.002)).toBe(0);
    expect(strength(0.002_000_001)).toBe(0.45);
  });

  it('counts members of the cohort that entered during the exit', () => {
    // As above: three of six, here all within one slot.
    const trades = [
      ...tradesOf({ ring: 0 }),
      ...numbered('ring', 6).map((name) => aBuy(name, { slot: 5_000, txIndex: 1 })),
      ...numbered('ring', 3).map((name) => aSell(name, { slot: 5_000, txIndex: 2 })),
    ];
    expect(strengthBy('synchronized-exit', aCase({ trades }), PAIR)).toBe(0);
  });

  it('does not count sales of tokens held before the start of the case', () => {
    const trades = [
      ...tradesOf({ ring: 0 }),
      ...numbered('ring', 4).map((name) => aSell(name, { slot: 5_000 })),
      ...numbered('ring', 4).map((name) => aBuy(name, { slot: 5_004 })),
    ];
    expect(strengthBy('synchronized-exit', aCase({ trades }), PAIR)).toBe(0);
  });

  it('does not count earlier leavers as holders that stayed', () => {
    // Fifty others sold long ago: none remains for a comparison.
    const gone = numbered('other', 50).map((name) => aSell(name, { slot: 2_000 }));
    const mintCase = aCase({ trades: [...tradesOf({}), ...gone] });
    expect(strengthBy('synchronized-exit', mintCase, PAIR)).toBe(0);
  });
});
