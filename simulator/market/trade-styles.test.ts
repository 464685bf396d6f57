import { describe, expect, test } from 'vitest';
import type { Address } from '../../src/model/units.ts';
import { address } from '../../tests/support/build-transaction.ts';
import { Random } from '../random/random.ts';
import { tradeStyles } from './trade-styles.ts';

const WALLETS = Array.from({ length: 4_000 }, (_, index) => address(`wallet ${index}`));
const SHARES = { keptFeesShare: 0.8, secondFormShare: 0.5, exactTokensShare: 0.3 };

function shareOf(isMeant: (wallet: Address) => boolean): number {
  return WALLETS.filter(isMeant).length / WALLETS.length;
}

describe('the clients of wallets', () => {
  test('are distributed according to the shares', () => {
    const styleOf = tradeStyles(new Random('styles'), SHARES);
    // Three standard deviations of 4,000 draws at 0.8, 0.1, 0.1 and 0.3 are at most 0.022.
    expect(Math.abs(shareOf((wallet) => styleOf(wallet).form === 'kept') - 0.8)).toBeLessThan(
      0.022,
    );
    expect(Math.abs(shareOf((wallet) => styleOf(wallet).form === 'v2') - 0.1)).toBeLessThan(0.022);
    expect(Math.abs(shareOf((wallet) => styleOf(wallet).form === 'v1') - 0.1)).toBeLessThan(0.022);
    expect(Math.abs(shareOf((wallet) => styleOf(wallet).asksForTokens) - 0.3)).toBeLessThan(0.022);
  });

  test('do not change, in any order and for any number of wallets', () => {
    const styleOf = tradeStyles(new Random('styles'), SHARES);
    const first = WALLETS.map(styleOf);
    for (let index = 0; index < 60_000; index++) styleOf(address(`other ${index}`));
    expect(WALLETS.map(styleOf)).toEqual(first);
    const again = tradeStyles(new Random('styles'), SHARES);
    expect(WALLETS.toReversed().map(again).toReversed()).toEqual(first);
  });

  test.each([
    [{ ...SHARES, keptFeesShare: 1 }, 'kept'],
    [{ ...SHARES, keptFeesShare: 0, secondFormShare: 1 }, 'v2'],
    [{ ...SHARES, keptFeesShare: 0, secondFormShare: 0 }, 'v1'],
  ])('are all the same if the shares say so: %o', (shares, form) => {
    const styleOf = tradeStyles(new Random('one'), shares);
    expect(new Set(WALLETS.map((wallet) => styleOf(wallet).form))).toEqual(new Set([form]));
  });
});
