import type { PoolRecord, TokenRecord } from './derived.ts';
import type { IndicatorRecord } from './indicators.ts';
import type { SignalListing } from './signal-file.ts';
import type { PriceE18, Slot } from './units.ts';

/** The pools that are others since the block before, as they are after a slot. */
export interface PoolBlock {
  readonly slot: Slot;
  /** Null while no block time is known. */
  readonly timeMs: number | null;
  readonly solUsd: PriceE18 | null;
  readonly pools: readonly PoolRecord[];
}

/** Figures of some of the pools that were traded in a minute. */
export interface IndicatorBatch {
  /** Start of the minute. */
  readonly minuteMs: number;
  readonly records: readonly IndicatorRecord[];
}

/** What a slot told of tokens. */
export interface NewTokenBlock {
  readonly slot: Slot;
  /** Null while no block time is known. */
  readonly timeMs: number | null;
  /** Their mint was created in this slot. */
  readonly created: readonly TokenRecord[];
  /** Their supply is another than before. */
  readonly supplies: readonly TokenRecord[];
}

/** What streams tell everybody, by stream. */
export interface StreamedItems {
  readonly marketData: PoolBlock;
  readonly indicators: IndicatorBatch;
  readonly signals: SignalListing;
  readonly newTokens: NewTokenBlock;
}

export type StreamName = keyof StreamedItems;

/** Whose items are wanted. */
export type WantedStreams = Readonly<Record<StreamName, boolean>>;

export const STREAM_NAMES: readonly StreamName[] = [
  'marketData',
  'indicators',
  'signals',
  'newTokens',
];

export const NOTHING_WANTED: WantedStreams = {
  marketData: false,
  indicators: false,
  signals: false,
  newTokens: false,
};

export type StreamedItem = {
  [Name in StreamName]: { readonly stream: Name; readonly item: StreamedItems[Name] };
}[StreamName];
