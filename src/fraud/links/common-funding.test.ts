import { describe, expect, it } from 'vitest';
import { linkBy, strengthBy } from '../../../tests/support/link-readings.ts';
import { aBuy, aCase, aFunding } from '../../../tests/support/mint-case.ts';
import type { CaseWallet } from '../../model/mint-case.ts';

const paidBy = (...funders: string[]) => ({ fundings: funders.map((name) => aFunding(name)) });

/** Ann and bob buy, with the given payments. */
function caseOf(wallets: Readonly<Record<string, Partial<CaseWallet>>>) {
  return aCase({ wallets, trades: [aBuy('ann'), aBuy('bob')] });
}

function strengthOf(wallets: Readonly<Record<string, Partial<CaseWallet>>>): number {
  return strengthBy('common-funding', caseOf(wallets), ['ann', 'bob']);
}

describe('common funding', () => {
  it('links two wallets paid by one wallet', () => {
    const mintCase = caseOf({ ann: paidBy('funder'), bob: paidBy('funder') });
    expect(linkBy('common-funding', mintCase, ['bob', 'ann'])).toEqual({
      one: 'ann',
      other: 'bob',
      family: 'common-funding',
      strength: 0.85,
      relationship: 'indirect_funding',
      via: 'funder',
    });
  });

  it.each([
    [20, 0.85],
    [21, 0.6],
    [100, 0.6],
    [101, 0.4],
    [200, 0.4],
    [201, 0],
  ])('by a funder of %i wallets has a strength of %f', (fanOut, strength) => {
    expect(strengthOf({ ann: paidBy('f'), bob: paidBy('f'), f: { fanOut } })).toBe(strength);
  });

  it.each([
    // 0.85 · 0.75 for each hop beyond the first.
    ['one and two hops', { ann: paidBy('f'), bob: paidBy('y1') }, 0.637_5],
    ['two hops each', { ann: paidBy('x1'), bob: paidBy('y1') }, 0.478_125],
    ['three hops each', { ann: paidBy('x2'), bob: paidBy('y2') }, 0.268_945_312_5],
    ['three and four hops', { ann: paidBy('x2'), bob: paidBy('y3') }, 0],
  ])('over %s is weaker', (_, buyers, strength) => {
    const between = {
      x1: paidBy('f'),
      x2: paidBy('x1'),
      y1: paidBy('f'),
      y2: paidBy('y1'),
      y3: paidBy('y2'),
    };
    expect(strengthOf({ ...buyers, ...between })).toBeCloseTo(strength, 12);
  });

  it('counts no hop for shells, also in succession', () => {
    const shells = {
      s1: { isShell: true, ...paidBy('s2') },
      s2: { isShell: true, ...paidBy('s3') },
      s3: { isShell: true, ...paidBy('s4') },
      s4: { isShell: true, ...paidBy('f') },
    };
    expect(strengthOf({ ann: paidBy('s1'), bob: paidBy('f'), ...shells })).toBe(0.85);
  });

  it('links two wallets paid by one shell whose money came from an exchange', () => {
    const shell = { isShell: true, ...paidBy('exchange') };
    const wallets = { shell, exchange: { class: 'cex' } as const };
    expect(strengthOf({ ann: paidBy('shell'), bob: paidBy('shell'), ...wallets })).toBe(0.85);
  });

  it.each(['cex', 'bridge', 'hub', 'sponsor', 'tip', 'pool'] as const)(
    'neither counts a %s nor its payers',
    (kind) => {
      const wallets = { ann: paidBy('x'), bob: paidBy('x'), x: { class: kind, ...paidBy('f') } };
      expect(strengthOf(wallets)).toBe(0);
    },
  );

  it('does not count payers of a wallet with a large fan-out', () => {
    const wallets = { ann: paidBy('x'), bob: paidBy('x'), x: { fanOut: 201, ...paidBy('f') } };
    expect(strengthOf(wallets)).toBe(0);
  });

  it('links a wallet to those it paid over two hops, and leaves one hop to direct funding', () => {
    const two = { bob: paidBy('middle'), middle: paidBy('ann') };
    expect(strengthOf(two)).toBeCloseTo(0.85 * 0.75, 12);
    expect(strengthOf({ bob: paidBy('ann') })).toBe(0);
  });

  it('uses the best of several ancestors, and ends on circular payments', () => {
    const wallets = {
      ann: paidBy('wide', 'narrow'),
      bob: paidBy('narrow', 'wide'),
      wide: { fanOut: 150, ...paidBy('narrow') },
      narrow: paidBy('wide'),
    };
    const link = linkBy('common-funding', caseOf(wallets), ['ann', 'bob']);
    expect(link).toMatchObject({ strength: 0.85, via: 'narrow' });
  });
});
