import { rowLayout } from '../../lib/row-layout.ts';
import type { RowTable } from '../../lib/row-table.ts';

/**
 * What one wallet holds of one mint and how it came to it (METHODS §0.6), in 168 bytes. Amounts in
 * raw units, dollars in nano, times in logical milliseconds with 0 for none; `…S` are seconds since
 * the mint's origin.
 */
export const POSITION_LAYOUT = rowLayout({
  /** Held with a known cost, and without one. */
  heldRaw: 'u64',
  unknownRaw: 'u64',
  /** The most that was held at a known cost since the episode began, or ever before the first. */
  maxHeldRaw: 'u64',
  /** Of the episode: all that was bought, and all that came otherwise since the last one ended. */
  episodeBoughtRaw: 'u64',
  episodeReceivedRaw: 'u64',
  costUsd: 'i64',
  realisedUsd: 'i64',
  /** Of all purchases ever. */
  grossCostUsd: 'i64',
  /** Network fees, tips and rent: in no cost and no proceeds. */
  netCostLamports: 'i64',
  /** Of the episode that is open; between episodes what is left will be worth to the next one. */
  episodeCostUsd: 'i64',
  episodeProceedsUsd: 'i64',
  /** Mean time of acquisition of what is held. */
  acquiredS: 'f64',
  /** Sum over all that was sold of raw amount times seconds held, and the amount. */
  closedHold: 'f64',
  closedRaw: 'f64',
  firstBuyMs: 'f64',
  lastTradeMs: 'f64',
  episodeStartMs: 'f64',
  buys: 'u32',
  sells: 'u32',
  mint: 'u32',
  wallet: 'u32',
  /** Rows plus one, 0 for none. */
  nextOfMint: 'u32',
  nextOfWallet: 'u32',
  nextDue: 'u32',
  /** Day since 1970 for which the row waits in the queue of stale positions; 0 when in none. */
  dueDay: 'u16',
  flags: 'u8',
});

export type PositionRows = RowTable;

export const FLAG = {
  knownBuy: 1,
  episodeOpen: 2,
  launchSlotBuy: 4,
  creator: 8,
  /** Something was sold for an unknown amount: it counts as sold at its cost. */
  unpricedSale: 16,
} as const;

export const U64_MAX = 2n ** 64n - 1n;
export const I64_MAX = 2n ** 63n - 1n;

/** What an unsigned field shows of an amount: no more than it can hold. */
export function atMostU64(amount: bigint): bigint {
  if (amount <= U64_MAX) return amount;
  return U64_MAX;
}

/** Whether a signed field can hold an amount. */
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
