import { type Address, asUsdNano, type UsdNano } from '../../model/units.ts';
import {
  FLAG,
  isDust,
  isOrganic,
  POOL_WALLET_LAYOUT,
  type PoolWalletRows,
} from './pool-wallet-row.ts';

/** The activity of one wallet in one pool. Times are logical milliseconds. */
export interface PoolWallet {
  readonly wallet: Address;
  readonly isOrganic: boolean;
  readonly volumeUsd: UsdNano;
  readonly timedTrades: number;
  /** Null without a trade of known time. */
  readonly firstTradeMs: number | null;
  readonly lastTradeMs: number | null;
  readonly isVolumeAtomic: boolean;
  readonly isSandwichLeg: boolean;
  /** It moved less than one dollar here. */
  readonly isDust: boolean;
}

const { volumeUsd, firstMs, lastMs, timedTrades, flags } = POOL_WALLET_LAYOUT.fields;

/** Reads the activity of a wallet from its row. */
export function poolWalletOf(rows: PoolWalletRows, row: number, wallet: Address): PoolWallet {
  const bits = rows.number(row, flags);
  const volume = rows.bigint(row, volumeUsd);
  const trades = rows.number(row, timedTrades);
  return {
    wallet,
    isOrganic: isOrganic(bits, volume),
    volumeUsd: asUsdNano(volume),
    timedTrades: trades,
    firstTradeMs: trades === 0 ? null : rows.number(row, firstMs),
    lastTradeMs: trades === 0 ? null : rows.number(row, lastMs),
    isVolumeAtomic: (bits & FLAG.volumeAtomic) !== 0,
    isSandwichLeg: (bits & FLAG.sandwichLeg) !== 0,
    isDust: isDust(bits, volume),
  };
}
