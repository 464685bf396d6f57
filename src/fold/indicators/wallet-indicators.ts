import type { IndicatorRecord } from '../../model/indicators.ts';
import type { PoolWallets } from './pool-row.ts';
import { sharesOf } from './shares.ts';

type WalletIndicators = Pick<
  IndicatorRecord,
  'totalWallets' | 'organicWallets' | 'organicToTotalWalletsRatio' | 'botToTotalWalletsRatio'
>;

/** The traders of a pool: all wallets, and organic ones. */
export function walletIndicators(pool: PoolWallets | undefined): WalletIndicators {
  const totalWallets = pool?.wallets ?? 0;
  const organicWallets = pool?.organicWallets ?? 0;
  const shares = sharesOf(BigInt(organicWallets), BigInt(totalWallets));
  return {
    totalWallets,
    organicWallets,
    organicToTotalWalletsRatio: shares.part,
    botToTotalWalletsRatio: shares.rest,
  };
}
