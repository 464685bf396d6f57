import type { LiveRow } from '../src/bridge/live-rows.ts';
import { type Address, asPriceE18, asUsdNano } from '../src/model/units.ts';
import { fakeIndicators, fakePool } from '../tests/support/fake-api-deps.ts';
import { numberedAddress } from './numbered-addresses.ts';

/** Bounds of calls to the other thread, as in the service. */
export const OTHER_THREAD = {
  openMax: 256,
  openPerAccountMax: 64,
  waitMs: 10_000,
  pastWaitMs: 20_000,
} as const;

const FIGURES = {
  totalWallets: 1_824,
  organicWallets: 1_225,
  organicToTotalWalletsRatio: 0.6716,
  botToTotalWalletsRatio: 0.3284,
  totalVolumeUsd: asUsdNano(1_284_729_470_000_000n),
  organicVolumeUsd: asUsdNano(611_531_230_000_000n),
  organicMeanHoldSeconds: 3_847.25,
  smartMoneyScore: 72.45,
  priceUsd: asPriceE18(346_289_000_000_000n),
  rawHolders: 847,
};

export function poolNumber(number: number): Address {
  return numberedAddress(9, number);
}

/** The rows behind the indicators of a pool. */
export function hotRows(pool: Address): LiveRow[] {
  return [
    { kind: 'pool', address: pool, value: fakePool({ pool }) },
    { kind: 'indicators', address: pool, value: fakeIndicators({ ...FIGURES, pool }) },
  ];
}
