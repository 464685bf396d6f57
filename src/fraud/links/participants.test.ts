import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  aBuy,
  aCase,
  aFunding,
  aLiquidityChange,
  aSell,
  aTransfer,
  type CaseDraft,
  supplyShare,
} from '../../../tests/support/mint-case.ts';
import { ADDRESS_CLASSES } from '../../model/address-registry.ts';
import type { CaseClass, CaseWallet } from '../../model/mint-case.ts';
import { orderCase } from '../readings/case-order.ts';
import { firstBuysOf, participantsOf } from './participants.ts';

function participants(draft: CaseDraft): string[] {
  const mintCase = orderCase(aCase(draft));
  return [...participantsOf(mintCase, firstBuysOf(mintCase))];
}

/** Five hundred buyers in slot 1,001, with sizes that make nobody a large holder. */
const CROWD = Array.from({ length: 500 }, (_, index) =>
  aBuy(`crowd${index}`, { slot: 1_001, txIndex: index, baseRaw: supplyShare(0.000_001) }),
);
const SMALL = supplyShare(0.002_499_999);
const LARGE = supplyShare(0.0025);

describe('participants', () => {
  it('are the creator and who paid for it, three hops up, by address', () => {
    const paidBy = (name: string) => ({ fundings: [aFunding(name)] });
    const wallets = {
      creator: paidBy('shell'),
      shell: { isShell: true, ...paidBy('b1') },
      b1: paidBy('b2'),
      b2: paidBy('b3'),
      b3: paidBy('b4'),
    };
    expect(participants({ wallets })).toEqual(['b1', 'b2', 'b3', 'creator', 'shell']);
  });

  it('are the first five hundred buyers', () => {
    const found = participants({
      launch: null,
      trades: [...CROWD.slice(1), aBuy('z-499', { slot: 1_000 }), aBuy('z-501', { slot: 1_002 })],
      supplyRaw: supplyShare(1_000),
    });
    expect(found).toHaveLength(500);
    expect(found).toContain('z-499');
    expect(found).not.toContain('z-501');
  });

  it('are at most 512, large holders before first buyers before who was given some', () => {
    const holders = Array.from({ length: 300 }, (_, at) => `holder${1_000 + at}`);
    const found = participants({
      trades: CROWD,
      transfers: [aTransfer('creator', 'given', { slot: 1_001 })],
      wallets: Object.fromEntries(
        holders.map((name) => [name, { balanceRaw: supplyShare(0.003) }]),
      ),
      supplyRaw: supplyShare(1),
    });
    expect(found).toHaveLength(512);
    expect(found).toContain('holder1299');
    // The creator, 300 holders, and of the crowd as many as there is room for: 211 of 500.
    expect(found.filter((name) => name.startsWith('crowd'))).toHaveLength(211);
    expect(found).not.toContain('given');
  });

  it('lets nobody in for a service among the first buyers', () => {
    const late = aBuy('late', { slot: 1_002, baseRaw: supplyShare(0.000_001) });
    const wallets = { crowd7: { class: 'hub' } } as const;
    const found = participants({ launch: null, trades: [...CROWD, late], wallets });
    expect(found).toHaveLength(499);
    expect(found).not.toContain('late');
  });

  it('are those who hold a quarter of a percent now', () => {
    const wallets = { large: { balanceRaw: LARGE }, small: { balanceRaw: SMALL } };
    expect(participants({ launch: null, wallets })).toEqual(['large']);
  });

  it('are those who held it once, in trades and transfers', () => {
    const later = [
      ...[
        aBuy('large', { slot: 1_100, baseRaw: SMALL }),
        aBuy('small', { slot: 1_100, baseRaw: SMALL }),
      ],
      aSell('small', { slot: 1_101, baseRaw: SMALL }),
      aSell('large', { slot: 1_300, baseRaw: LARGE }),
    ];
    const transfers = [
      aTransfer('outsider', 'large', { slot: 1_200, amountRaw: supplyShare(0.000_000_001) }),
      aTransfer('outsider', 'small', { slot: 1_200, amountRaw: SMALL }),
    ];
    const found = participants({ launch: null, trades: [...CROWD, ...later], transfers });
    expect(found.filter((name) => !name.startsWith('crowd'))).toEqual(['large']);
  });

  it('are providers of liquidity', () => {
    expect(participants({ launch: null, liquidity: [aLiquidityChange('ann')] })).toEqual(['ann']);
  });

  it('are those who got tokens from any of them, and those who got them on', () => {
    const amountRaw = supplyShare(0.000_001);
    const transfers = [
      aTransfer('ann', 'bob', { amountRaw }),
      aTransfer('bob', 'eve', { slot: 1_001, amountRaw }),
      aTransfer('outsider', 'stranger', { amountRaw }),
    ];
    const trades = [aBuy('ann', { baseRaw: amountRaw })];
    expect(participants({ launch: null, trades, transfers })).toEqual(['ann', 'bob', 'eve']);
  });

  it('are no services, and nothing that went through one', () => {
    const traders: readonly CaseClass[] = ['market_maker', 'mev_searcher'];
    const classes: readonly CaseClass[] = [...ADDRESS_CLASSES, 'hub'];
    const wallets = classes.map((kind): [string, Partial<CaseWallet>] => [kind, { class: kind }]);
    const found = participants({
      launch: null,
      wallets: Object.fromEntries(wallets),
      trades: classes.map((kind) => aBuy(kind)),
      transfers: [aTransfer('cex', 'customer', { slot: 1_005 })],
    });
    expect(found).toEqual(traders);
  });

  it('are no arbitrageurs', () => {
    const buy = aBuy('ann', { isArbitrage: true, baseRaw: supplyShare(0.000_001) });
    expect(participants({ launch: null, trades: [buy] })).toEqual([]);
  });

  it('may be nobody', () => {
    expect(participants({ launch: null })).toEqual([]);
  });
});

/** Something that one of three latecomers did; a gift is of one to another. */
interface Deed {
  readonly who: string;
  readonly other: string;
  readonly kind: 'buy' | 'sell' | 'gift';
  readonly share: number;
}

const latecomer = fc.constantFrom('x', 'y', 'z');
const deeds: fc.Arbitrary<Deed[]> = fc.array(
  fc.record({
    who: latecomer,
    other: latecomer,
    kind: fc.constantFrom('buy', 'sell', 'gift'),
    share: fc.constantFrom(0.000_5, 0.001, 0.001_5, 0.002, 0.002_499_999, 0.002_5),
  }),
  { maxLength: 12 },
);

/** Who held a four-hundredth after one of these; nobody ever has less than nothing. */
function largeOf(done: readonly Deed[]): Set<string> {
  const held = new Map<string, bigint>();
  const large = new Set<string>();
  const move = (who: string, raw: bigint) => {
    const sum = (held.get(who) ?? 0n) + raw;
    held.set(who, sum > 0n ? sum : 0n);
    if (sum >= LARGE) large.add(who);
  };
  for (const { who, other, kind, share } of done) {
    move(who, kind === 'buy' ? supplyShare(share) : -supplyShare(share));
    if (kind === 'gift') move(other, supplyShare(share));
  }
  return large;
}

it('are of those who came late whoever held a quarter of a percent at some time, whatever came and went', () => {
  fc.assert(
    fc.property(deeds, (done) => {
      const placed = done.map((deed, place) => ({ ...deed, slot: 1_100 + place }));
      const gifts = placed.filter(({ kind }) => kind === 'gift');
      const deals = placed.filter(({ kind }) => kind !== 'gift');
      const found = participants({
        trades: [
          ...CROWD,
          ...deals.map(({ who, kind, slot, share }) =>
            (kind === 'buy' ? aBuy : aSell)(who, { slot, baseRaw: supplyShare(share) }),
          ),
        ],
        transfers: gifts.map(({ who, other, slot, share }) =>
          aTransfer(who, other, { slot, amountRaw: supplyShare(share) }),
        ),
      });
      const expected = largeOf(done);
      // Whoever got some from one that takes part does too.
      for (const name of expected) {
        for (const { who, other } of gifts) if (who === name) expected.add(other);
      }
      expect(found.filter((name) => !name.startsWith('c'))).toEqual([...expected].sort());
    }),
    { numRuns: 300 },
  );
});
