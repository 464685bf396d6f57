import type { IndicatorRecord } from './indicators.ts';
import type { PoolRecord } from './pool-record.ts';
import type { SignalListing } from './signal-listing.ts';
import type { TokenRecord } from './token-record.ts';
import type { PriceE18, Slot } from './units.ts';

/** The pools that changed since the previous block, as of a slot. */
export interface PoolBlock {
  readonly slot: Slot;
  /** Null while no block time is known. */
  readonly timeMs: number | null;
  readonly solUsd: PriceE18 | null;
  readonly pools: readonly PoolRecord[];
}

/** Figures of some of the pools traded in a minute. */
export interface IndicatorBatch {
  /** Start of the minute. */
  readonly minuteMs: number;
  readonly records: readonly IndicatorRecord[];
}

/** Token changes of a slot. */
export interface NewTokenBlock {
  readonly slot: Slot;
  /** Null while no block time is known. */
  readonly timeMs: number | null;
  /** Tokens whose mint was created in this slot. */
  readonly created: readonly TokenRecord[];
  /** Tokens whose supply changed. */
  readonly supplies: readonly TokenRecord[];
}

/** Items published to all subscribers, by stream. */
export interface StreamedItems {
  readonly marketData: PoolBlock;
  readonly indicators: IndicatorBatch;
  readonly signals: SignalListing;
  readonly newTokens: NewTokenBlock;
}

export type StreamName = keyof StreamedItems;

/** The streams whose items are wanted. */
export type WantedStreams = Readonly<Record<StreamName, boolean>>;

export const STREAM_NAMES: readonly StreamName[] = [
  'marketData',
  'indicators',
  'signals',
  'newTokens',
];

export const NO_STREAMS_WANTED: WantedStreams = {
  marketData: false,
  indicators: false,
  signals: false,
  newTokens: false,
};

export type StreamedItem = {
  [Name in StreamName]: { readonly stream: Name; readonly item: StreamedItems[Name] };
}[StreamName];
