import type { Clock } from '../../../lib/clock.ts';
import type { ChainPoint } from '../../block-link.ts';
import type { BlockStream, StreamUse } from '../../block-stream.ts';
import type { FinalityStrategy } from '../../finality.ts';
import type { OpenGap } from '../../open-gaps.ts';
import type { BlockFetcher } from './block-fetcher.ts';
import type { Endpoint } from './endpoint.ts';
import type { HealthOptions } from './node-health.ts';
import type { NodePool } from './node-pool.ts';
import type { PollPaceOptions } from './poll-pace.ts';
import type { PostLimits } from './post-json.ts';
import type { BlockReading, CompareMode } from './testimony.ts';

/** Time-outs and bounds. None depends on the duration of a slot. */
export interface RpcTuning {
  /** Per node. */
  readonly requestsPerSecond: number;
  readonly limits: PostLimits;
  readonly health: HealthOptions;
  readonly poll: PollPaceOptions;
  /** Pause between two checks of each node's newest slot. */
  readonly nodeCheckMs: number;
  /** A node that is this many slots behind the others is used last. */
  readonly behindSlotsMax: number;
  /** Maximum concurrent block requests, when many are waiting. */
  readonly concurrencyMax: number;
  /** Bound on fetched blocks that wait for a parent. */
  readonly blocksAheadMax: number;
  /** A block that a node has not delivered after this time is requested from a second one. */
  readonly hedgeAfterMs: number;
  readonly retryBaseMs: number;
  readonly retryMaxMs: number;
  /** A missing block that all working nodes deny is reported missing after this time. */
  readonly giveUpAfterMs: number;
  /** The same where nodes do not answer. */
  readonly outageGiveUpAfterMs: number;
  readonly hintSilenceMs: number;
  readonly hintBackoffMs: number;
  readonly hintBackoffMaxMs: number;
  /**
   * Pause between two rounds of requests for a slot reported missing; each round tries every node
   * once.
   */
  readonly gapRetryMs: number;
  /** While the stream delivers blocks at least this often, nodes are not polled for new ones. */
  readonly streamSilenceMs: number;
  /** A block that no second node has supplied within this time is accepted unverified. */
  readonly compareWithinMs: number;
}

export const RPC_TUNING: RpcTuning = {
  requestsPerSecond: 20,
  limits: { deadlineMs: 10_000, answerBytesMax: 128 * 2 ** 20 },
  health: { circuitFailures: 5, backoffBaseMs: 100, backoffMaxMs: 30_000 },
  poll: { leastMs: 50, mostMs: 1_000 },
  nodeCheckMs: 2_000,
  behindSlotsMax: 50,
  concurrencyMax: 16,
  blocksAheadMax: 32,
  hedgeAfterMs: 2_000,
  retryBaseMs: 50,
  retryMaxMs: 2_000,
  giveUpAfterMs: 6_000,
  outageGiveUpAfterMs: 60_000,
  hintSilenceMs: 15_000,
  hintBackoffMs: 1_000,
  hintBackoffMaxMs: 30_000,
  gapRetryMs: 5_000,
  streamSilenceMs: 2_000,
  compareWithinMs: 10_000,
};

export interface RpcSourceOptions {
  /** In order of preference; empty where a stream delivers the blocks. */
  readonly endpoints: readonly Endpoint[];
  /**
   * Nodes at these endpoints that are shared with others; by default the source creates its own.
   */
  readonly pool?: NodePool;
  /** Delivers new blocks; nodes then fill its gaps and replace it while it is silent. */
  readonly stream?: ((use: StreamUse) => BlockStream) | null;
  /** The last stored final block; null begins at the newest final slot of the nodes. */
  readonly anchor?: ChainPoint | null;
  /** Gaps of the log before the anchor: requested while nothing newer is waiting. */
  readonly gaps?: readonly OpenGap[];
  /** Null queries the nodes for the network's finality. */
  readonly finality?: FinalityStrategy | null;
  readonly fetcher?: BlockFetcher | null;
  /** Which blocks are requested from a second node before they are final, and how they are read. */
  readonly comparison?: { readonly mode: CompareMode; readonly reading: BlockReading } | null;
  /** Called with sentences about nodes and stream for the operator. */
  readonly onNotice?: (sentence: string) => void;
  /** Runs concurrently while the source is read. Must not reject because of other components. */
  readonly beside?: (signal: AbortSignal) => Promise<void>;
  /** Ends the source. */
  readonly signal?: AbortSignal;
  readonly tuning?: Partial<RpcTuning>;
  readonly clock?: Clock;
  /** Returns numbers in [0, 1), for jitter. */
  readonly random?: () => number;
}
