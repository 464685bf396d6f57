import { type RowLayout, rowLayout } from '../../lib/row-layout.ts';
import type { RowTable } from '../../lib/row-table.ts';
import { USD_NANO_SCALE } from '../../model/units.ts';

/** What a pool knows of one of its traders. Times are logical milliseconds. */
export const POOL_WALLET_LAYOUT = rowLayout({
  /** Dollars that the wallet moved in this pool, as far as their price is known. */
  volumeUsd: 'i64',
  /** Of transactions whose time is known; both 0 while `timedTrades` is. */
  firstMs: 'f64',
  lastMs: 'f64',
  /** Number of the transaction that was counted last (`transactionNumber`). */
  lastTransaction: 'f64',
  /** The holding time is the constant plus the slope times now (hold-time.ts). */
  holdConstantNs: 'i64',
  holdSlopeE15: 'i64',
  /** Dollars that what is held must be worth for the wallet to be ahead (profit.ts). */
  needUsd: 'i64',
  heldRaw: 'u64',
  /** Where these two stand among prices (profit-level.ts). */
  place: 'u32',
  pool: 'u32',
  wallet: 'u32',
  /** Transactions of known time in which the wallet traded here. */
  timedTrades: 'u32',
  /** Place in the order in which wallets came to the pool, from 0. */
  ordinal: 'u32',
  /** One more than the row of the wallet that came to the pool before, 0 for none. */
  nextInPool: 'u32',
  /** One more than the row of the pool that the wallet came to before, 0 for none. */
  nextOfWallet: 'u32',
  flags: 'u32',
});

type SpecOf<Layout> = Layout extends RowLayout<infer Spec> ? Spec : never;

export type PoolWalletRows = RowTable<SpecOf<typeof POOL_WALLET_LAYOUT>>;

export const FLAG = {
  /** The wallet is a bot wherever it trades. */
  bot: 1,
  /** It bought and sold the same amount here within one transaction. */
  volumeAtomic: 2,
  /** It traded here before and after somebody to whose cost it did. */
  sandwichLeg: 4,
  /** Part of its volume here has no known price. */
  unpriced: 8,
  /** `holdConstantNs` and `holdSlopeE15` say something. */
  hold: 16,
  /** `needUsd` and `heldRaw` say something. */
  knownBuy: 32,
} as const;

const NEVER_ORGANIC = FLAG.bot | FLAG.volumeAtomic | FLAG.sandwichLeg;
const DUST_USD = 10n ** BigInt(USD_NANO_SCALE);

/**
 * Bot or organic in this pool (METHODS §2.1): a bot everywhere, one by what it did here, or dust: less
 * than a dollar moved. What was moved at an unknown price is not called dust.
 */
export function isOrganic(flags: number, volumeUsd: bigint): boolean {
  if ((flags & NEVER_ORGANIC) !== 0) return false;
  return volumeUsd >= DUST_USD || (flags & FLAG.unpriced) !== 0;
}

/** Sets or clears a bit of FLAG; a row that has it so already is not touched. */
export function setFlag(rows: PoolWalletRows, row: number, flag: number, isSet: boolean): void {
  const { flags } = POOL_WALLET_LAYOUT.fields;
  const bits = rows.number(row, flags);
  const next = isSet ? bits | flag : bits & ~flag;
  if (next !== bits) rows.setNumber(row, flags, next);
}

/** One number for a transaction, never 0; blocks have far fewer than 2^20 of them. */
export function transactionNumber(slot: number, txIndex: number): number {
  return slot * 2 ** 20 + txIndex + 1;
}
