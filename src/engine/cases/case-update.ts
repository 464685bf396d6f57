import type { Address, RawAmount } from '../../model/units.ts';

/** What a slot added to the case of a mint. */
export interface CaseUpdate {
  readonly mint: Address;
  readonly trades: number;
  /** Wallets that bought. */
  readonly buyers: number;
  readonly soldRaw: RawAmount;
  /** Those of them whose purchases were placed together with others. */
  readonly groupedBuyers: number;
  /** Liquidity was taken out of a pool of it. */
  readonly isLiquidityOut: boolean;
}
