import { describe, expect, it } from 'vitest';
import { linksFrom, readingOf } from '../../../tests/support/linked-wallets.ts';
import { aBuy, aCase } from '../../../tests/support/mint-case.ts';
import { findLinkedCohorts } from './linked-cohorts.ts';

const links = [...linksFrom('boss', ['a', 'b', 'c', 'd', 'e']), ...linksFrom('x', ['y', 'z'])];

/** Cohorts of buys written as `wallet@slot`, in their order. */
function cohortsOf(buys: readonly string[], spanSlots = 2): string[] {
  const trades = buys.map((text, txIndex) => {
    const [wallet = '', slot] = text.split('@');
    return aBuy(wallet, { slot: Number(slot), txIndex });
  });
  const { mintCase, clusters } = readingOf(aCase({ trades }), links);
  return findLinkedCohorts(mintCase.trades, clusters(), spanSlots).map((cohort) =>
    cohort.buys.map(({ wallet, slot }) => `${wallet}@${slot}`).join(' '),
  );
}

describe('linked cohorts', () => {
  it('are three owners of one cluster in one slot or in two adjacent ones', () => {
    expect(cohortsOf(['a@1', 'b@1', 'c@1'])).toEqual(['a@1 b@1 c@1']);
    expect(cohortsOf(['a@1', 'b@1', 'c@2'])).toEqual(['a@1 b@1 c@2']);
    expect(cohortsOf(['a@1', 'b@2', 'c@3'])).toEqual([]);
  });

  it('are not two owners that buy repeatedly', () => {
    expect(cohortsOf(['a@1', 'b@1', 'a@1', 'b@1'])).toEqual([]);
  });

  it('are not owners of two clusters, or unlinked wallets', () => {
    expect(cohortsOf(['a@1', 'b@1', 'y@1', 'z@1', 'stranger@1'])).toEqual([]);
  });

  it('leave out unlinked wallets in between', () => {
    expect(cohortsOf(['a@1', 'stranger@1', 'b@1', 'c@1'])).toEqual(['a@1 b@1 c@1']);
  });

  it('use the span with most owners, and the rest is evaluated separately', () => {
    // Slots 2 and 3 have four owners; greedy from the first buy would take slots 1 and 2.
    expect(cohortsOf(['a@1', 'b@2', 'c@2', 'd@3', 'e@3'])).toEqual(['b@2 c@2 d@3 e@3']);
    expect(cohortsOf(['a@1', 'b@1', 'c@1', 'a@9', 'b@9', 'd@9', 'e@9'])).toEqual([
      'a@1 b@1 c@1',
      'a@9 b@9 d@9 e@9',
    ]);
  });

  it('extend over the given number of slots', () => {
    expect(cohortsOf(['a@1', 'b@5', 'c@10'], 10)).toEqual(['a@1 b@5 c@10']);
    expect(cohortsOf(['a@1', 'b@5', 'c@11'], 10)).toEqual([]);
  });
});
