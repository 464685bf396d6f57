import { describe, expect, it } from 'vitest';
import { linkBy, strengthBy } from '../../../tests/support/link-readings.ts';
import {
  aBuy,
  aCase,
  aPayment,
  aSell,
  aTransfer,
  type CaseDraft,
  DAY_MS,
  sol,
  supplyShare,
  timeOf,
} from '../../../tests/support/mint-case.ts';

const PAIR = ['ann', 'bob'] as const;
const BUYS = [aBuy('ann'), aBuy('bob')];
/** Each sells for 10 SOL in slot 2,000. */
const SALES = [
  ...BUYS,
  aSell('ann', { slot: 2_000, lamports: sol(10) }),
  aSell('bob', { slot: 2_000, lamports: sol(10) }),
];
const ANN_PAYS = aPayment('ann', 'sink', { slot: 2_001, lamports: sol(10) });

function strengthOf(draft: CaseDraft): number {
  return strengthBy('sweep', aCase({ trades: SALES, ...draft }), PAIR);
}

describe('sweeps', () => {
  it('link two that send seven tenths of their proceeds to one wallet', () => {
    const bob = aPayment('bob', 'sink', { slot: 2_001, lamports: sol(7) });
    const mintCase = aCase({ trades: SALES, payments: [ANN_PAYS, bob] });
    expect(linkBy('sweep', mintCase, PAIR)).toEqual({
      one: 'ann',
      other: 'bob',
      family: 'sweep',
      strength: 0.85,
      relationship: 'indirect_funding',
      via: 'sink',
    });
  });

  it('need those seven tenths', () => {
    const bob = aPayment('bob', 'sink', { slot: 2_001, lamports: sol(6.999_999_999) });
    expect(strengthOf({ payments: [ANN_PAYS, bob] })).toBe(0);
  });

  it('need proceeds', () => {
    const nothing = PAIR.map((name) => aSell(name, { slot: 2_000, lamports: sol(0) }));
    const payments = PAIR.map((name) => aPayment(name, 'sink', { slot: 2_001, lamports: sol(0) }));
    expect(strengthOf({ trades: [...BUYS, ...nothing], payments })).toBe(0);
  });

  it('sum partial payments', () => {
    const parts = [2_001, 2_002, 2_003].map((slot) =>
      aPayment('bob', 'sink', { slot, lamports: sol(2.5) }),
    );
    expect(strengthOf({ payments: [ANN_PAYS, ...parts] })).toBe(0.85);
  });

  it('are within a day after a sale, not before it', () => {
    const at = (timeMs: number, slot: number) =>
      strengthOf({
        payments: [ANN_PAYS, aPayment('bob', 'sink', { slot, timeMs, lamports: sol(10) })],
      });
    expect(at(timeOf(2_000) + DAY_MS, 218_000)).toBe(0.85);
    expect(at(timeOf(2_000) + DAY_MS + 1, 218_000)).toBe(0);
    expect(at(timeOf(1_999), 1_999)).toBe(0);
  });

  it('may be in the transaction of the sale', () => {
    const together = { slot: 2_000, signature: 'sell and send', lamports: sol(10) };
    const trades = [...BUYS, SALES[2] ?? [], aSell('bob', together)].flat();
    expect(strengthOf({ trades, payments: [ANN_PAYS, aPayment('bob', 'sink', together)] })).toBe(
      0.85,
    );
  });

  it('link the receiver, if it is a participant', () => {
    const mintCase = aCase({
      trades: SALES,
      payments: [aPayment('ann', 'creator', { slot: 2_001, lamports: sol(10) })],
    });
    expect(strengthBy('sweep', mintCase, ['ann', 'creator'])).toBe(0.85);
  });

  it.each([{ class: 'cex' }, { class: 'hub' }, { class: 'tip' }, { fanOut: 201 }] as const)(
    'to %o give no link',
    (sink) => {
      const bob = aPayment('bob', 'sink', { slot: 2_001, lamports: sol(10) });
      expect(strengthOf({ payments: [ANN_PAYS, bob], wallets: { sink } })).toBe(0);
    },
  );

  it('go through shells', () => {
    const payments = [
      ANN_PAYS,
      aPayment('bob', 'shell', { slot: 2_001, lamports: sol(10) }),
      aPayment('shell', 'dust', { slot: 2_002, lamports: sol(0.1) }),
      aPayment('shell', 'shell2', { slot: 2_002, lamports: sol(9.8) }),
      aPayment('shell2', 'sink', { slot: 2_003, lamports: sol(9.7) }),
    ];
    const wallets = { shell: { isShell: true }, shell2: { isShell: true } };
    expect(strengthOf({ payments, wallets })).toBe(0.85);
    expect(strengthOf({ payments })).toBe(0);
  });

  it('may be of tokens, with seven tenths of all received', () => {
    // Each bought 0.1 % of the supply.
    const give = (from: string, share: number, slot = 1_010) =>
      aTransfer(from, 'sink', { slot, amountRaw: supplyShare(share) });
    const strength = (transfers: ReturnType<typeof give>[]) =>
      strengthOf({ trades: BUYS, transfers });
    expect(strength([give('ann', 0.0007), give('bob', 0.0007)])).toBe(0.85);
    expect(strength([give('ann', 0.0007), give('bob', 0.000_699_999)])).toBe(0);
    expect(strength([give('ann', 0.0007), give('bob', 0.0007, 300_000)])).toBe(0);
  });

  it('link a sender of proceeds with a sender of tokens', () => {
    const transfers = [aTransfer('bob', 'sink', { slot: 1_010 })];
    expect(strengthOf({ payments: [ANN_PAYS], transfers })).toBe(0.85);
  });

  it('of tokens leave the link with the receiver to token transfers', () => {
    const mintCase = aCase({ trades: BUYS, transfers: [aTransfer('bob', 'ann', { slot: 1_010 })] });
    expect(strengthBy('sweep', mintCase, PAIR)).toBe(0);
  });
});
