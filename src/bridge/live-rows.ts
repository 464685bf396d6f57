import type { WalletReads } from '../engine/lists/wallet-reads.ts';
import type { HolderBalance } from '../model/derived.ts';
import type { HolderPage, HolderPageQuery } from '../model/holder-page.ts';
import type { IndicatorRecord } from '../model/indicators.ts';
import type { PoolRecord } from '../model/pool-record.ts';
import type { TokenRecord } from '../model/token-record.ts';
import type { Address, PriceE18, Slot } from '../model/units.ts';
import type { WalletRecord } from '../model/wallet-record.ts';
import { type PackedHolders, packHolders } from './packed-holders.ts';

/** Current rows that the API caches, by kind; each value is complete and current. */
export interface LiveValues {
  /** By mint. */
  readonly token: TokenRecord | null;
  /** By pool. `lockedLiquidity` is as of the record's own slot. */
  readonly pool: PoolRecord | null;
  /** By mint: the largest owners, at most HOLDERS_MAX. */
  readonly holders: PackedHolders;
  /** By pool. As of the newest slot: every slot publishes the watched ones, changed or not. */
  readonly indicators: IndicatorRecord | null;
}

export type LiveKind = keyof LiveValues;

export interface LiveRowName {
  readonly kind: LiveKind;
  readonly address: Address;
}

export type LiveRow = {
  [Kind in LiveKind]: {
    readonly kind: Kind;
    readonly address: Address;
    readonly value: LiveValues[Kind];
  };
}[LiveKind];

/**
 * Requested rows in their current state. Each answer has a higher `watchId` than any before, which
 * identifies the watch it starts. Answers may cross with unwatch messages: a row is unwatched with
 * the newest `watchId` received for it, and stays watched if a later answer was sent in the
 * meantime.
 */
export interface LiveAnswer {
  readonly watchId: number;
  readonly rows: readonly LiveRow[];
}

/** A row dropped from the cache. */
export interface DroppedRow extends LiveRowName {
  /** `watchId` of the newest answer received for the row. */
  readonly watchId: number;
}

/** The part of the engine that live rows are read from. */
export interface LiveEngine {
  readonly lastSlot: Slot | null;
  readonly lastBlockhash: string | null;
  readonly timeMs: number;
  readonly solUsd: PriceE18 | null;
  token(mint: Address): TokenRecord | null;
  pool(pool: Address): PoolRecord | null;
  topHolders(mint: Address, limit: number): readonly HolderBalance[];
  indicators(pool: Address): IndicatorRecord | null;
  holderPage(query: HolderPageQuery): HolderPage;
  wallet(address: Address): WalletRecord | null;
  readonly walletReads: Pick<WalletReads, keyof WalletReads>;
}

/** Reads the current value of a row. */
export function readLiveRow(
  engine: LiveEngine,
  { kind, address }: LiveRowName,
  holdersMax: number,
): LiveRow {
  switch (kind) {
    case 'token':
      return { kind, address, value: engine.token(address) };
    case 'pool':
      return { kind, address, value: engine.pool(address) };
    case 'holders':
      return { kind, address, value: packHolders(address, engine.topHolders(address, holdersMax)) };
    case 'indicators':
      return { kind, address, value: engine.indicators(address) };
  }
}
