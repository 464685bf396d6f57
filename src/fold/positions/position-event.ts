import type { Address, Lamports, UsdNano } from '../../model/units.ts';

/** A believed swap of a wallet. Nothing happens for amounts that are not above zero. */
export interface PositionTrade {
  readonly mint: Address;
  readonly wallet: Address;
  readonly amountRaw: bigint;
  /**
   * What the wallet paid or got, fees of pool, router and terminal included, those of the network,
   * tips and rent not (METHODS §0.6). Null when unknown.
   */
  readonly valueUsd: UsdNano | null;
  /** Fees of the network, tips and rent. */
  readonly netCostLamports: Lamports;
  /** Logical time, null where it is unknown: then the last known one stands for it. */
  readonly timeMs: number | null;
}

/** A swap by which a wallet came to more of the mint. */
export interface PositionBuy extends PositionTrade {
  /** In the slot in which the mint was launched. */
  readonly isLaunchSlot: boolean;
  /** By the creator of the mint, or somebody of the same hand. */
  readonly isCreator: boolean;
}

/** Tokens that moved without a trade. */
export interface PositionTransfer {
  readonly mint: Address;
  /** Null for whom no position is kept: pools, lockers, burn addresses, the mint itself. */
  readonly from: Address | null;
  readonly to: Address | null;
  readonly sentRaw: bigint;
  /** Less than what was sent where Token-2022 withheld a fee. */
  readonly receivedRaw: bigint;
  readonly timeMs: number | null;
}
