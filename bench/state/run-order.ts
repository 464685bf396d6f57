import type { Address } from '../../src/model/units.ts';
import type { BytesPerWallet } from './footprint.ts';
import type { MarketOptions } from './market-options.ts';
import type { MeasuredPart } from './measured-part.ts';
import type { RunSample } from './measured-run.ts';
import type { CheckpointCost } from './slot-times.ts';
import type { ThreadTime } from './thread-time.ts';

/** What is applied to which state. */
export interface RunOrder {
  readonly options: MarketOptions;
  /** Swaps of the market, those before this run included. */
  readonly swaps: number;
  /** Bound of the state in memory, in bytes. */
  readonly stateMemoryBytes: number;
  /** Where the states of engine and market are. */
  readonly folder: string;
}

/** What a run measured until the market had the swaps of its order. */
export interface RunMeasures {
  readonly samples: readonly RunSample[];
  /** Null if nothing was applied. */
  readonly part: MeasuredPart | null;
  readonly swaps: number;
  readonly residentMiB: number;
  /** After a full collection: what is left out of `residentMiB` then is garbage. Null without `gc`. */
  readonly collectedMiB: number | null;
  /** Null if nothing was applied, and where the bytes of wallets are measured. */
  readonly cost: CheckpointCost | null;
  /** Null if the wallets of the market have more than one swap. */
  readonly perWallet: BytesPerWallet | null;
  /** Written to the files of the state; null if nothing was applied. */
  readonly writtenMiBPerMillionSwaps: number | null;
  readonly contradictions: unknown;
}

/** Where a run kills itself. */
export interface Killing {
  readonly slot: number;
  readonly swaps: number;
  readonly pool: Address | null;
}

/** What the process of a run reports, in this order. */
export type RunReport =
  | { readonly kind: 'measured'; readonly measures: RunMeasures }
  | { readonly kind: 'killing'; readonly at: Killing };

export interface RestartOrder extends RunOrder {
  readonly killedAt: Killing;
}

/** What the process that opens the state of a killed run reports, in this order. */
export type RestartReport =
  | {
      readonly kind: 'answered';
      readonly isFound: boolean;
      /** Processor time of all threads since the process began. */
      readonly processorMs: number;
    }
  | {
      readonly kind: 'caughtUp';
      /** Time of applying slots, without making them. */
      readonly applied: ThreadTime;
      readonly slots: number;
      readonly digest: string;
    };

/** Slots follow each other in this time on the chain whose pace the service has to keep. */
export const FOLLOWED_SLOT_MS = 200;
