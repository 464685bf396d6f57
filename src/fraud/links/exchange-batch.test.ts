import { describe, expect, it } from 'vitest';
import { linkBy, numbered, strengthBy } from '../../../tests/support/link-readings.ts';
import {
  aBuy,
  aCase,
  aFunding,
  DAY_MS,
  LAUNCH_TIME_MS,
  sol,
} from '../../../tests/support/mint-case.ts';
import type { CaseClass, CaseFunding, CaseWallet } from '../../model/mint-case.ts';

const PAIR = ['wallet01', 'wallet02'] as const;
const MINUTE_MS = 60_000;
const FIRST_MS = LAUNCH_TIME_MS - 3_600_000;

interface BatchDraft {
  readonly count: number;
  readonly last?: Partial<CaseFunding>;
  readonly exchange?: Partial<CaseWallet>;
  readonly wallet?: Partial<CaseWallet>;
}

/**
 * Wallets an hour old that got 1 SOL from an exchange at the same time and buy; the second may
 * differ.
 */
function caseOf({ count, last = {}, exchange = { class: 'cex' }, wallet = {} }: BatchDraft) {
  const names = numbered('wallet', count);
  const wallets = names.map((name, index): [string, Partial<CaseWallet>] => {
    const paid = { sinceMs: FIRST_MS, ...(index === 1 ? last : {}) };
    const fundings = [aFunding('exchange', paid)];
    return [name, { firstSeenMs: FIRST_MS, fundings, ...(index === 1 ? wallet : {}) }];
  });
  return aCase({
    wallets: { ...Object.fromEntries(wallets), exchange },
    trades: names.map((name) => aBuy(name)),
  });
}

const strengthOf = (draft: BatchDraft) => strengthBy('exchange-batch', caseOf(draft), PAIR);

describe('a batch of withdrawals', () => {
  it('is a weak link for four wallets, and a sufficient link from five on', () => {
    expect(strengthOf({ count: 4 })).toBe(0.45);
    expect(linkBy('exchange-batch', caseOf({ count: 5 }), PAIR)).toEqual({
      one: 'wallet01',
      other: 'wallet02',
      family: 'exchange-batch',
      strength: 0.6,
      relationship: 'indirect_funding',
      via: 'exchange',
    });
  });

  it('is within ten minutes', () => {
    expect(strengthOf({ count: 2, last: { sinceMs: FIRST_MS + 10 * MINUTE_MS } })).toBe(0.45);
    expect(strengthOf({ count: 2, last: { sinceMs: FIRST_MS + 10 * MINUTE_MS + 1 } })).toBe(0);
  });

  it('allows amounts that differ by two percent of the smaller one', () => {
    expect(strengthOf({ count: 2, last: { lamports: sol(1.02) } })).toBe(0.45);
    expect(strengthOf({ count: 2, last: { lamports: sol(1.020_000_001) } })).toBe(0);
  });

  it('includes only wallets younger than a day at their purchase', () => {
    const seen = (firstSeenMs: number | null) => ({ count: 2, wallet: { firstSeenMs } });
    expect(strengthOf(seen(LAUNCH_TIME_MS - DAY_MS + 1))).toBe(0.45);
    expect(strengthOf(seen(LAUNCH_TIME_MS - DAY_MS))).toBe(0);
    expect(strengthOf(seen(null))).toBe(0);
  });

  it('counts only the first funding of a wallet', () => {
    const wallet = { firstFunding: aFunding('friend', { sinceMs: FIRST_MS - 1 }) };
    expect(strengthOf({ count: 2, wallet })).toBe(0);
  });

  it.each(['cex', 'bridge', 'hub'] as CaseClass[])('may come from a %s', (kind) => {
    expect(strengthOf({ count: 2, exchange: { class: kind } })).toBe(0.45);
  });

  it.each(['sponsor', 'pool', 'protocol_fee'] as CaseClass[])('never comes from a %s', (kind) => {
    expect(strengthOf({ count: 6, exchange: { class: kind } })).toBe(0);
  });

  it('may come from an unlabelled wallet with the fan-out of an exchange', () => {
    expect(strengthOf({ count: 2, exchange: { fanOut: 101 } })).toBe(0.45);
    expect(strengthOf({ count: 2, exchange: { fanOut: 100 } })).toBe(0);
  });

  it('comes from one exchange', () => {
    const mintCase = caseOf({ count: 2, last: aFunding('other', { sinceMs: FIRST_MS }) });
    const wallets = new Map(mintCase.wallets);
    expect(strengthBy('exchange-batch', mintCase, PAIR)).toBe(0);
    expect(wallets.get(aFunding('exchange').funder)?.class).toBe('cex');
  });

  it('goes through shells', () => {
    const { wallets, ...rest } = caseOf({ count: 2, last: aFunding('shell') });
    const shell = { isShell: true, fundings: [aFunding('exchange')] };
    const last = { fundings: [aFunding('shell', { sinceMs: FIRST_MS })], firstSeenMs: FIRST_MS };
    const drafts = Object.fromEntries(wallets);
    const mintCase = aCase({ ...rest, wallets: { ...drafts, shell, wallet02: last } });
    expect(linkBy('exchange-batch', mintCase, PAIR)).toMatchObject({ via: 'exchange' });
  });
});
