import type { PositionView } from '../../src/fold/indicators/position-view.ts';
import { asRawAmount, asUsdNano } from '../../src/model/units.ts';

/** An open position of a known buy, with nothing in it. */
export function buildPosition(parts: Partial<PositionView> = {}): PositionView {
  return {
    hasKnownBuy: true,
    isOpen: true,
    heldRaw: asRawAmount(0n),
    costUsd: asUsdNano(0n),
    realisedUsd: asUsdNano(0n),
    grossCostUsd: asUsdNano(0n),
    acquiredS: 0,
    closedHold: 0,
    closedRaw: 0,
    ...parts,
  };
}
