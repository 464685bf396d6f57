import { describe, expect, it } from 'vitest';
import { named } from '../../../tests/support/made-up-units.ts';
import { aCase, aFunding, LAUNCH_TIME_MS, sol } from '../../../tests/support/mint-case.ts';
import { findCommonFunders, findNearestPayers, originOf } from './funders.ts';

const paidBy = (...funders: string[]) => ({ fundings: funders.map((funder) => aFunding(funder)) });

function fundersOf(wallets: Parameters<typeof aCase>[0], backed: readonly string[]) {
  const until = new Map(backed.map((wallet) => [named(wallet), LAUNCH_TIME_MS]));
  return findCommonFunders(aCase(wallets), until);
}

describe('common funders', () => {
  it('are those that paid several wallets', () => {
    const wallets = { a: paidBy('boss'), b: paidBy('boss'), c: paidBy('friend') };
    expect(fundersOf({ wallets }, ['a', 'b', 'c'])).toEqual([
      { funder: 'boss', wallets: ['a', 'b'], between: [], isDirect: true },
    ]);
  });

  it('are the nearest of those that reach equally many', () => {
    const wallets = { a: paidBy('boss'), b: paidBy('boss'), boss: paidBy('grandfather') };
    expect(fundersOf({ wallets }, ['a', 'b'])[0]?.funder).toBe('boss');
  });

  it('are found behind intermediaries, which are returned', () => {
    const wallets = {
      a: paidBy('left'),
      b: paidBy('right'),
      left: { ...paidBy('boss'), isShell: true },
      right: paidBy('boss'),
    };
    expect(fundersOf({ wallets }, ['a', 'b'])).toEqual([
      { funder: 'boss', wallets: ['a', 'b'], between: ['left', 'right'], isDirect: false },
    ]);
  });

  it('are never shells, but the payers of shells', () => {
    const wallets = {
      a: paidBy('shell'),
      b: paidBy('shell'),
      shell: { ...paidBy('boss'), isShell: true },
    };
    expect(fundersOf({ wallets }, ['a', 'b'])[0]?.funder).toBe('boss');
  });

  it('may be one of the wallets themselves', () => {
    const wallets = { a: paidBy('friend'), b: paidBy('a'), c: paidBy('a') };
    expect(fundersOf({ wallets }, ['a', 'b', 'c'])[0]).toMatchObject({
      funder: 'a',
      wallets: ['a', 'b', 'c'],
    });
  });

  it('are found among the nearest 32 funders of a wallet that many paid', () => {
    const names = (prefix: string) => Array.from({ length: 8 }, (_, index) => `${prefix}${index}`);
    const wallets: Record<string, ReturnType<typeof paidBy>> = { a: paidBy(...names('p')) };
    for (const payer of names('p')) wallets[payer] = paidBy(...names(`${payer}.`));
    // The first wallets of the second hop are reached, the last are not.
    expect(fundersOf({ wallets: { ...wallets, b: paidBy('p0.7') } }, ['a', 'b'])).toHaveLength(1);
    expect(fundersOf({ wallets: { ...wallets, b: paidBy('p7.7') } }, ['a', 'b'])).toEqual([]);
  });

  it('are not searched behind an exchange, or more than three hops up', () => {
    const far = {
      a: paidBy('a1'),
      a1: paidBy('a2'),
      a2: paidBy('a3'),
      b: paidBy('b1'),
      b1: paidBy('b2'),
      b2: paidBy('b3'),
    };
    const joined = { a3: paidBy('boss'), b3: paidBy('boss') };
    expect(fundersOf({ wallets: { ...far, ...joined } }, ['a', 'b'])).toEqual([]);
    const near = { ...far, a2: paidBy('boss'), b2: paidBy('boss') };
    expect(fundersOf({ wallets: near }, ['a', 'b'])[0]?.funder).toBe('boss');
    const behind = { ...near, a1: { ...paidBy('a2'), class: 'cex' as const } };
    expect(fundersOf({ wallets: behind }, ['a', 'b'])).toEqual([]);
  });

  it('paid before the wallet bought', () => {
    const late = { fundings: [aFunding('boss', { sinceMs: LAUNCH_TIME_MS + 1 })] };
    expect(fundersOf({ wallets: { a: paidBy('boss'), b: late } }, ['a', 'b'])).toEqual([]);
  });

  it('are several if money came from several', () => {
    const wallets = {
      a: paidBy('one'),
      b: paidBy('one'),
      c: paidBy('other'),
      d: paidBy('other'),
      e: paidBy('other'),
    };
    const found = fundersOf({ wallets }, ['a', 'b', 'c', 'd', 'e']);
    expect(found.map(({ funder }) => funder)).toEqual(['other', 'one']);
  });
});

describe('a funder that was paid only by services', () => {
  it('is an origin, even if it forwards money at once', () => {
    const wallets = {
      a: paidBy('shell'),
      b: paidBy('shell'),
      shell: { ...paidBy('exchange'), isShell: true },
      exchange: { class: 'cex' },
    } as const;
    expect(fundersOf({ wallets }, ['a', 'b'])[0]?.funder).toBe('shell');
  });
});

describe('the origin of money', () => {
  const originIn = (wallets: NonNullable<Parameters<typeof aCase>[0]>['wallets']) =>
    originOf(aCase({ wallets: wallets ?? {} }), named('a'), LAUNCH_TIME_MS);

  it('is the first funder that is not a service, with the intermediaries', () => {
    const chain = { a: paidBy('b'), b: paidBy('c'), c: paidBy('exchange') };
    expect(originIn({ ...chain, exchange: { class: 'cex' } })).toEqual({
      funder: 'c',
      between: ['b'],
    });
  });

  it('is at most three hops away, shells not counted', () => {
    const chain = { a: paidBy('b'), b: paidBy('c'), c: paidBy('d'), d: paidBy('e') };
    expect(originIn(chain)?.funder).toBe('d');
    expect(originIn({ ...chain, c: { ...chain.c, isShell: true } })?.funder).toBe('e');
  });

  it('follows the largest payer, and is null if only services paid', () => {
    const paid = { fundings: [aFunding('less'), aFunding('more', { lamports: sol(2) })] };
    expect(originIn({ a: paid })?.funder).toBe('more');
    expect(originIn({ a: paidBy('exchange'), exchange: { class: 'cex' } })).toBeNull();
    expect(originIn({})).toBeNull();
  });

  it('ends on circular payments', () => {
    expect(originIn({ a: paidBy('b'), b: paidBy('a') })?.funder).toBe('b');
  });
});

describe('the nearest payers that wallets share', () => {
  const paid = (funder: string, draft = {}) => ({ fundings: [aFunding(funder, draft)] });
  const until = (names: readonly string[]) =>
    new Map(names.map((name) => [named(name), LAUNCH_TIME_MS]));

  it('are the splitters, each of several, and not the root behind them', () => {
    const wallets = {
      w1: paid('split1'),
      w2: paid('split1'),
      w3: paid('split2'),
      w4: paid('split2'),
      w5: paid('single'),
      split1: paid('root'),
      split2: paid('root'),
    };
    const mintCase = aCase({ wallets });
    const members = until(['w1', 'w2', 'w3', 'w4', 'w5']);
    expect(findNearestPayers(mintCase, members)).toEqual(['split1', 'split2']);
    // The root reaches four of the five wallets.
    expect(findCommonFunders(mintCase, members).map(({ funder }) => funder)).toEqual(['root']);
  });

  it('are no services, and nobody who paid later', () => {
    const later = { sinceMs: LAUNCH_TIME_MS + 1, lastMs: LAUNCH_TIME_MS + 1 };
    const wallets = {
      w1: { fundings: [aFunding('exchange'), aFunding('friend', later)] },
      w2: { fundings: [aFunding('exchange'), aFunding('friend', later)] },
      exchange: { class: 'cex' as const },
    };
    expect(findNearestPayers(aCase({ wallets }), until(['w1', 'w2']))).toEqual([]);
  });
});
