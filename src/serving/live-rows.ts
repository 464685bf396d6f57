import type { HolderBalance, PoolRecord, TokenRecord } from '../model/derived.ts';
import type { HolderPage, HolderPageQuery } from '../model/holder-page.ts';
import type { IndicatorRecord } from '../model/indicators.ts';
import type { Address, PriceE18, Slot } from '../model/units.ts';
import type { WalletRecord } from '../model/wallet-record.ts';
import { type PackedHolders, packHolders } from './packed-holders.ts';

/** Current rows that the API keeps in memory, by kind; each is the newest one's whole value. */
export interface LiveValues {
  /** By mint. */
  readonly token: TokenRecord | null;
  /** By pool. `lockedLiquidity` is as of the record's own slot. */
  readonly pool: PoolRecord | null;
  /** By mint: the largest owners, at most HOLDERS_MAX. */
  readonly holders: PackedHolders;
  /** By pool. As of the newest slot, whatever it changed: each one tells those that are watched. */
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
 * Rows that were asked for, as they are now. Each answer has a number of its own, higher than any
 * before, which names the watch it begins: answers to several accounts cross what is let go meanwhile.
 * A row that is let go is named with the newest number that came of it, and stays watched where a later
 * one was given: that answer is on its way, and will be kept.
 */
export interface LiveAnswer {
  readonly watchId: number;
  readonly rows: readonly LiveRow[];
}

/** A row that is not kept any more. */
export interface LetGoRow extends LiveRowName {
  /** Of the newest answer that came of it. */
  readonly watchId: number;
}

/** The engine, as far as live rows are made of it. */
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
}

/** A row as the engine has it now. */
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
