import { describe, expect, test } from 'vitest';
import { named } from '../../../tests/support/made-up-units.ts';
import {
  aBuy,
  aCase,
  aFunding,
  LAUNCH_SLOT,
  supplyShare,
} from '../../../tests/support/mint-case.ts';
import { findClusters } from '../links/find-clusters.ts';
import { inspectCase } from './inspect-case.ts';

const names = Array.from({ length: 6 }, (_, index) => `wallet ${index}`);

/** Six fresh wallets buy a third of the supply in the launch slot, in adjacent transactions. */
function aLaunchOf(funder: { readonly fanOut: number }) {
  return aCase({
    trades: names.map((name, index) =>
      aBuy(name, {
        slot: LAUNCH_SLOT,
        txIndex: index + 1,
        baseRaw: supplyShare(0.05),
        group: { id: 'g', level: 'L2' },
      }),
    ),
    wallets: {
      ...Object.fromEntries(
        names.map((name) => [name, { firstFunding: aFunding('funder'), firstSeenMs: 0 }]),
      ),
      funder,
    },
  });
}

describe('findings', () => {
  test('are none for a mint with one holder', () => {
    const trades = [aBuy('creator', { baseRaw: supplyShare(0.9) })];
    expect(inspectCase(aCase({ trades }))).toEqual([]);
    expect(inspectCase(aCase({ trades: [] }))).toEqual([]);
  });

  test('do not result from a funder of a million wallets, but from one of six', () => {
    const common = aLaunchOf({ fanOut: 1_000_000 });
    const own = aLaunchOf({ fanOut: 6 });
    const together = (mintCase: typeof own) =>
      findClusters(mintCase, ['same-bundle', 'equal-size']).of(named('wallet 0'))?.members.length ??
      1;
    expect([together(common), together(own)]).toEqual([1, 6]);
    const confidence = (mintCase: typeof own) => inspectCase(mintCase)[0]?.confidence ?? 0;
    expect(confidence(own)).toBeGreaterThan(confidence(common));
  });
});
