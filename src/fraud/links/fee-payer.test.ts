import { describe, expect, it } from 'vitest';
import { linkBy, numbered, strengthBy } from '../../../tests/support/link-readings.ts';
import { named } from '../../../tests/support/made-up-units.ts';
import { aBuy, aCase } from '../../../tests/support/mint-case.ts';
import type { CaseTrade, CaseWallet } from '../../model/mint-case.ts';

const PAIR = ['wallet01', 'wallet02'] as const;

function caseOf(
  count: number,
  payer: Partial<CaseWallet> = {},
  first: Partial<Pick<CaseTrade, 'isTerminal'>> = {},
) {
  return aCase({
    wallets: { payer },
    trades: numbered('wallet', count).map((wallet, index) =>
      aBuy(wallet, { feePayer: named('payer'), ...(index === 0 ? first : {}) }),
    ),
  });
}

describe('a common fee payer', () => {
  it('links the wallets it pays for', () => {
    expect(linkBy('fee-payer', caseOf(2), PAIR)).toEqual({
      one: 'wallet01',
      other: 'wallet02',
      family: 'fee-payer',
      strength: 0.9,
      relationship: 'same_entity',
      via: 'payer',
    });
  });

  it('of more than twenty owners is a service', () => {
    expect(strengthBy('fee-payer', caseOf(20), PAIR)).toBe(0.9);
    expect(strengthBy('fee-payer', caseOf(21), PAIR)).toBe(0);
  });

  it.each(['sponsor', 'terminal_fee', 'router', 'cex'] as const)('is no link for a %s', (kind) => {
    expect(strengthBy('fee-payer', caseOf(2, { class: kind }), PAIR)).toBe(0);
  });

  it('that pays for any trade through a terminal is the terminal’s relay', () => {
    expect(
      strengthBy('fee-payer', caseOf(3, {}, { isTerminal: true }), ['wallet02', 'wallet03']),
    ).toBe(0);
  });

  it('is linked to them, if it trades itself', () => {
    const trades = [aBuy('payer'), aBuy('wallet01', { feePayer: named('payer') })];
    expect(strengthBy('fee-payer', aCase({ trades }), ['payer', 'wallet01'])).toBe(0.9);
  });
});
