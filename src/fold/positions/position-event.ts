import type { Address, Lamports, UsdNano } from '../../model/units.ts';

/** A verified swap of a wallet. An amount that is not above zero has no effect. */
export interface PositionTrade {
  readonly mint: Address;
  readonly wallet: Address;
  readonly amountRaw: bigint;
  /**
   * What the wallet paid or received. Includes fees of pool, router and terminal; excludes network
   * fees, tips and rent (METHODS §0.6). Null when unknown.
   */
  readonly valueUsd: UsdNano | null;
  /** Network fees, tips and rent. */
  readonly netCostLamports: Lamports;
  /** Logical time. Null when unknown; the last known time is used instead. */
  readonly timeMs: number | null;
}

/** A swap in which a wallet bought the mint. */
export interface PositionBuy extends PositionTrade {
  /** In the launch slot of the mint. */
  readonly isLaunchSlot: boolean;
  /** By the creator of the mint, or a wallet of the same owner. */
  readonly isCreator: boolean;
  /** Age and market cap of the token, as a cell of `entryCellOf`; called if the purchase begins an episode. */
  readonly entryCell: () => number;
}

/** Tokens that moved without a trade. */
export interface PositionTransfer {
  readonly mint: Address;
  /** Null for owners without positions: pools, lockers, burn addresses, the mint itself. */
  readonly from: Address | null;
  readonly to: Address | null;
  readonly sentRaw: bigint;
  /** Less than `sentRaw` if Token-2022 withheld a fee. */
  readonly receivedRaw: bigint;
  readonly timeMs: number | null;
}
