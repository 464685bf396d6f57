import type { IndicatorRecord } from '../../model/indicators.ts';
import { asUsdNano, type UsdNano } from '../../model/units.ts';
import type { PoolWallets } from './pool-row.ts';
import type { ProfitSums } from './profit-sums.ts';
import { sharesOf } from './shares.ts';

type ProfitIndicators = Pick<
  IndicatorRecord,
  | 'organicProfitableWallets'
  | 'profitableOrganicToTotalOrganicRatio'
  | 'profitableVolume'
  | 'profitableVolumeTotalVolumeRatio'
>;

/**
 * Organic wallets that are profitable at the pool's price, and the volume of all profitable
 * wallets. All are null if `profits` is null; the volume also if the pool's dollar volume is
 * unknown.
 */
export function profitIndicators(
  profits: ProfitSums | null,
  totalVolumeUsd: UsdNano | null,
  pool: PoolWallets | undefined,
): ProfitIndicators {
  const organic = BigInt(pool?.organicWallets ?? 0);
  const volumeUsd = totalVolumeUsd === null ? null : (profits?.volumeUsd ?? null);
  return {
    organicProfitableWallets: profits?.organicWallets ?? null,
    profitableOrganicToTotalOrganicRatio:
      profits === null ? null : sharesOf(BigInt(profits.organicWallets), organic).part,
    profitableVolume: volumeUsd === null ? null : asUsdNano(volumeUsd),
    profitableVolumeTotalVolumeRatio:
      volumeUsd === null || totalVolumeUsd === null
        ? null
        : sharesOf(volumeUsd, totalVolumeUsd).part,
  };
}
