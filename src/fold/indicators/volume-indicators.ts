import type { IndicatorRecord } from '../../model/indicators.ts';
import { isUsdKnown } from '../../model/priced-volume.ts';
import { asUsdNano } from '../../model/units.ts';
import type { PoolState } from '../market/pool-state.ts';
import type { PoolWallets } from './pool-row.ts';
import { sharesOf } from './shares.ts';

/** The volumes in the pool's own state. */
export type PoolVolume = Pick<
  PoolState,
  'buyVolumeUsd' | 'sellVolumeUsd' | 'quoteVolumeRaw' | 'pricedQuoteVolumeRaw'
>;

type VolumeIndicators = Pick<
  IndicatorRecord,
  | 'totalVolumeUsd'
  | 'organicVolumeUsd'
  | 'organicVolumeRatio'
  | 'botVolumeRatio'
  | 'tradedOrganicUsd'
  | 'tradedProfitableUsd'
>;

const UNKNOWN: VolumeIndicators = {
  totalVolumeUsd: null,
  organicVolumeUsd: null,
  organicVolumeRatio: null,
  botVolumeRatio: null,
  tradedOrganicUsd: null,
  tradedProfitableUsd: null,
};

/** Dollar volume of all swaps, and the share of organic wallets; the rest is bot volume. */
export function volumeIndicators(
  volume: PoolVolume,
  pool: PoolWallets | undefined,
): VolumeIndicators {
  if (!isUsdKnown(volume)) return UNKNOWN;
  const totalUsd = volume.buyVolumeUsd + volume.sellVolumeUsd;
  const organicUsd = pool?.organicVolumeUsd ?? 0n;
  const shares = sharesOf(organicUsd, totalUsd);
  return {
    totalVolumeUsd: asUsdNano(totalUsd),
    organicVolumeUsd: asUsdNano(organicUsd),
    organicVolumeRatio: shares.part,
    botVolumeRatio: shares.rest,
    tradedOrganicUsd: asUsdNano(pool?.tradedOrganicUsd ?? 0n),
    tradedProfitableUsd: asUsdNano(pool?.tradedProfitableUsd ?? 0n),
  };
}
