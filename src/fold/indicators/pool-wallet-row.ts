import { type RowLayout, rowLayout } from '../../lib/row-layout.ts';
import type { RowTable } from '../../lib/row-table.ts';
import { USD_NANO_SCALE } from '../../model/units.ts';

/** One trader of one pool. Times are logical milliseconds. */
export const POOL_WALLET_LAYOUT = rowLayout({
  /** Dollar volume of the wallet in this pool, as far as prices are known. */
  volumeUsd: 'i64',
  /** First and last transaction of known time; both 0 while `timedTrades` is 0. */
  firstMs: 'f64',
  lastMs: 'f64',
  /** Number of the last counted transaction (`transactionNumber`). */
  lastTransaction: 'f64',
  /** The hold time is the constant plus the slope times now (hold-time.ts). */
  holdConstantNs: 'i64',
  holdSlopeE15: 'i64',
  /** The wallet is profitable if `heldRaw` is worth more than this many dollars (profit.ts). */
  needUsd: 'i64',
  heldRaw: 'u64',
  /** Profit level of these two fields (profit-level.ts). */
  place: 'u32',
  /** Row of the pool (pool-row.ts). */
  pool: 'u32',
  /** Address id of the wallet. */
  wallet: 'u32',
  /** Transactions of known time in which the wallet traded here. */
  timedTrades: 'u32',
  /** Index of the wallet in the order of first trades in the pool, from 0. */
  ordinal: 'u32',
  /** Row of the previous wallet of the pool plus one, 0 for none. */
  nextInPool: 'u32',
  /** Row of the previous pool of the wallet plus one, 0 for none. */
  nextOfWallet: 'u32',
  flags: 'u32',
});

type SpecOf<Layout> = Layout extends RowLayout<infer Spec> ? Spec : never;

export type PoolWalletRows = RowTable<SpecOf<typeof POOL_WALLET_LAYOUT>>;

export const FLAG = {
  /** The wallet is a bot in all pools. */
  bot: 1,
  /** The wallet bought and sold the same amount here within one transaction. */
  volumeAtomic: 2,
  /** The wallet made a sandwich leg here: it traded around a victim. */
  sandwichLeg: 4,
  /** Part of its volume here has no known price. */
  unpriced: 8,
  /** `holdConstantNs` and `holdSlopeE15` are valid. */
  hold: 16,
  /** `needUsd` and `heldRaw` are valid. */
  knownBuy: 32,
  /** The wallet is a bot in all pools of the pool's mint (token-bots.ts). */
  tokenBot: 64,
} as const;

const NEVER_ORGANIC = FLAG.bot | FLAG.tokenBot | FLAG.volumeAtomic | FLAG.sandwichLeg;
const DUST_USD = 10n ** BigInt(USD_NANO_SCALE);

/**
 * Whether a wallet is organic in this pool (METHODS §2.1). It is not if it is a bot in all pools
 * or in those of the mint, is a bot by its behaviour here, or moved less than one dollar (dust). A wallet with volume at an
 * unknown price is not dust.
 */
export function isOrganic(flags: number, volumeUsd: bigint): boolean {
  return (flags & NEVER_ORGANIC) === 0 && !isDust(flags, volumeUsd);
}

/** Whether a wallet moved less than one dollar, as far as prices are known. */
export function isDust(flags: number, volumeUsd: bigint): boolean {
  return volumeUsd < DUST_USD && (flags & FLAG.unpriced) === 0;
}

/** Sets or clears a bit of FLAG. A row that already has this value is not written. */
export function setFlag(rows: PoolWalletRows, row: number, flag: number, isSet: boolean): void {
  const { flags } = POOL_WALLET_LAYOUT.fields;
  const bits = rows.number(row, flags);
  const next = isSet ? bits | flag : bits & ~flag;
  if (next !== bits) rows.setNumber(row, flags, next);
}

/** A unique number of a transaction, never 0; a block has far fewer than 2^20 transactions. */
export function transactionNumber(slot: number, txIndex: number): number {
  return slot * 2 ** 20 + txIndex + 1;
}
