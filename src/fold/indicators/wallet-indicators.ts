import type { IndicatorRecord } from '../../model/indicators.ts';
import type { PoolWallets } from './pool-wallets.ts';
import { sharesOf } from './shares.ts';

type WalletIndicators = Pick<
  IndicatorRecord,
  'totalWallets' | 'organicWallets' | 'organicToTotalWalletsRatio' | 'botToTotalWalletsRatio'
>;

/** Who trades the pool: all of them, and those that are no bots. */
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
