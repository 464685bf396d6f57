import { describe, expect, it } from 'vitest';
import {
  aBuy,
  aCase,
  aSell,
  LAUNCH_SLOT,
  sol,
  supplyShare,
  timeOf,
} from '../../../tests/support/mint-case.ts';
import type { CaseLaunch } from '../../model/mint-case.ts';
import { asSlot } from '../../model/units.ts';
import { toGroup } from './bundle-group.ts';
import {
  alikeSizesShare,
  burstiness,
  followersPerMember,
  spanOf,
  usualBuyersPerSlot,
  volumeShare,
} from './burst-readings.ts';

const BURST_SLOT = LAUNCH_SLOT + 1000;

/** Three wallets that buy in one slot. */
const burst = ['a', 'b', 'c'].map((wallet, txIndex) => aBuy(wallet, { slot: BURST_SLOT, txIndex }));
const groupOf = (buys: typeof burst) =>
  toGroup(
    buys.map((buy) => ({ buy, level: 'L2' as const })),
    [],
    buys,
  );
const group = groupOf(burst);
const span = spanOf(group);

describe('the burstiness', () => {
  it('is 4.85 for 6 buyers if half a buyer is usual, and 2.96 for 8 if 2 are usual', () => {
    // METHODS §7.4: P[X ≥ 6; 0.5] = 1.4165·10^-5, P[X ≥ 8; 2] = 1.0967·10^-3.
    expect(burstiness(6, 0.5, 1)).toBeCloseTo(4.85, 2);
    expect(burstiness(8, 2, 1)).toBeCloseTo(2.96, 2);
  });

  it('is based on the buyers expected in all its slots', () => {
    expect(burstiness(6, 0.25, 2)).toBeCloseTo(4.85, 2);
  });
});

describe('the usual number of buyers', () => {
  const usual = (buyersPerSlot: number, slots = 1000) => {
    const trades = Array.from({ length: slots * buyersPerSlot }, (_, at) =>
      aBuy(`o${at % buyersPerSlot}`, {
        slot: BURST_SLOT - slots + Math.floor(at / buyersPerSlot),
        txIndex: at % buyersPerSlot,
      }),
    );
    const launch = aLaunch(BURST_SLOT - slots);
    return usualBuyersPerSlot(aCase({ trades: [...trades, ...burst], launch }), span);
  };

  it('equals a constant rate, in an old market and in a young one', () => {
    expect(usual(1)).toBeCloseTo(1, 2);
    expect(usual(3)).toBeCloseTo(3, 2);
    expect(usual(2, 100)).toBeCloseTo(2, 2);
  });

  it('is never below 0.05', () => {
    expect(usualBuyersPerSlot(aCase({ trades: burst }), span)).toBe(0.05);
  });

  it('decays over five minutes: e^-1 for a buyer that long ago', () => {
    const at = (slot: number) => {
      const many = Array.from({ length: 500 }, (_, txIndex) =>
        aBuy(`o${txIndex}`, { slot, txIndex }),
      );
      return usualBuyersPerSlot(aCase({ trades: [...many, ...burst] }), span);
    };
    // 750 slots of 0.4 s are 5 minutes.
    expect(at(BURST_SLOT - 751) / at(BURST_SLOT - 1)).toBeCloseTo(Math.exp(-1), 9);
  });

  it('counts a buyer once per slot, and no sellers', () => {
    const one = aBuy('o', { slot: BURST_SLOT - 1, txIndex: 1 });
    const again = aBuy('o', { slot: BURST_SLOT - 1, txIndex: 2 });
    const sell = aSell('s', { slot: BURST_SLOT - 1, txIndex: 3 });
    const many = Array.from({ length: 99 }, (_, at) =>
      aBuy(`m${at}`, { slot: BURST_SLOT - 1, txIndex: 4 + at }),
    );
    const of = (trades: typeof many) => usualBuyersPerSlot(aCase({ trades }), span);
    expect(of([one, again, sell, ...many])).toBe(of([one, ...many]));
  });
});

describe('trading around a burst', () => {
  // 150 slots of 0.4 s are a minute.
  const MINUTE_SLOTS = 150;

  it('counts other organic buyers in the minute after it, per member', () => {
    const follow = (wallet: string, slots: number) => aBuy(wallet, { slot: BURST_SLOT + slots });
    const trades = [
      ...burst,
      aBuy('beside', { slot: BURST_SLOT, txIndex: 50 }),
      follow('o1', 1),
      follow('o1', 2),
      follow('bot', 3),
      follow('a', 4),
      follow('o2', MINUTE_SLOTS),
      follow('late', MINUTE_SLOTS + 1),
    ];
    const mintCase = aCase({ trades, wallets: { bot: { isOrganic: false } } });
    expect(followersPerMember(mintCase, group, span)).toBeCloseTo(2 / 3, 12);
  });

  it('includes all purchases from a minute before it to a minute after', () => {
    const other = (slots: number) => aBuy('o', { slot: BURST_SLOT + slots, lamports: sol(1.5) });
    const ends = [-MINUTE_SLOTS - 1, -MINUTE_SLOTS, MINUTE_SLOTS, MINUTE_SLOTS + 1];
    // Three members of 0.5 SOL each, with 1.5 SOL at either end of the counted time.
    const mintCase = aCase({ trades: [...ends.map(other), ...burst] });
    expect(volumeShare(mintCase, group, span)).toBeCloseTo(1.5 / 4.5, 12);
  });
});

describe('similar sizes', () => {
  const share = (...sizes: number[]) =>
    alikeSizesShare(
      groupOf(sizes.map((size, at) => aBuy(`w${at}`, { lamports: sol(size), txIndex: at }))),
    );

  it('vary by less than a tenth', () => {
    // Mean 1.003, deviations ±0.09: variation 0.0733. With ±0.13 it is 0.1058.
    expect(share(0.913, 1.003, 1.093)).toBe(1);
    expect(share(0.873, 1.003, 1.133)).toBe(0);
  });

  it('do not include round sizes', () => {
    expect(share(1, 1, 1)).toBe(0);
    expect(share(1, 1.003, 1.003, 1.003)).toBe(0.75);
  });

  it('are summed per wallet', () => {
    const buys = [
      aBuy('a', { txIndex: 1, lamports: sol(0.503) }),
      aBuy('a', { txIndex: 2, lamports: sol(0.5) }),
      aBuy('b', { txIndex: 3, lamports: sol(1.003), baseRaw: supplyShare(0.1) }),
    ];
    expect(alikeSizesShare(groupOf(buys))).toBe(1);
  });
});

/** The launch of an ordinary case, in another slot. */
function aLaunch(slot: number): CaseLaunch {
  const { launch } = aCase();
  if (launch === null) throw new Error('a case with a launch');
  return { ...launch, slot: asSlot(slot), timeMs: timeOf(slot) };
}
