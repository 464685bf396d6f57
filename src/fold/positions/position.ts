import type { AddressIds } from '../../lib/address-ids.ts';
import {
  type Address,
  asLamports,
  asRawAmount,
  asUsdNano,
  type Lamports,
  type RawAmount,
} from '../../model/units.ts';
import type { PositionView } from '../indicators/position-view.ts';
import { type PositionKey, positionKeyOf } from './position-key.ts';
import { FLAG, hasFlag, POSITION_LAYOUT, type PositionRows } from './position-row.ts';

/** The position of one wallet in one mint. Times are logical milliseconds. */
export interface Position extends PositionKey, PositionView {
  /** Units held with an unknown cost. */
  readonly unknownRaw: RawAmount;
  readonly buys: number;
  readonly sells: number;
  /** Null if there is no purchase, or no trade, of known time. */
  readonly firstBuyMs: number | null;
  readonly lastTradeMs: number | null;
  /** Network fees, tips and rent of its trades. */
  readonly netCostLamports: Lamports;
  /** A sale had an unknown value and was counted at cost. */
  readonly hasUnpricedSale: boolean;
  readonly isEpisodeOpen: boolean;
}

/**
 * Whether any unit of a position ever had a known cost: bought at one, received with one and held, or
 * sold.
 */
export function hasKnownCost({
  closedRaw,
  grossCostUsd,
  heldRaw,
}: Pick<Position, 'closedRaw' | 'grossCostUsd' | 'heldRaw'>): boolean {
  return grossCostUsd > 0n || heldRaw > 0n || closedRaw > 0;
}

/** A remainder below 10^-9 of the maximum held counts as nothing (METHODS §2.3). */
const REST_SHARE = 1_000_000_000n;

const { fields } = POSITION_LAYOUT;

/** Reads the position of a wallet in a mint from its row. */
export function positionOf(
  rows: PositionRows,
  row: number,
  mint: Address,
  wallet: Address,
): Position {
  const heldRaw = rows.bigint(row, fields.heldRaw);
  return {
    mint,
    wallet,
    hasKnownBuy: hasFlag(rows, row, FLAG.knownBuy),
    isOpen: isOpenAt(rows, row, heldRaw),
    heldRaw: asRawAmount(heldRaw),
    unknownRaw: asRawAmount(rows.bigint(row, fields.unknownRaw)),
    costUsd: asUsdNano(rows.bigint(row, fields.costUsd)),
    realisedUsd: asUsdNano(rows.bigint(row, fields.realisedUsd)),
    grossCostUsd: asUsdNano(rows.bigint(row, fields.grossCostUsd)),
    acquiredS: rows.number(row, fields.acquiredS),
    closedHold: rows.number(row, fields.closedHold),
    closedRaw: rows.number(row, fields.closedRaw),
    buys: rows.number(row, fields.buys),
    sells: rows.number(row, fields.sells),
    firstBuyMs: rows.number(row, fields.firstBuyMs) || null,
    lastTradeMs: rows.number(row, fields.lastTradeMs) || null,
    netCostLamports: asLamports(rows.bigint(row, fields.netCostLamports)),
    hasUnpricedSale: hasFlag(rows, row, FLAG.unpricedSale),
    isEpisodeOpen: hasFlag(rows, row, FLAG.episodeOpen),
  };
}

/** The part of a changed position that the indicators of its pools use. */
export interface ChangedPosition extends PositionKey, PositionView {}

/** Reads a changed position: half of a position, because this runs for every trade. */
export function changedPositionAt(
  rows: PositionRows,
  row: number,
  ids: AddressIds<Address>,
): ChangedPosition {
  const { mint, wallet } = positionKeyOf(rows, row, ids);
  const heldRaw = rows.bigint(row, fields.heldRaw);
  return {
    mint,
    wallet,
    hasKnownBuy: hasFlag(rows, row, FLAG.knownBuy),
    isOpen: isOpenAt(rows, row, heldRaw),
    heldRaw: asRawAmount(heldRaw),
    costUsd: asUsdNano(rows.bigint(row, fields.costUsd)),
    realisedUsd: asUsdNano(rows.bigint(row, fields.realisedUsd)),
    grossCostUsd: asUsdNano(rows.bigint(row, fields.grossCostUsd)),
    acquiredS: rows.number(row, fields.acquiredS),
    closedHold: rows.number(row, fields.closedHold),
    closedRaw: rows.number(row, fields.closedRaw),
  };
}

function isOpenAt(rows: PositionRows, row: number, heldRaw: bigint): boolean {
  return heldRaw > 0n && heldRaw * REST_SHARE >= rows.bigint(row, fields.maxHeldRaw);
}

/** Reads a position when only its row is known. */
export function positionAt(rows: PositionRows, row: number, ids: AddressIds<Address>): Position {
  const { mint, wallet } = positionKeyOf(rows, row, ids);
  return positionOf(rows, row, mint, wallet);
}

/** What the profit of a position follows from, and its row. */
export interface PositionProfit extends Pick<Position, 'heldRaw' | 'costUsd' | 'realisedUsd'> {
  readonly row: number;
  /** False for a position that was only received. */
  readonly hasTraded: boolean;
  readonly hasKnownCost: boolean;
}

export function profitAt(rows: PositionRows, row: number): PositionProfit {
  const heldRaw = asRawAmount(rows.bigint(row, fields.heldRaw));
  const grossCostUsd = asUsdNano(rows.bigint(row, fields.grossCostUsd));
  const closedRaw = rows.number(row, fields.closedRaw);
  return {
    row,
    heldRaw,
    costUsd: asUsdNano(rows.bigint(row, fields.costUsd)),
    realisedUsd: asUsdNano(rows.bigint(row, fields.realisedUsd)),
    hasKnownCost: hasKnownCost({ closedRaw, grossCostUsd, heldRaw }),
    hasTraded: rows.number(row, fields.buys) > 0 || rows.number(row, fields.sells) > 0,
  };
}
