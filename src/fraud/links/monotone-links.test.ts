import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryCase } from '../../../tests/support/arbitrary-case.ts';
import { strengthBy } from '../../../tests/support/link-readings.ts';
import { named } from '../../../tests/support/made-up-units.ts';
import {
  aBuy,
  aCase,
  aFunding,
  aPayment,
  aSell,
  aTransfer,
  LAUNCH_TIME_MS,
  sol,
} from '../../../tests/support/mint-case.ts';
import type { CaseWallet, MintCase } from '../../model/mint-case.ts';
import type { Address, Lamports } from '../../model/units.ts';
import { findClusters } from './find-clusters.ts';

const paidBy = (...funders: string[]) => ({ fundings: funders.map((name) => aFunding(name)) });
const paidAt = (funder: string, sinceMs: number) => aFunding(funder, { sinceMs, lastMs: sinceMs });

describe('payments', () => {
  it('between two wallets add to a funder they share', () => {
    const shared = { ann: paidBy('funder'), bob: paidBy('funder') };
    const strengthOf = (wallets: Record<string, Partial<CaseWallet>>) =>
      findClusters(aCase({ wallets, trades: [aBuy('ann'), aBuy('bob')] })).strength(
        named('ann'),
        named('bob'),
      );
    expect(strengthOf(shared)).toBeCloseTo(0.85, 12);
    // Paid later than the purchase: 1 − 0.15 · (1 − 0.55).
    const later = paidAt('ann', LAUNCH_TIME_MS + 60_000);
    const both = { ...shared, bob: { fundings: [aFunding('funder'), later] } };
    expect(strengthOf(both)).toBeCloseTo(0.932_5, 12);
  });

  it('count for every purchase after them, and not only for the first', () => {
    const paid = paidAt('funder', LAUNCH_TIME_MS + 60_000);
    const trades = [
      aBuy('child', { lamports: sol(1) }),
      aBuy('funder', { slot: 1_500 }),
      // 200 seconds after the first.
      aBuy('child', { slot: 1_500, txIndex: 1, lamports: sol(2) }),
    ];
    const caseOf = (lamports: Lamports) =>
      aCase({ wallets: { child: { fundings: [{ ...paid, lamports }] } }, trades });
    expect(strengthBy('direct-funding', caseOf(sol(1)), ['funder', 'child'])).toBe(0.9);
    expect(strengthBy('direct-funding', caseOf(sol(0.99)), ['funder', 'child'])).toBe(0.55);
  });

  it('give two wallets no common funder after their last trade of the mint', () => {
    const strengthAt = (afterMs: number) => {
      const paid = { fundings: [paidAt('funder', LAUNCH_TIME_MS + afterMs)] };
      const trades = [aBuy('ann'), aBuy('bob'), aSell('ann', { slot: 1_010 })];
      // Bob sells later, 4 seconds after the launch.
      trades.push(aSell('bob', { slot: 1_010, txIndex: 1 }));
      return strengthBy('common-funding', aCase({ wallets: { ann: paid, bob: paid }, trades }), [
        'ann',
        'bob',
      ]);
    };
    expect(strengthAt(4_000)).toBe(0.85);
    expect(strengthAt(4_001)).toBe(0);
  });
});

describe('a sweep', () => {
  it('stands when its wallets sell again and keep the money', () => {
    const names = ['ann', 'bob'];
    const trades = names.flatMap((name, index) => [
      aBuy(name, { txIndex: index }),
      aSell(name, { slot: 2_000, txIndex: index, lamports: sol(1) }),
      aSell(name, { slot: 3_000, txIndex: index, lamports: sol(9) }),
    ]);
    const payments = names.map((name, index) =>
      aPayment(name, 'sink', { slot: 2_001, txIndex: index, lamports: sol(0.7) }),
    );
    expect(strengthBy('sweep', aCase({ trades, payments }), ['ann', 'bob'])).toBe(0.85);
  });
});

describe('evidence of any case', () => {
  const name = fc.constantFrom(...arbitraryNames());

  it('that is added later never lowers the strength of any link', () => {
    const kind = fc.constantFrom('payment', 'transfer', 'coTrade', 'buy');
    fc.assert(
      fc.property(arbitraryCase, kind, name, name, (mintCase, added, from, to) => {
        // What a shell forwards later may be most of its money: the end of a path, no further link.
        fc.pre(from !== to && mintCase.wallets.get(from)?.isShell === false);
        const before = findClusters(mintCase);
        const after = findClusters(withAdded(mintCase, added, from, to));
        const wallets = [...mintCase.wallets.keys()];
        for (const [index, one] of wallets.entries()) {
          for (const other of wallets.slice(index + 1)) {
            expect(after.strength(one, other)).toBeGreaterThanOrEqual(
              before.strength(one, other) - 1e-12,
            );
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});

/** The names of the wallets of arbitrary cases. */
function arbitraryNames(): ReadonlySet<Address> {
  const [sample] = fc.sample(arbitraryCase, { numRuns: 1, seed: 1 });
  return new Set(sample?.wallets.keys() ?? []);
}

/** The case with one more payment, transfer, co-trade or purchase, later than all others. */
function withAdded(mintCase: MintCase, kind: string, from: Address, to: Address): MintCase {
  const refs = [...mintCase.trades, ...mintCase.transfers, ...mintCase.payments];
  const slot = Math.max(1_000, ...refs.map((ref) => ref.slot)) + 1;
  switch (kind) {
    case 'payment': {
      const payment = aPayment(from, to, { slot, lamports: sol(1) });
      const { timeMs } = payment;
      const wallets = new Map(mintCase.wallets);
      const payee = wallets.get(to) as CaseWallet;
      const known = payee.fundings.find(({ funder }) => funder === from);
      const paid =
        known === undefined
          ? paidAt(from, timeMs)
          : { ...known, lastMs: timeMs, lamports: sol(Number(known.lamports) / 1e9 + 1) };
      const fundings = [...payee.fundings.filter(({ funder }) => funder !== from), paid];
      wallets.set(to, { ...payee, fundings, firstFunding: payee.firstFunding ?? paid });
      return { ...mintCase, wallets, payments: [...mintCase.payments, payment] };
    }
    case 'transfer':
      return { ...mintCase, transfers: [...mintCase.transfers, aTransfer(from, to, { slot })] };
    case 'coTrade':
      return { ...mintCase, coTrades: [...mintCase.coTrades, { one: from, other: to, mints: 4 }] };
    default:
      return { ...mintCase, trades: [...mintCase.trades, aBuy(from, { slot, lamports: sol(2) })] };
  }
}
