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

/** Five hundred buyers in slot 1,001, none of which is a large holder. */
const CROWD = Array.from({ length: 500 }, (_, index) =>
  aBuy(`crowd${index}`, { slot: 1_001, txIndex: index, baseRaw: supplyShare(0.000_001) }),
);
const SMALL = supplyShare(0.002_499_999);
const LARGE = supplyShare(0.0025);

describe('participants', () => {
  it('are the creator and its funders, three hops up, by address', () => {
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

  it('are at most 512: large holders before first buyers before receivers', () => {
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
    // The creator, 300 holders, and as many of the buyers as fit: 211 of 500.
    expect(found.filter((name) => name.startsWith('crowd'))).toHaveLength(211);
    expect(found).not.toContain('given');
  });

  it('do not replace a service among the first buyers', () => {
    const late = aBuy('late', { slot: 1_002, baseRaw: supplyShare(0.000_001) });
    const wallets = { crowd7: { class: 'hub' } } as const;
    const found = participants({ launch: null, trades: [...CROWD, late], wallets });
    expect(found).toHaveLength(499);
    expect(found).not.toContain('late');
  });

  it('include current holders of 0.25 %', () => {
    const wallets = { large: { balanceRaw: LARGE }, small: { balanceRaw: SMALL } };
    expect(participants({ launch: null, wallets })).toEqual(['large']);
  });

  it('include earlier holders of 0.25 %, by trades and transfers', () => {
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

  it('include liquidity providers', () => {
    expect(participants({ launch: null, liquidity: [aLiquidityChange('ann')] })).toEqual(['ann']);
  });

  it('include receivers of tokens from participants, transitively', () => {
    const amountRaw = supplyShare(0.000_001);
    const transfers = [
      aTransfer('ann', 'bob', { amountRaw }),
      aTransfer('bob', 'eve', { slot: 1_001, amountRaw }),
      aTransfer('outsider', 'stranger', { amountRaw }),
    ];
    const trades = [aBuy('ann', { baseRaw: amountRaw })];
    expect(participants({ launch: null, trades, transfers })).toEqual(['ann', 'bob', 'eve']);
  });

  it('exclude services and transfers through them', () => {
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

  it('exclude arbitrageurs', () => {
    const buy = aBuy('ann', { isArbitrage: true, baseRaw: supplyShare(0.000_001) });
    expect(participants({ launch: null, trades: [buy] })).toEqual([]);
  });

  it('may be empty', () => {
    expect(participants({ launch: null })).toEqual([]);
  });
});

/** An action of one of three latecomers; a gift goes from one to another. */
interface Deed {
  readonly wallet: string;
  readonly other: string;
  readonly kind: 'buy' | 'sell' | 'gift';
  readonly share: number;
}

const latecomer = fc.constantFrom('x', 'y', 'z');
const deeds: fc.Arbitrary<Deed[]> = fc.array(
  fc.record({
    wallet: latecomer,
    other: latecomer,
    kind: fc.constantFrom('buy', 'sell', 'gift'),
    share: fc.constantFrom(0.000_5, 0.001, 0.001_5, 0.002, 0.002_499_999, 0.002_5),
  }),
  { maxLength: 12 },
);

/** Wallets that held 1/400 after any of these; balances are never negative. */
function largeOf(done: readonly Deed[]): Set<string> {
  const held = new Map<string, bigint>();
  const large = new Set<string>();
  const move = (wallet: string, raw: bigint) => {
    const sum = (held.get(wallet) ?? 0n) + raw;
    held.set(wallet, sum > 0n ? sum : 0n);
    if (sum >= LARGE) large.add(wallet);
  };
  for (const { wallet, other, kind, share } of done) {
    move(wallet, kind === 'buy' ? supplyShare(share) : -supplyShare(share));
    if (kind === 'gift') move(other, supplyShare(share));
  }
  return large;
}

it('include latecomers exactly if they held 0.25 % at any time', () => {
  fc.assert(
    fc.property(deeds, (done) => {
      const placed = done.map((deed, index) => ({ ...deed, slot: 1_100 + index }));
      const gifts = placed.filter(({ kind }) => kind === 'gift');
      const deals = placed.filter(({ kind }) => kind !== 'gift');
      const found = participants({
        trades: [
          ...CROWD,
          ...deals.map(({ wallet, kind, slot, share }) =>
            (kind === 'buy' ? aBuy : aSell)(wallet, { slot, baseRaw: supplyShare(share) }),
          ),
        ],
        transfers: gifts.map(({ wallet, other, slot, share }) =>
          aTransfer(wallet, other, { slot, amountRaw: supplyShare(share) }),
        ),
      });
      const expected = largeOf(done);
      // Receivers of tokens from a participant are participants.
      for (const name of expected) {
        for (const { wallet, other } of gifts) if (wallet === name) expected.add(other);
      }
      expect(found.filter((name) => !name.startsWith('c'))).toEqual([...expected].sort());
    }),
    { numRuns: 300 },
  );
});
