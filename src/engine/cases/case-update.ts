import type { Address, RawAmount } from '../../model/units.ts';

/** The change that a slot made to the case of a mint. */
export interface CaseUpdate {
  readonly mint: Address;
  readonly trades: number;
  /** Number of wallets that bought. */
  readonly buyers: number;
  readonly soldRaw: RawAmount;
  /** Number of buyers whose purchases were placed together with others. */
  readonly groupedBuyers: number;
  /** Whether liquidity was withdrawn from a pool of the mint. */
  readonly isLiquidityOut: boolean;
}
