import { describe, expect, it } from 'vitest';
import { linkBy, strengthBy } from '../../../tests/support/link-readings.ts';
import {
  aBuy,
  aCase,
  aFunding,
  aPayment,
  DAY_MS,
  LAUNCH_TIME_MS,
  sol,
  timeOf,
} from '../../../tests/support/mint-case.ts';
import type { CaseFunding, CaseWallet } from '../../model/mint-case.ts';

const PAIR = ['funder', 'child'] as const;

/** The child buys for 1 SOL at the launch; the funder buys too, to be a participant. */
function caseOf(
  funding: Partial<CaseFunding>,
  funder: Partial<CaseWallet> = {},
  wallets: Readonly<Record<string, Partial<CaseWallet>>> = {},
) {
  return aCase({
    wallets: { child: { fundings: [aFunding('funder', funding)] }, funder, ...wallets },
    trades: [aBuy('child', { lamports: sol(1) }), aBuy('funder', { slot: 1_500 })],
  });
}

const paidAt = (timeMs: number) => ({ sinceMs: timeMs, lastMs: timeMs });

describe('direct funding', () => {
  it('links a wallet it paid half of the first buy, seven days before', () => {
    const funding = { lamports: sol(0.5), ...paidAt(LAUNCH_TIME_MS - 7 * DAY_MS) };
    expect(linkBy('direct-funding', caseOf(funding), PAIR)).toEqual({
      one: 'child',
      other: 'funder',
      family: 'direct-funding',
      strength: 0.9,
      relationship: 'direct_funding',
      via: 'funder',
    });
  });

  it.each([
    ['a lamport less than half', { lamports: (sol(0.5) - 1n) as CaseFunding['lamports'] }],
    ['a millisecond before those seven days', paidAt(LAUNCH_TIME_MS - 7 * DAY_MS - 1)],
    ['after the buy', paidAt(LAUNCH_TIME_MS + 1)],
  ])('is weaker when it was %s', (_, funding) => {
    expect(strengthBy('direct-funding', caseOf(funding), PAIR)).toBe(0.55);
  });

  it('is weaker for a wallet that never bought', () => {
    const mintCase = aCase({
      wallets: { creator: { fundings: [aFunding('funder')] } },
      trades: [aBuy('funder')],
    });
    expect(strengthBy('direct-funding', mintCase, ['creator', 'funder'])).toBe(0.55);
  });

  describe('fees paid in trades of the mint', () => {
    /** The funder pays the child in the transaction in which it buys for 1 SOL. */
    const feeCase = (
      feeLamports: CaseFunding['lamports'],
      paid: Partial<CaseFunding> = { lamports: feeLamports },
    ) => {
      const together = { slot: 1_500, txIndex: 7 };
      return aCase({
        wallets: {
          child: { fundings: [aFunding('funder', paid)] },
          funder: {},
        },
        trades: [
          aBuy('funder', { lamports: sol(1), ...together }),
          aBuy('child', { lamports: sol(0.05), slot: 1_600 }),
        ],
        payments: [aPayment('funder', 'child', { lamports: feeLamports, ...together })],
      });
    };

    it('are no link up to a tenth of the trade', () => {
      expect(strengthBy('direct-funding', feeCase(sol(0.02)), PAIR)).toBe(0);
      expect(strengthBy('direct-funding', feeCase(sol(0.1)), PAIR)).toBe(0);
    });

    it('are payments above a tenth of the trade', () => {
      const fee = (sol(0.1) + 1n) as CaseFunding['lamports'];
      expect(strengthBy('direct-funding', feeCase(fee), PAIR)).toBe(0.9);
    });

    it('do not count beside other payments', () => {
      expect(strengthBy('direct-funding', feeCase(sol(0.1), { lamports: sol(0.125) }), PAIR)).toBe(
        0.9,
      );
      const less = (sol(0.125) - 1n) as CaseFunding['lamports'];
      expect(strengthBy('direct-funding', feeCase(sol(0.1), { lamports: less }), PAIR)).toBe(0.55);
    });

    it('are not taken off payments that came after them', () => {
      const paid = { lamports: sol(0.05), ...paidAt(timeOf(1_550)) };
      expect(strengthBy('direct-funding', feeCase(sol(0.05), paid), PAIR)).toBe(0.9);
    });

    it('are payments without a trade in their transaction', () => {
      const mintCase = feeCase(sol(0.05));
      const payments = [
        aPayment('funder', 'child', { lamports: sol(0.05), slot: 1_500, txIndex: 8 }),
      ];
      expect(strengthBy('direct-funding', { ...mintCase, payments }, PAIR)).toBe(0.9);
    });
  });

  it('counts the first payment even if others were larger', () => {
    const mintCase = aCase({
      wallets: {
        child: {
          fundings: [aFunding('stranger', { lamports: sol(90) })],
          firstFunding: aFunding('funder'),
        },
      },
      trades: [aBuy('child'), aBuy('funder')],
    });
    expect(strengthBy('direct-funding', mintCase, PAIR)).toBe(0.9);
  });

  it('goes through shells to their payers', () => {
    const mintCase = caseOf(
      {},
      {},
      {
        child: { fundings: [aFunding('shell')] },
        shell: { isShell: true, fundings: [aFunding('shell2')] },
        shell2: { isShell: true, fundings: [aFunding('funder')] },
      },
    );
    const link = linkBy('direct-funding', mintCase, PAIR);
    expect(link).toMatchObject({ strength: 0.9, relationship: 'indirect_funding', via: 'funder' });
  });

  it('does not go through a wallet that is not a shell', () => {
    const mintCase = caseOf(
      {},
      {},
      {
        child: { fundings: [aFunding('middle')] },
        middle: { fundings: [aFunding('funder')] },
      },
    );
    expect(strengthBy('direct-funding', mintCase, PAIR)).toBe(0);
  });

  it('gives no link for a payer of more than 200 wallets', () => {
    expect(strengthBy('direct-funding', caseOf({}, { fanOut: 200 }), PAIR)).toBe(0.9);
    expect(strengthBy('direct-funding', caseOf({}, { fanOut: 201 }), PAIR)).toBe(0);
  });

  it.each(['cex', 'bridge', 'hub', 'sponsor', 'router', 'terminal_fee'] as const)(
    'gives no link for a %s',
    (kind) => {
      expect(strengthBy('direct-funding', caseOf({}, { class: kind }), PAIR)).toBe(0);
    },
  );
});
