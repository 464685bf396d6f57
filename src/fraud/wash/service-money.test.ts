import { expect, it } from 'vitest';
import { named } from '../../../tests/support/made-up-units.ts';
import { aCase, aFunding, sol } from '../../../tests/support/mint-case.ts';
import type { CaseFunding } from '../../model/mint-case.ts';
import { asSlot } from '../../model/units.ts';
import { paidAlike } from './service-money.ts';

/** Wallets paid at a slot by a payer, with an amount; all trade from slot 3,000 on. */
function alike(
  paid: Readonly<Record<string, readonly [from: string, slot: number, whole: number]>>,
) {
  const fundingOf = ([from, slot, whole]: readonly [string, number, number]): CaseFunding =>
    aFunding(from, { slot: asSlot(slot), lamports: sol(whole) });
  const mintCase = aCase({
    wallets: {
      binance: { class: 'cex' },
      kraken: { class: 'cex' },
      ...Object.fromEntries(
        Object.entries(paid).map(([name, draft]) => [name, { fundings: [fundingOf(draft)] }]),
      ),
    },
  });
  const sinceMs = aCase({ slot: 3_000 }).timeMs;
  const wallets = new Map(Object.keys(paid).map((name) => [named(name), sinceMs]));
  return [...paidAlike(mintCase, wallets)].sort();
}

it('connects wallets that different exchanges paid within ten minutes and twice the amount', () => {
  // Slots of 400 ms: 1,500 are ten minutes.
  expect(alike({ a: ['binance', 1_000, 1], b: ['kraken', 2_500, 2] })).toEqual(['a', 'b']);
  expect(alike({ a: ['binance', 1_000, 1], b: ['kraken', 2_501, 2] })).toEqual([]);
  expect(alike({ a: ['binance', 1_000, 1], b: ['kraken', 2_500, 2.01] })).toEqual([]);
});

it('does not count money of private payers or after the first trade', () => {
  expect(alike({ a: ['binance', 1_000, 1], b: ['boss', 1_000, 1] })).toEqual([]);
  expect(alike({ a: ['binance', 2_990, 1], b: ['kraken', 3_001, 1] })).toEqual([]);
});
