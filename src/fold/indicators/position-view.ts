import type { RawAmount, UsdNano } from '../../model/units.ts';

/** What the indicators of a pool read of a wallet's position in the pool's base mint (METHODS §0.6). */
export interface PositionView {
  /** At least one purchase of which the cost in dollars is known. */
  readonly hasKnownBuy: boolean;
  /** False when nothing, or next to nothing of what was ever held, is left. */
  readonly isOpen: boolean;
  /** Held with a known cost; tokens that came from nowhere are not in it. */
  readonly heldRaw: RawAmount;
  /** Cost of what is held. */
  readonly costUsd: UsdNano;
  /** Proceeds less cost of what was sold; may be negative. */
  readonly realisedUsd: UsdNano;
  /** Cost of all that was ever bought. */
  readonly grossCostUsd: UsdNano;
  /** Mean time of acquisition of what is held, in seconds since the mint's origin. */
  readonly acquiredS: number;
  /** Sum over what was given away of raw amount times seconds held, and the amount. */
  readonly closedHold: number;
  readonly closedRaw: number;
}
