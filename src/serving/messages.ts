import type { Standstill } from '../api/chain-status.ts';
import type { LogLevel } from '../config/config-settings.ts';
import type { SlotGap } from '../model/slot-range.ts';
import type { WantedStreams } from '../model/streamed.ts';
import type { TriggerEvent } from '../model/trigger.ts';
import type { PriceE18, Slot } from '../model/units.ts';
import type { Fault } from './fault.ts';
import type { LetGoRow, LiveRow } from './live-rows.ts';
import type { StreamEvent } from './stream-feed.ts';

/**
 * What the API's thread is told at its start. No secret is among it: keys are checked against the
 * data folder, and nothing else of the configuration is the API's matter.
 */
export interface ApiSettings {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  readonly logLevel: LogLevel;
  readonly rateLimitPerMinute: number;
  readonly rateLimitBurst: number;
  readonly openOps: boolean;
  readonly isSimulated: boolean;
  /** Where streams are served over gRPC; nowhere when left out. */
  readonly grpc?: GrpcBindAddress;
}

/** With both files the connection is encrypted. */
export interface GrpcBindAddress {
  readonly port: number;
  readonly tlsCertFile: string | null;
  readonly tlsKeyFile: string | null;
}

/** The metrics of one thread. */
export interface MetricsPage {
  /** Families that no other thread's page has. */
  readonly text: string;
  readonly vitals: ThreadVitals;
}

/** How a thread is. */
export interface ThreadVitals {
  /** 99th percentile of how late its loop turned, since this was last asked. */
  readonly lagSeconds: number;
  readonly heapUsedBytes: number;
}

/** What is true as of now, and what of the rows that are kept is another than before. */
export interface Publication {
  /** Null before the first slot. */
  readonly slot: Slot | null;
  /** Block time of that slot. */
  readonly timeMs: number | null;
  /** What values SOL pools. */
  readonly solUsd: PriceE18 | null;
  /** Null while what comes of the chain is stored and followed. */
  readonly standstill: Standstill | null;
  /** Null: as before. */
  readonly gaps: GapChange | null;
  /** Another fold answers from here on: what is kept is dropped before `rows` are taken. */
  readonly isReplaced: boolean;
  readonly rows: readonly LiveRow[];
}

/** The first `kept` gaps are as before, `added` follow. */
export interface GapChange {
  readonly kept: number;
  readonly added: readonly SlotGap[];
}

export type ToApi =
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown }
  | { readonly kind: 'refusal'; readonly id: number; readonly fault: Fault }
  | { readonly kind: 'publication'; readonly publication: Publication }
  /** Told of triggers, and written already. */
  | { readonly kind: 'triggerEvents'; readonly events: readonly TriggerEvent[] }
  | { readonly kind: 'streamed'; readonly event: StreamEvent }
  /** Requests that run are answered; after `drainMs` their connections are closed. */
  | { readonly kind: 'close'; readonly drainMs: number };

export type FromApi =
  | { readonly kind: 'listening'; readonly port: number; readonly grpcPort: number | null }
  | { readonly kind: 'failed'; readonly fault: Fault }
  | {
      readonly kind: 'call';
      readonly id: number;
      /** On whose behalf; null for the API's own. */
      readonly accountId: string | null;
      /** A read of `ServiceReads`, `group.method`. */
      readonly name: string;
      readonly args: readonly unknown[];
    }
  | { readonly kind: 'unwatch'; readonly rows: readonly LetGoRow[] }
  /** Nobody reads the log any more. */
  | { readonly kind: 'unread' }
  | { readonly kind: 'wanted'; readonly streams: WantedStreams }
  /** An item of a stream was taken in. */
  | { readonly kind: 'streamSeen' }
  /** A publication was taken in: the next may come. */
  | { readonly kind: 'seen' };
