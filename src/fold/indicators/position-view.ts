import type { RawAmount, UsdNano } from '../../model/units.ts';

/** The part of a wallet's position in the base mint that a pool's indicators use (METHODS §0.6). */
export interface PositionView {
  /** At least one purchase has a known cost in dollars. */
  readonly hasKnownBuy: boolean;
  /** False when nothing, or a negligible part of the maximum held, is left. */
  readonly isOpen: boolean;
  /** Units held with a known cost. */
  readonly heldRaw: RawAmount;
  /** Cost of the held units. */
  readonly costUsd: UsdNano;
  /** Proceeds minus cost of the sold units; may be negative. */
  readonly realisedUsd: UsdNano;
  /** Cost of all purchases. */
  readonly grossCostUsd: UsdNano;
  /** Mean acquisition time of the held units, in seconds since the mint's origin. */
  readonly acquiredS: number;
  /** Over all sold units: the sum of raw amount times seconds held, and the sum of raw amounts. */
  readonly closedHold: number;
  readonly closedRaw: number;
}
