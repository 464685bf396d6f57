import { describe, expect, it } from 'vitest';
import { named } from '../../../tests/support/made-up-units.ts';
import { aBuy, aCase, aFunding, LAUNCH_SLOT, timeOf } from '../../../tests/support/mint-case.ts';
import type { CaseTrade, CaseWallet } from '../../model/mint-case.ts';

import { findFreshMoneyBursts } from './fresh-money.ts';

/** Ten minutes after the launch, without purchases in between. */
const BURST_SLOT = LAUNCH_SLOT + 1_500;
const HALF_HOUR_SLOTS = 4_500;
const names = (count: number) => Array.from({ length: count }, (_, at) => `w${at}`);

interface BurstDraft {
  readonly count?: number;
  readonly apartSlots?: number;
  /** Slots before each purchase. */
  readonly paidBefore?: number;
  readonly earlier?: readonly CaseTrade[];
  readonly isTerminal?: boolean;
  readonly paidFromMs?: number;
}

function burstsOf(draft: BurstDraft = {}) {
  const { count = 5, apartSlots = 1, paidBefore = 100, earlier = [] } = draft;
  const slotOf = (at: number) => BURST_SLOT + at * apartSlots;
  const buys = names(count).map((wallet, at) =>
    aBuy(wallet, { slot: slotOf(at), isTerminal: draft.isTerminal ?? false }),
  );
  const wallets: Record<string, Partial<CaseWallet>> = Object.fromEntries(
    names(count).map((wallet, at) => [
      wallet,
      { fundings: [aFunding('exchange', { sinceMs: timeOf(slotOf(at) - paidBefore) })] },
    ]),
  );
  const mintCase = aCase({
    trades: [...earlier, ...buys],
    wallets: { ...wallets, exchange: { class: 'cex' } },
  });
  const paidFromMs = draft.paidFromMs ?? Number.NEGATIVE_INFINITY;
  const found = findFreshMoneyBursts({
    ...{ mintCase, paidFromMs },
    buys: mintCase.trades.filter(({ slot }) => slot >= BURST_SLOT),
  });
  return found.map((run) => run.map(({ wallet }) => wallet));
}

describe('a burst of fresh money', () => {
  it('is five first buyers in five slots, each paid within half an hour', () => {
    expect(burstsOf()).toEqual([names(5)]);
  });

  it('is not four buyers, nor five with more than five slots between each', () => {
    expect(burstsOf({ count: 4 })).toEqual([]);
    expect(burstsOf({ apartSlots: 6 })).toEqual([]);
  });

  it('is not found if as many buyers are usual', () => {
    // λ = 0.05 · 21 slots: P(≥ 5) is 5 in 1,000, and of 0.05 · 5 slots 7 in a million.
    expect(burstsOf({ apartSlots: 5 })).toEqual([]);
    const crowd = Array.from({ length: 1_500 }, (_, at) =>
      aBuy(`crowd${at}`, { slot: LAUNCH_SLOT + at }),
    );
    expect(burstsOf({ earlier: crowd })).toEqual([]);
  });

  it('does not include wallets with older money', () => {
    expect(burstsOf({ paidBefore: HALF_HOUR_SLOTS })).toEqual([names(5)]);
    expect(burstsOf({ paidBefore: HALF_HOUR_SLOTS + 1 })).toEqual([]);
    expect(burstsOf({ paidFromMs: timeOf(BURST_SLOT - 96) })).toEqual([]);
    expect(burstsOf({ paidFromMs: timeOf(BURST_SLOT - 100) })).toEqual([names(5)]);
  });

  it('does not include earlier buyers or users of a terminal', () => {
    expect(burstsOf({ earlier: [aBuy('w2', { slot: LAUNCH_SLOT + 9 })] })).toEqual([]);
    expect(burstsOf({ isTerminal: true })).toEqual([]);
  });

  it('lists each wallet once, in block order', () => {
    const [run = []] = burstsOf({ count: 8 });
    expect(run).toEqual(names(8).map(named));
  });
});
