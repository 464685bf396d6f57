import { describe, expect, it } from 'vitest';
import { named } from '../../../tests/support/made-up-units.ts';
import { aCase, aFunding } from '../../../tests/support/mint-case.ts';
import type { CaseWallet } from '../../model/mint-case.ts';
import { ANCESTORS_MAX, ancestorsOf } from './funding-paths.ts';

const paidBy = (...funders: string[]) => ({ fundings: funders.map((name) => aFunding(name)) });
const names = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);

function hopsOf(wallets: Readonly<Record<string, Partial<CaseWallet>>>) {
  return ancestorsOf(aCase({ wallets }), named('ann'));
}

/** Ann was paid by 8 wallets, each by 8 others, each by 8 others. */
function widely(): Record<string, Partial<CaseWallet>> {
  const wallets: Record<string, Partial<CaseWallet>> = { ann: paidBy(...names('p', 8)) };
  for (const one of names('p', 8)) {
    wallets[one] = paidBy(...names(`${one}.`, 8));
    for (const two of names(`${one}.`, 8)) wallets[two] = paidBy(...names(`${two}.`, 8));
  }
  return wallets;
}

describe('ancestors', () => {
  it('are at most 32 of a wallet that many paid, the nearest, and of one hop the strongest', () => {
    const hops = hopsOf(widely());
    expect(hops.size).toBe(32);
    expect(ANCESTORS_MAX).toBe(32);
    const expected = [...names('p', 8), ...['p0.', 'p1.', 'p2.'].flatMap((one) => names(one, 8))];
    expect([...hops.keys()]).toEqual(expected);
    expect([...hops.values()].filter((count) => count === 2)).toHaveLength(24);
  });

  it('are all of them if they are as many, also three hops away', () => {
    const wallets = { ann: paidBy('p'), p: paidBy('q'), q: paidBy(...names('r', 30)) };
    const hops = hopsOf(wallets);
    expect(hops.size).toBe(32);
    expect(hops.get(named('r29'))).toBe(3);
  });

  it('reads the payers of few wallets, however many there are behind them', () => {
    const read = new Set<string>();
    const mintCase = aCase({ wallets: widely() });
    const wallets = new Map(
      [...mintCase.wallets].map(([address, wallet]) => [
        address,
        {
          ...wallet,
          get fundings() {
            read.add(address);
            return wallet.fundings;
          },
        },
      ]),
    );
    ancestorsOf({ ...mintCase, wallets }, named('ann'));
    expect([...read]).toEqual(['ann', 'p0', 'p1', 'p2']);
  });
});
