import { rowLayout } from '../../lib/row-layout.ts';
import type { RowTable } from '../../lib/row-table.ts';

/**
 * The position of one wallet in one mint (METHODS §0.6), in 168 bytes. Amounts are in raw units,
 * dollars in nano-dollars, times in logical milliseconds with 0 for none; `…S` are seconds since
 * the mint's origin.
 */
export const POSITION_LAYOUT = rowLayout({
  /** Units held with a known cost, and with an unknown cost. */
  heldRaw: 'u64',
  unknownRaw: 'u64',
  /** Maximum of `heldRaw` since the episode began, or so far if none has begun yet. */
  maxHeldRaw: 'u64',
  /** Units bought in the episode, and units received by transfer since the last one ended. */
  episodeBoughtRaw: 'u64',
  episodeReceivedRaw: 'u64',
  costUsd: 'i64',
  realisedUsd: 'i64',
  /** Cost of all purchases. */
  grossCostUsd: 'i64',
  /** Network fees, tips and rent; not included in cost or proceeds. */
  netCostLamports: 'i64',
  /** Cost of the open episode; between episodes, the opening cost of the next one. */
  episodeCostUsd: 'i64',
  episodeProceedsUsd: 'i64',
  /** Mean acquisition time of the held units. */
  acquiredS: 'f64',
  /** Over all sold units: the sum of raw amount times seconds held, and the sum of raw amounts. */
  closedHold: 'f64',
  closedRaw: 'f64',
  firstBuyMs: 'f64',
  lastTradeMs: 'f64',
  episodeStartMs: 'f64',
  buys: 'u32',
  sells: 'u32',
  mint: 'u32',
  wallet: 'u32',
  /** Row numbers plus one, 0 for none. */
  nextOfMint: 'u32',
  nextOfWallet: 'u32',
  nextDue: 'u32',
  /** Due day (days since 1970) in the queue of stale positions; 0 when not queued. */
  dueDay: 'u16',
  flags: 'u8',
  /** Cell of the episode's first purchase. */
  entryCell: 'u8',
});

export type PositionRows = RowTable;

export const FLAG = {
  knownBuy: 1,
  episodeOpen: 2,
  launchSlotBuy: 4,
  creator: 8,
  /** A sale had an unknown value and was counted at cost. */
  unpricedSale: 16,
} as const;

export const U64_MAX = 2n ** 64n - 1n;
export const I64_MAX = 2n ** 63n - 1n;

/** Caps an amount at the maximum of an unsigned 64-bit field. */
export function atMostU64(amount: bigint): bigint {
  if (amount <= U64_MAX) return amount;
  return U64_MAX;
}

/** Whether an amount fits a signed 64-bit field. */
export function fitsI64(amount: bigint): boolean {
  return amount <= I64_MAX && amount >= -I64_MAX;
}

export function hasFlag(rows: PositionRows, row: number, flag: number): boolean {
  return (rows.number(row, POSITION_LAYOUT.fields.flags) & flag) !== 0;
}

export function setFlags(rows: PositionRows, row: number, set: number, clear = 0): void {
  const { flags } = POSITION_LAYOUT.fields;
  const before = rows.number(row, flags);
  const after = (before & ~clear) | set;
  if (after !== before) rows.setNumber(row, flags, after);
}
